"""How long an open group takes to drain under each answer, with rates and capacities of its last snapshots."""

from functools import partial

import numpy as np

from assignors.history.speed.draws import draws
from dashboard.loading.cache.cache import ALL
from dashboard.loading.history.readings import Readings, readings
from dashboard.loading.plugins import plugin_settings
from dashboard.view import View
from data.lake.history.instants import Instants
from data.scenarios.drains import Drains, GroupDrain

MOST_PARTITIONS = 10_000
"""200 draws of the rates of more are too many for a page."""


def drain_times(view: View) -> dict[str, GroupDrain] | None:
    """Return the band of each row that has an answer, by name; None without two readings of the group.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    opened = view.opened
    if opened.batch is None or opened.group_id is None or view.comparison.group.tp_count > MOST_PARTITIONS:
        return None
    read = readings(opened)
    last = read.last()
    if len(last.batches) < 2:
        return None
    key = (drain_times, opened, last.axis.batch[-1], view.waiting, plugin_settings())
    return ALL.get(key, partial(_drain_times, view, read, last)) or None


def _drain_times(view: View, read: Readings, last: Instants) -> dict[str, GroupDrain]:
    series = read.history(view.opened.group_id, last).series
    if np.count_nonzero(series.is_listed.any(axis=1)) < 2:
        return {}
    # The same history gives the same bands.
    drains = Drains(view.comparison.group, series, draws(series, np.random.default_rng(0)))
    return drains.of_all((row.name, row.assignment) for row in view.comparison.rows)
