"""How long an open group takes to drain under each answer, with rates in and busy rates of its last snapshots."""

from functools import partial

import numpy as np

from evenkeel.assignors.history.series import Series
from evenkeel.assignors.history.verdicts import STALL, STOP, verdicts
from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.history.speeds import Speeds, speeds
from evenkeel.dashboard.loading.plugins import plugin_settings
from evenkeel.dashboard.view import View
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.drains import Drains, GroupDrain
from evenkeel.data.words.names import partition_name


def drain_times(view: View) -> dict[str, GroupDrain] | None:
    """Return the band of each row that has an answer, by name; None without two readings of the group.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    found = speeds(view.opened)
    if found is None:
        return None
    names = tuple(row.name for row in view.comparison.rows)
    key = (drain_times, view.opened, found.series.time[-1], names, view.waiting, plugin_settings())
    return ALL.get(key, partial(_drain_times, view, found))


def known_times(view: View) -> dict[str, GroupDrain]:
    """Return the same, empty without two readings and where the lake cannot be read."""
    try:
        return drain_times(view) or {}
    except SnapshotError:
        return {}


def stuck_partitions(view: View) -> tuple[str, ...]:
    """Return the partitions that stall or have stopped in the last snapshot, the most lag first; none without two readings of the group.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    found = speeds(view.opened)
    if found is None:
        return ()
    return ALL.get((stuck_partitions, view.opened, found.series.time[-1]), partial(_stuck, found.series))


def _stuck(series: Series) -> tuple[str, ...]:
    tps = np.flatnonzero(series.is_listed[-1] & np.isin(verdicts(series).verdict[-1], (STALL, STOP)))
    tps = tps[np.argsort(-series.lag[-1, tps], kind="stable")]
    return tuple(partition_name(series.topic_name[series.topic[tp]], int(series.partition[tp])) for tp in tps.tolist())


def _drain_times(view: View, found: Speeds) -> dict[str, GroupDrain]:
    return Drains(view.comparison.group, *found).of_all((row.name, row.assignment) for row in view.comparison.rows)
