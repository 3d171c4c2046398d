"""How long an open group takes to drain under each answer, with rates and capacities of its last snapshots."""

from functools import partial

import numpy as np

from assignors.history.speed.draws import draws
from dashboard.loading.cache.cache import ALL
from dashboard.loading.clusters import cluster_of
from dashboard.loading.plugins import plugin_settings
from dashboard.view import View
from data.configuration import configuration
from data.lake.history.history import history_in
from data.lake.history.instants import Instants, instants
from data.lake.history.recent import SLOTS, last_of
from data.scenarios.drains import Drains, GroupDrain

SECONDS = 15
"""A younger list of snapshots serves again."""

MOST_PARTITIONS = 10_000
"""200 draws of the rates of more are too many for a page."""


def drain_times(view: View) -> dict[str, GroupDrain] | None:
    """Return the band of each row that has an answer, by name; None where no collector has two snapshots of the group.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    opened = view.opened
    cluster = cluster_of(opened) if opened and opened.batch else None
    if cluster is None or view.comparison.group.tp_count > MOST_PARTITIONS:
        return None
    lake = configuration().lake
    found: Instants = ALL.get((drain_times, lake, cluster), lambda: last_of(instants(lake, cluster), SLOTS), SECONDS)
    if len(found.batches) < 2:
        return None
    key = (drain_times, opened, found.batches[-1].batch, view.waiting, plugin_settings())
    return ALL.get(key, partial(_drain_times, view, cluster, found)) or None


def _drain_times(view: View, cluster: str, found: Instants) -> dict[str, GroupDrain]:
    series = history_in(configuration().lake, view.opened.group_id, found, cluster).series
    if np.count_nonzero(series.is_listed.any(axis=1)) < 2:
        return {}
    # The same history gives the same bands.
    drains = Drains(view.comparison.group, series, draws(series, np.random.default_rng(0)))
    return drains.of_all((row.name, row.assignment) for row in view.comparison.rows)
