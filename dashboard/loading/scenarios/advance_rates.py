"""Rates of the open group's history for a step in which time passes: which stretches there are, and the edit with its rates."""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.history.series import Series
from evenkeel.assignors.history.speed.rates import WINDOW
from evenkeel.dashboard.loading.history.speeds import speeds
from evenkeel.dashboard.loading.views import begun
from evenkeel.dashboard.view import Opened
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.edits.advance import Advance
from evenkeel.data.scenarios.history.advance_rates import capacities, in_rates, measured, slot_seconds
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.step_drains import former_ids

_SLOTS = (WINDOW, 2 * WINDOW, 4 * WINDOW)


class Stretch(NamedTuple):
    """The last seconds of a history: records/s that come in, and what the fastest member reads, None where unknown."""

    seconds: float
    in_rate: float
    capacity: float | None


def stretches(group: Opened) -> list[Stretch]:
    """Return the stretches that rates can be measured over, none without a history that can be read."""
    with suppress(SnapshotError):
        found = speeds(group)
        return [] if found is None else _stretches(group, found.series)
    return []


def with_history(group: Opened, before: Sequence[StepAnswer], start: ObservedGroup, edit: Advance) -> Advance:
    """Return the edit with the rates that it lacks; `before`: the answers up to the step that starts with `start`.

    Raises
    ------
    SnapshotError
        When the history does not tell one.
    """
    found = speeds(group) if edit.lacks_rates else None
    if found is None:
        return edit
    return measured(edit, begun(group).own.observed.snapshot, start.snapshot, found.series, former_ids(before))


def _stretches(group: Opened, series: Series) -> list[Stretch]:
    """Return one for each number of slots that the history has, its whole length if it is shorter."""
    snapshot, length = begun(group).own.observed.snapshot, int(series.slot[-1] - series.slot[0]) + 1
    made, fastest = [], _fastest(snapshot, series)
    for number in [slots for slots in _SLOTS if slots <= length] or [length]:
        seconds = (number - 1) * slot_seconds(series)
        with suppress(SnapshotError):
            rates = [rate for topic in in_rates(snapshot, series, seconds).values() for rate in topic if rate is not None]
            made.append(Stretch(seconds, sum(rates), fastest))
    return made


def _fastest(snapshot: GroupSnapshot, series: Series) -> float | None:
    with suppress(SnapshotError):
        return max(capacities(snapshot, series, {}).values())
    return None
