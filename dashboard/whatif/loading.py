"""Slow figures of What-if, computed in the background: distributions over seeds, costs of restarts,
and drain times.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.speed import WINDOW
from evenkeel.dashboard.shell import apart, cache
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.plugins import plugin_settings
from evenkeel.dashboard.shell.loading.speeds import may_have_speeds, speeds
from evenkeel.dashboard.shell.loading.views import begun
from evenkeel.dashboard.shell.loading.walks import Walk, asked_of, digests, walked
from evenkeel.dashboard.view import OpenGroup, View
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.own_process import LimitError
from evenkeel.data.scenarios.advance_rates import (
    capacities,
    in_rate_of,
    in_rates,
    measured,
    slot_seconds,
)
from evenkeel.data.scenarios.edits.advance import Advance
from evenkeel.data.scenarios.run.group_step import StepAnswer, remembering
from evenkeel.data.scenarios.run.rolling_restart import (
    Cost,
    Order,
    Times,
    both_costs,
    own_costs,
    unknown_cost,
)
from evenkeel.data.scenarios.run.seeds import SEEDS, SeedFigures, all_drawn, drawn
from evenkeel.data.scenarios.run.step_drains import (
    COMING,
    Drained,
    StepDrain,
    StepDrains,
    former_ids,
)
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.scenarios.size import SizeOfGroup, edit_count

_TURN = threading.Lock()


_NONE = SeedFigures(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


def seeds_of(
    group: OpenGroup, steps: Sequence[Step], number: int, name: str
) -> tuple[SeedFigures, bool]:
    """Return the figures of the computed seeds, and whether all seeds are computed. `number`: the
    step, counted from 1.
    """
    key = (seeds_of, group, digests(steps[:number])[-1], name, plugin_settings())
    waiting = cache.missing(
        {key: partial(_draw, key, group, steps[:number], name)}, patience=0.1, turn=_TURN
    )
    return ALL.find((key, "drawn")) or _NONE, not waiting


def _draw(
    key: tuple, group: OpenGroup, steps: Sequence[Step], name: str, is_wanted: Callable[[], bool]
) -> None:
    before = walked(group, steps[:-1], name).answers[-1]
    start = before.group or before.start
    made, each = asked_of(group, name), SizeOfGroup.of_observed(start).footprint.work
    seeds = max(min(SEEDS, configuration().budget.work // max(each, 1)), 1)
    if name in ASSIGNORS and apart.is_heavy(each * seeds, seeds * edit_count(steps[-1:])):
        with suppress(apart.NotWantedError):
            ALL.put((key, "drawn"), _drawn_apart(group, start, steps, name, seeds, is_wanted))
        return
    for done in drawn(start, steps[-1], len(steps) - 1, remembering(made, start), seeds):
        ALL.put((key, "drawn"), done)
        if not is_wanted():
            return


def _drawn_apart(
    group: OpenGroup,
    start: ObservedGroup,
    steps: Sequence[Step],
    name: str,
    seeds: int,
    is_wanted: Callable[[], bool],
) -> SeedFigures:
    """Compute the figures of all seeds in a separate process. If the process exceeds the limits of
    memory or time, return no figures.
    """
    key = (start, steps[-1], len(steps) - 1, name, group.settings, seeds)
    try:
        return apart.run(apart.limits(), all_drawn, *key, is_wanted=is_wanted)
    except LimitError:
        return _NONE


MOST_BATCHES = 400
"""Most restarts, one after the other; more would take minutes."""


class Restart(NamedTuple):
    """A rolling restart: the order of the members, how many members restart at once, and the times
    of a restart.
    """

    order: Order = Order.GROUP
    at_once: int = 1
    times: Times = Times()

    def batches(self, group: ObservedGroup) -> int:
        """Return how many batches of members restart, one batch after the other."""
        return -(-group.snapshot.member_count // self.at_once)


class Costs(NamedTuple):
    """The costs of a rolling restart: with the present members, and if all members were static."""

    now: Cost
    static: Cost


def costs(
    group: OpenGroup, starts: Mapping[str, ObservedGroup], digest: str, how: Restart
) -> tuple[dict[str, Costs], frozenset[str]]:
    """Return the computed costs by assignor, and the assignors whose costs are still being
    computed.

    `starts`: the group at the end of the open step, by assignor. `digest`: digest of the steps up
    to this step.
    """
    keys = {(costs, group, digest, how, name): name for name in starts}
    tasks = {
        key: partial(_compute, key, group, starts[name], name, how) for key, name in keys.items()
    }
    waiting = frozenset(keys[key] for key in cache.missing(tasks))
    known = {name: ALL.find(key) for key, name in keys.items() if name not in waiting}
    return {name: each for name, each in known.items() if each is not None}, waiting


def _compute(
    key: tuple,
    group: OpenGroup,
    start: ObservedGroup,
    name: str,
    how: Restart,
    is_wanted: Callable[[], bool],
) -> None:
    with suppress(apart.NotWantedError):
        ALL.get(key, lambda: _costs(group, start, name, how, is_wanted))


def _costs(
    group: OpenGroup, start: ObservedGroup, name: str, how: Restart, is_wanted: Callable[[], bool]
) -> Costs:
    in_rate, work = (
        _in_rate(group, start),
        2 * how.batches(start) * SizeOfGroup.of_observed(start).footprint.work,
    )
    if name not in ASSIGNORS or not apart.is_heavy(work):
        return Costs(*both_costs(start, asked_of(group, name), *how, in_rate))
    try:
        return Costs(
            *apart.run(
                apart.limits(),
                own_costs,
                start,
                name,
                group.settings,
                *how,
                in_rate,
                is_wanted=is_wanted,
            )
        )
    except LimitError:
        return Costs(unknown_cost(name, is_static=False), unknown_cost(name, is_static=True))


def _in_rate(group: OpenGroup, start: ObservedGroup) -> np.ndarray | None:
    """Return the arrival rate of each partition in records/s. None if the history cannot be
    read.
    """
    with suppress(SnapshotError):
        history = speeds(group)
        return history and in_rate_of(
            start.snapshot, begun(group).own.observed.snapshot, history.series
        )
    return None


# Values from the open group's history: the drain time of each step under each assignor, and the
# rates for a step in which time passes.


AT_ONCE = 30_000
"""Partitions times answers. With at most this number, the drain times are computed before the page
is drawn.
"""


class StepTimes(NamedTuple):
    """The drain times after each step. `drains`: by step, then by assignor; empty if the group has
    no history. `waiting`: assignors whose drain times are still being computed.
    """

    drains: Drained = ()
    waiting: frozenset[str] = frozenset()


class _Way(NamedTuple):
    """The answers of one assignor. `listed`: the answer to the group as listed; None if the
    assignor has failed. `walk`: the answers to the steps.
    """

    listed: Assignment | None
    walk: Walk


def step_times(
    group: OpenGroup, view: View, steps: Sequence[Step], walks: Mapping[str, Walk]
) -> StepTimes:
    """Return the drain times that have been computed so far.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    if not may_have_speeds(group):
        return StepTimes()
    keys, settings = digests(steps), plugin_settings()
    ways = {
        row.name: _Way(row.assignment, walks[row.name])
        for row in view.comparison.rows[1:]
        if row.name in walks
    }
    made = {
        name: partial(
            _times, group, view, way, [(step_times, group, key, name, settings) for key in keys]
        )
        for name, way in ways.items()
    }
    answers = sum(len(walk.answers) for walk in walks.values())
    waiting = (
        frozenset()
        if view.comparison.group.tp_count * answers <= AT_ONCE
        else _missing(group, keys[-1], made, settings)
    )
    times = {name: [] if name in waiting else make(lambda: True) for name, make in made.items()}
    last = max((len(walk.answers) for walk in walks.values()), default=0)
    return StepTimes([_of_step(number, times, waiting) for number in range(last)], waiting)


def _of_step(
    number: int, times: Mapping[str, Sequence[StepDrain | None]], waiting: frozenset[str]
) -> dict[str, StepDrain]:
    drains = {name: of_steps[number] for name, of_steps in times.items() if number < len(of_steps)}
    return {name: time for name, time in drains.items() if time is not None} | dict.fromkeys(
        waiting, COMING
    )


def _missing(
    group: OpenGroup, digest: str, made: Mapping[str, Callable], settings: str
) -> frozenset[str]:
    keys = {(step_times, group, digest, name, settings): name for name in made}
    return frozenset(
        keys[key]
        for key in cache.missing({key: made[name] for key, name in keys.items()}, patience=0.1)
    )


def _times(
    group: OpenGroup, view: View, way: _Way, keys: Sequence[tuple], is_wanted: Callable[[], bool]
) -> list[StepDrain | None]:
    """Return the drain times of one assignor after each step. The last drain times are missing if
    `is_wanted` returns False before the end. Empty if fewer than two snapshots contain the group.
    """
    history = speeds(group)
    if history is None:
        return []
    drains, times = StepDrains(view.observed, *history), []
    for number, key in enumerate(keys[: len(way.walk.answers)]):
        if not is_wanted():
            break
        # In a tuple, because the cache cannot store None.
        times.append(ALL.get(key, partial(_time, view, drains, way, number))[0])
    return times


def _time(view: View, drains: StepDrains, way: _Way, number: int) -> tuple[StepDrain | None]:
    if not number:
        return (drains.of(view.observed.snapshot, way.listed, {}) if way.listed else None,)
    answers = way.walk.answers[: number + 1]
    return (drains.of_answer(answers[number], former_ids(answers)),)


_SLOTS = (WINDOW, 2 * WINDOW, 4 * WINDOW)


class Stretch(NamedTuple):
    """The last part of a group's history. `seconds`: its length. `in_rate`: records/s that arrive
    in all partitions. `capacity`: records/s that the fastest member reads, None if unknown.
    """

    seconds: float
    in_rate: float
    capacity: float | None


def stretches(group: OpenGroup) -> list[Stretch]:
    """Return the parts of the group's history from which an edit can take its rates. Empty if there
    is no history or the history cannot be read.
    """
    with suppress(SnapshotError):
        history = speeds(group)
        return [] if history is None else _stretches(group, history.series)
    return []


def with_history(
    group: OpenGroup, before: Sequence[StepAnswer], start: ObservedGroup, edit: Advance
) -> Advance:
    """Return an edit with its missing rates taken from the history. `start`: the group at the start
    of the edit's step. `before`: the answers to the earlier steps.

    Raises
    ------
    SnapshotError
        If the history does not have a needed rate.
    """
    history = speeds(group) if edit.lacks_rates else None
    if history is None:
        return edit
    return measured(
        edit, begun(group).own.observed.snapshot, start.snapshot, history.series, former_ids(before)
    )


def _stretches(group: OpenGroup, series: Series) -> list[Stretch]:
    """Return the last slots of the history as stretches, one for each length in `_SLOTS`. If the
    history is shorter than every length, return the whole history.
    """
    snapshot, length = begun(group).own.observed.snapshot, int(series.slot[-1] - series.slot[0]) + 1
    made, fastest = [], _fastest(snapshot, series)
    for number in [slots for slots in _SLOTS if slots <= length] or [length]:
        seconds = (number - 1) * slot_seconds(series)
        with suppress(SnapshotError):
            rates = chain.from_iterable(in_rates(snapshot, series, seconds).values())
            arriving = sum(rate for rate in rates if rate is not None)
            made.append(Stretch(seconds, arriving, fastest))
    return made


def _fastest(snapshot: GroupSnapshot, series: Series) -> float | None:
    with suppress(SnapshotError):
        return max(capacities(snapshot, series, {}).values())
    return None
