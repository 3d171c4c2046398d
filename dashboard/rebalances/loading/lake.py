"""Rebalances in the lake, and the growth of a generation between readings."""

from typing import NamedTuple

import pyarrow as pa

from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.dashboard.rebalances.loading.logs import Groups
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.episodes import cluster_slots
from evenkeel.dashboard.shell.loading.example import is_example, lake_of
from evenkeel.dashboard.shell.loading.readings import readings
from evenkeel.dashboard.shell.loading.views import begun
from evenkeel.dashboard.shell.reader import EVERYBODY, reader
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data import clock
from evenkeel.data.lake.history.instants import between
from evenkeel.data.lake.history.recent import last_of
from evenkeel.data.rebalances.store import (
    Recent,
    recent_of_lake,
)

HOURS_MS = 24 * 3_600_000
HOUR_MS = 3_600_000
_LAKE_SECONDS = 60
_MOST_CELLS = 2_000_000
"""Highest number of cells (readings times partitions) that are read to see whether a group
rebalanced.
"""


class GenerationGrowth(NamedTuple):
    """Number of rebalances of a group, computed from the generation in its readings.

    `since`, `until`: first and last reading. `rebalances`: growth of the generation, None if
    unknown. `last`: time of the last growth.
    """

    readings: int
    since: float
    until: float
    rebalances: int | None
    last: float | None


def seen_between_readings(group: OpenGroup) -> GenerationGrowth | None:
    """Return the growth of an open group's generation in the last day.

    None if there are fewer than two readings.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    if not group.batch or group.group_id is None:
        return None
    read = readings(group, has_past=False)
    time = read.found.axis.time
    if time.size < 2:
        return None
    day = between(read.found, time[-1] - HOURS_MS / 1000, float(time[-1]))
    tps = begun(group).own.observed.snapshot.tp_count
    day = last_of(day, max(_MOST_CELLS // max(tps, 1), 2))
    key = (seen_between_readings, read.lake, group.group_id, float(time[-1]))
    return ALL.get(key, lambda: _seen(read.history(group.group_id or "", day).series))


def _seen(series: Series) -> GenerationGrowth | None:
    series = series.at(series.is_there)
    if series.slot_count < 2:
        return None
    since, until, growth = float(series.time[0]), float(series.time[-1]), series.growth
    if (series.generation == UNKNOWN).all():
        return GenerationGrowth(series.slot_count, since, until, None, None)
    count = sum(number for _, number in growth)
    return GenerationGrowth(
        series.slot_count, since, until, count, growth[-1][0] if growth else None
    )


def recent_rebalances(cluster: str | None = None, now: float | None = None) -> list[Recent]:
    """Return the last hour's rebalances in the lake, for each group that the reader may see.

    `cluster`: its lake is read, with all clusters in it. The list is cached for a minute.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    lake = lake_of(cluster)
    since = round((clock.seconds() if now is None else now) * 1000) - HOUR_MS
    cached, who = (
        ALL.get((recent_rebalances, lake), lambda: recent_of_lake(lake, since), _LAKE_SECONDS),
        reader(),
    )
    return (
        cached
        if who is EVERYBODY
        else [event for event in cached if who.sees(event.cluster, event.group)]
    )


def groups_in_lake(cluster: str) -> Groups:
    """Return the groups of a cluster that have rebalances in the lake.

    The group with the most rebalances in the last hour is first.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    # In the example, now is the moment of the last slot.
    now = float(cluster_slots(cluster).axis.time[-1]) if is_example(cluster) else None
    listed = [event for event in recent_rebalances(cluster, now) if event.cluster == cluster]
    listed.sort(key=lambda row: (-row.count, row.group))
    return Groups(
        tuple(event.group for event in listed),
        tuple(event.count for event in listed),
        not reader().sees_all(cluster),
    )


def with_rebalances(cluster: str, groups: pa.Table) -> pa.Table:
    """Add the number and the cause of the last hour's rebalances to a table of groups.

    If the lake has no rebalances of the cluster, the table is unchanged.
    """
    # In the example, now is the moment of the last slot.
    now = groups["taken_at"][0].as_py().timestamp() if is_example(cluster) else None
    event_of = {
        event.group: event for event in recent_rebalances(cluster, now) if event.cluster == cluster
    }
    if not event_of:
        return groups
    mine = [event_of.get(name) for name in groups["group_id"].to_pylist()]
    counts, kinds_told = (
        [event and getattr(event, column) for event in mine] for column in ("count", "kind")
    )
    added = groups.append_column("rebalances_hour", pa.array(counts, "int64"))
    return added.append_column("rebalances_kind", pa.array(kinds_told, "string"))
