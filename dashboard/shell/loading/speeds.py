"""Arrival and busy rates of a group, from its last snapshots."""

from functools import partial
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.series import Series
from evenkeel.assignors.timeline.draws import Draws, draws_of
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.readings import Readings, readings
from evenkeel.dashboard.shell.loading.views import begun
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.lake.history.instants import Instants, between
from evenkeel.data.lake.history.recent import SLOTS, last_of
from evenkeel.data.prometheus.owners import with_assumed_owners

MOST_PARTITIONS = 10_000
"""For a group with more partitions, 200 draws of the rates would take too long for a page."""


class Speeds(NamedTuple):
    """The last snapshots of a group, and 200 samples of its possible rates: arrival rates of the
    partitions and busy rates of the members.
    """

    series: Series
    drawn: Draws


def speeds(group: OpenGroup) -> Speeds | None:
    """Return the rates of an open group. None if it has fewer than two snapshots or too many
    partitions for a page.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    read, last = last_readings(group)
    if read is None or last is None or group.group_id is None:
        return None
    key = (speeds, group.batch, group.group_id, last.axis.time[0], last.axis.time[-1])
    own = begun(group).own.observed
    return ALL.get(key, partial(_speeds, read, group.group_id, last, own)) or None


def may_have_speeds(group: OpenGroup) -> bool:
    """Return whether `speeds` can have a result, decided without reading the group's history."""
    return last_readings(group)[1] is not None


def last_readings(group: OpenGroup) -> tuple[Readings | None, Instants | None]:
    """Return an open group's readings, and the last readings, from which `speeds` computes rates.
    Both are None if the group is too large or has no readings. The last readings are None if there
    is only one reading.
    """
    observed = begun(group).own.observed
    if (
        not group.batch
        or group.group_id is None
        or observed.taken_at is None
        or observed.snapshot.tp_count > MOST_PARTITIONS
    ):
        return None, None
    # Snapshots after the open snapshot are left out, so that its figures do not change while the
    # history grows.
    until = observed.taken_at.timestamp()
    read = readings(group, has_past=False)
    last = last_of(between(read.found, 0.0, until), SLOTS)
    if len(last.batches) < 2:
        # If the store's slots have no owners, the present owners are assumed.
        read = readings(group)
        last = last_of(between(read.found, 0.0, until), SLOTS)
    return read, last if len(last.batches) > 1 else None


def _speeds(
    read: Readings, group_id: str, slots: Instants, own: ObservedGroup
) -> Speeds | tuple[()]:
    series = with_assumed_owners(read.history(group_id, slots).by_lineage.series, own)
    if np.count_nonzero(series.is_listed.any(axis=1)) < 2:
        return ()
    # The same history gives the same draws.
    return Speeds(series, draws_of(series, np.random.default_rng(0)))
