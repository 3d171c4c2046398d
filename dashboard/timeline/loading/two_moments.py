"""Comparison of a group at two moments."""

from functools import partial
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG, total_lag
from evenkeel.assignors.group.series import Series
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.readings import Readings, readings
from evenkeel.dashboard.shell.loading.uploads import moments
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.lake.history import instants
from evenkeel.data.lake.history.instants import part_of


class TwoMoments(NamedTuple):
    """A comparison of a group at two readings. Each field is a pair: a value at the first and a
    value at the second reading. A lag is None if unknown. `batch`, `time`: batch and time of the
    readings.

    `unknown`: number of partitions with unknown lag; the lags do not include them. `members` and
    `idle` are None at a reading that does not have the group or its owners. `changed_count` is None
    if one of the readings does not have the group or its owners.
    """

    batch: tuple[str, ...]
    time: tuple[float, ...]
    lag: tuple[int | None, ...]
    unknown: tuple[int, ...]
    worst: tuple[int | None, ...]
    members: tuple[int | None, ...]
    idle: tuple[int | None, ...]
    changed_count: int | None
    partition_count: int


def two_moments(group: OpenGroup, first: float, second: float) -> TwoMoments | None:
    """Compare the group at two times, in seconds since 1970. At each time, the last reading up to
    this time is used. None if both times have the same reading.
    """
    read = readings(group)
    pair = read.found
    places = [
        max(int(np.searchsorted(pair.axis.time, time, side="right")) - 1, 0)
        for time in (first, second)
    ]
    if group.group_id is None or places[0] == places[1]:
        return None
    batch = tuple(pair.axis.batch[place] for place in places)
    key = (two_moments, read.lake, read.cluster, group.group_id, batch)
    return ALL.get(key, partial(_two_moments, group.group_id, read, places))


def moment_of(group: OpenGroup, batch: str) -> str | None:
    """Return the value for `OpenGroup.earlier` that selects a reading. None if the reading does not
    contain the group.
    """
    return batch if instants.parted(batch)[1] else next(iter(moments(group, [batch])), None)


def _two_moments(group_id: str, read: Readings, places: list[int]) -> TwoMoments:
    pair = part_of(read.found, np.array(places))
    series = read.history(group_id, pair).by_lineage.series
    rows = range(2)
    return TwoMoments(
        batch=pair.axis.batch,
        time=tuple(pair.axis.time.tolist()),
        lag=tuple(
            total_lag(series.lag[row][series.is_listed[row]])
            if series.is_listed[row].any()
            else None
            for row in rows
        ),
        unknown=tuple(
            int(np.count_nonzero(series.is_listed[row] & (series.lag[row] == UNKNOWN_LAG)))
            for row in rows
        ),
        worst=tuple(_worst(series, row) for row in rows),
        members=tuple(_members(series, row) for row in rows),
        idle=tuple(_idle(series, row) for row in rows),
        changed_count=_changed(series) if series.shows_owners.all() else None,
        partition_count=series.tp_count,
    )


def _members(series: Series, row: int) -> int | None:
    return int(np.count_nonzero(series.is_member[row])) if series.shows_owners[row] else None


def _idle(series: Series, row: int) -> int | None:
    members = _members(series, row)
    return None if members is None else members - np.setdiff1d(series.owner[row], [UNASSIGNED]).size


def _changed(series: Series) -> int:
    return int(
        np.count_nonzero(series.is_listed.all(axis=0) & (series.owner[0] != series.owner[1]))
    )


def _worst(series: Series, row: int) -> int | None:
    """Return the lag of the member with most lag. Partitions with unknown lag are left out."""
    known = (series.lag[row] != UNKNOWN_LAG) & (series.owner[row] != UNASSIGNED)
    sums = np.zeros(len(series.member_id), dtype=np.int64)
    np.add.at(sums, series.owner[row][known], series.lag[row][known])
    return int(sums.max()) if known.any() else None
