"""What the last snapshots of a group up to the one that is open say of its rates and capacities."""

from functools import partial
from typing import NamedTuple

import numpy as np

from assignors.history.series import Series
from assignors.history.speed.draws import Draws
from assignors.history.speed.few_readings import draws_of
from dashboard.loading.cache.cache import ALL
from dashboard.loading.history.readings import Readings, readings
from dashboard.loading.views import begun
from dashboard.view import Opened
from data.lake.history.instants import Instants, between
from data.lake.history.recent import SLOTS, last_of

MOST_PARTITIONS = 10_000
"""200 draws of the rates of more are too many for a page."""


class Speeds(NamedTuple):
    """The snapshots, and 200 draws of their rates in and of what members can read."""

    series: Series
    drawn: Draws


def speeds(group: Opened) -> Speeds | None:
    """Return the speeds of an open group; None without two snapshots, and of a group too large for a page.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    observed = begun(group).own.observed
    if group.batch is None or group.group_id is None or observed.taken_at is None or observed.snapshot.tp_count > MOST_PARTITIONS:
        return None
    read = readings(group)
    # Later snapshots say nothing of the one that is open: its figures stay as they are while the history grows.
    until = last_of(between(read.found, 0.0, observed.taken_at.timestamp()), SLOTS)
    if len(until.batches) < 2:
        return None
    key = (speeds, group.batch, group.group_id, until.axis.time[0], until.axis.time[-1])
    return ALL.get(key, partial(_speeds, read, group.group_id, until)) or None


def _speeds(read: Readings, group_id: str, found: Instants) -> Speeds | tuple[()]:
    series = read.history(group_id, found).series
    if np.count_nonzero(series.is_listed.any(axis=1)) < 2:
        return ()
    # The same history gives the same draws.
    return Speeds(series, draws_of(series, np.random.default_rng(0)))
