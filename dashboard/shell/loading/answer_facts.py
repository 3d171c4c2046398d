"""Facts about each assignor's answer, the drain time of the lag under each answer, and the assignor
that pages select first.
"""

from functools import partial

import numpy as np

from evenkeel.assignors.compare.facts import Facts
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.kafka.release import NEWEST
from evenkeel.assignors.rounds.switch import Switch
from evenkeel.assignors.timeline.verdicts import STALL, verdicts
from evenkeel.dashboard.shell.cache import ALL, kept
from evenkeel.dashboard.shell.loading.diagnoses import diagnosis
from evenkeel.dashboard.shell.loading.plugins import plugin_settings
from evenkeel.dashboard.shell.loading.speeds import Speeds, speeds
from evenkeel.dashboard.shell.loading.views import begun
from evenkeel.dashboard.shell.reader import require_seen
from evenkeel.dashboard.view import OpenGroup, View
from evenkeel.data.compare.advice import advice_of, first_choice
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.drains import Drains, GroupDrain
from evenkeel.data.scenarios.leaders import client_of, facts_by_row, own_assignors, why_there
from evenkeel.data.text.steps import NOT_TOLD


def facts(opened: OpenGroup) -> dict[str, Facts]:
    """Return the facts about each answer of Evenkeel's own assignors, by assignor name.

    Raises
    ------
    SnapshotError
        If the batch is gone.
    """
    require_seen(opened)
    return _facts(opened, plugin_settings())


def switches(opened: OpenGroup) -> dict[str, Switch]:
    """Return the switch to each answer, by assignor name. Answers without simulated rounds are left
    out.
    """
    return {name: fact.switch for name, fact in facts(opened).items() if fact.switch}


@kept
def first_candidate(opened: OpenGroup, gain: float) -> str | None:
    """Return the assignor that the diagnosis recommends, else the assignor in use, else the
    assignor whose answer has the least lag. None if no assignor has an answer.
    """
    view = begun(opened).own
    advice = advice_of(diagnosis(opened, gain=gain).document())
    answers = {row.name: row for row in view.comparison.rows[1:]}
    return first_choice(advice.assignor, view.observed, opened.settings, answers)


@kept
def why_given(opened: OpenGroup, assignor: str, topic: str, number: int) -> tuple[str, ...]:
    """Return sentences that say why an assignor gives a partition to its owner. A plug-in has no
    sentences.

    Raises
    ------
    SnapshotError
        If the group has no such partition, or the batch is gone.
    AssignorError
        If the assignor raises it.
    """
    observed = begun(opened).own.observed
    made = own_assignors(observed, opened.settings).get(assignor)
    return (NOT_TOLD,) if made is None else why_there(observed, made, topic, number)


def leader(opened: OpenGroup) -> str:
    """Return the client of the group's leader. If the input does not name this client, return Java.

    Raises
    ------
    SnapshotError
        If the batch is gone.
    """
    require_seen(opened)
    return client_of(begun(opened._replace(client=None, kafka=NEWEST)).own.observed.leader)


@kept
def _facts(opened: OpenGroup, _settings: str) -> dict[str, Facts]:
    view = begun(opened)
    return (
        facts_by_row(view.own.observed, view.own.comparison.rows[1:], opened.settings)
        if view.facts is None
        else view.facts
    )


# An open group's drain time under each answer, from the arrival and busy rates of its last
# snapshots.


def drain_times(view: View) -> dict[str, GroupDrain] | None:
    """Return the drain times of each answer, by assignor name. None if the group has fewer than two
    readings.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    speed = speeds(view.opened)
    if speed is None:
        return None
    names = tuple(row.name for row in view.comparison.rows)
    key = (drain_times, view.opened, speed.series.time[-1], names, view.waiting, plugin_settings())
    return ALL.get(key, partial(_drain_times, view, speed))


def known_times(view: View) -> dict[str, GroupDrain]:
    """Return the drain times like `drain_times`. Empty if there are fewer than two readings, or if
    the lake cannot be read.
    """
    try:
        return drain_times(view) or {}
    except SnapshotError:
        return {}


def stuck_partitions(view: View) -> tuple[str, ...]:
    """Return the partitions that are stalled or stopped in the last snapshot, most lag first. Empty
    if the group has fewer than two readings.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    speed = speeds(view.opened)
    if speed is None:
        return ()
    return ALL.get(
        (stuck_partitions, view.opened, speed.series.time[-1]), partial(_stuck, speed.series)
    )


def _stuck(series: Series) -> tuple[str, ...]:
    tps = np.flatnonzero(series.is_listed[-1] & (verdicts(series).verdict[-1] >= STALL))
    tps = tps[np.argsort(-series.lag[-1, tps], kind="stable")]
    return tuple(map(series.tp_name, tps.tolist()))


def _drain_times(view: View, rates: Speeds) -> dict[str, GroupDrain]:
    return Drains(view.comparison.group, *rates).of_all(
        (row.name, row.assignment) for row in view.comparison.rows
    )
