"""The start of a verdict that is older than the given snapshots, from the stored changes of
verdicts. This module also stores the changes.
"""

from bisect import bisect_right
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.timeline.now import Now
from evenkeel.assignors.timeline.verdicts import OBSERVATIONS, VERDICTS, breaks, lasting, verdicts
from evenkeel.data.group.tables import history_schemas
from evenkeel.data.group.tables.many_groups import (
    ManyGroups,
    many_groups,
    named_by_group,
    reduced,
    slots_of_groups,
    split_name,
    verdicts_of_groups,
    verdicts_of_members,
)
from evenkeel.data.group.tables.series import Axis, series_of
from evenkeel.data.group.tables.verdicts import VerdictTables, times, verdict_names
from evenkeel.data.lake.history.change_store import TABLES, Link, append, last_changes
from evenkeel.data.lake.history.instants import Instants, instants
from evenkeel.data.lake.history.recent import rows_by_groups
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import slug_of, time_of


class Since(NamedTuple):
    """Start of a verdict, and whether the verdict may have started earlier."""

    at: datetime
    is_older: bool


def verdict_since(
    lake: Place, cluster: str | None, group_id: str, now: Now, snapshots: Instants
) -> Since:
    """Return the start of a group's lasting verdict. The start is from `now`; if the verdict may
    have started before `snapshots`, from the stored changes.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    since = Since(datetime.fromtimestamp(now.series.time[now.lasting_since], UTC), now.may_be_older)
    if not since.is_older:
        return since
    return older_since(lake, cluster, group_id, VERDICTS[now.lasting_verdict], snapshots) or since


def with_older_since(
    lake: Place, cluster: str | None, groups: pa.Table, snapshots: Instants
) -> pa.Table:
    """GROUP_VERDICT -> GROUP_VERDICT. Sets `verdict_since` from the stored changes if the verdict
    of a group may have started before `snapshots`.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    is_cut = groups["verdict_is_older"]
    last = _stored(lake, cluster, snapshots) if pc.any(is_cut).as_py() else None
    if last is None:
        return groups
    place = pc.index_in(groups["group_id"], last["group_id"])
    is_same = pc.fill_null(
        pc.equal(last["lasting_verdict_last"].take(place), groups["lasting_verdict"]), False
    )
    is_known = pc.and_(is_cut, is_same)
    columns = {"verdict_since": "taken_at_last", "verdict_is_older": "verdict_is_older_last"}
    for name, column in columns.items():
        known = pc.if_else(is_known, last[column].take(place), groups[name])
        groups = groups.set_column(
            groups.column_names.index(name), groups.schema.field(name), known
        )
    return groups


def older_since(
    lake: Place, cluster: str | None, group_id: str, verdict: str, snapshots: Instants
) -> Since | None:
    """Return the start of `verdict` from the group's latest stored change. None if the stored
    changes end before `snapshots`, or if the new verdict of this change is not `verdict`.
    """
    last = _stored(lake, cluster, snapshots)
    rows = last.filter(pc.equal(last["group_id"], group_id)).to_pylist() if last else []
    return (
        Since(rows[0]["taken_at_last"], rows[0]["verdict_is_older_last"])
        if rows and rows[0]["lasting_verdict_last"] == verdict
        else None
    )


def _stored(lake: Place, cluster: str | None, snapshots: Instants) -> pa.Table | None:
    """Return the latest stored change of each group. None if the stored changes end before
    `snapshots`.

    A group is left out if its latest change is after `snapshots`.
    """
    links = (
        last_changes(lake, "GROUP_VERDICT", slug_of(cluster))
        if cluster and snapshots.batches
        else []
    )
    if not links or links[-1].until < time_of(snapshots.batches[0].batch):
        return None
    rows = pa.concat_tables(link.rows for link in links).sort_by("taken_at_last")
    last = rows.group_by("group_id", use_threads=False).aggregate(
        [(name, "last") for name in rows.column_names if name != "group_id"]
    )
    last = last.rename_columns([name.replace("_last_last", "_last") for name in last.column_names])
    return last.filter(pc.less_equal(last["taken_at_last"], times(snapshots.axis.time[-1:])[0]))


# Each change of a cluster's verdicts is stored once. Several snapshots are judged at a time.


SLOTS = 20
"""Number of snapshots that are judged together. If there are fewer new snapshots, they are judged
later.
"""

BEFORE = 20
"""Snapshots before the judged snapshots: ten observations for the first verdict, and ten in which a
lasting verdict may have started.
"""

AFTER = OBSERVATIONS - 1
"""Snapshots after the judged snapshots. They decide whether SLOW lasts."""

_CELLS = 400_000
"""Partitions times slots that are judged together. A larger number is not faster, and takes memory
that the collector needs.
"""

FIRST = timedelta(hours=24)
"""If a cluster has no stored changes, changes are stored from 24 hours before its latest
snapshot on.
"""


def follow_verdicts(lake: Place, cluster: str, pause: Callable[[], None] = lambda: None) -> int:
    """Store the changes of verdicts. The latest `AFTER` snapshots are left out, because later
    snapshots may change their verdicts. Return the number of snapshots whose changes were stored.
    After each part of the work, `pause` is called.

    Raises
    ------
    SnapshotError
        If the lake cannot be read or written.
    """
    count = 0
    while slot_count := _follow_some(lake, cluster):
        count += slot_count
        pause()
    return count


def _follow_some(lake: Place, cluster: str) -> int:
    ends = {name: _end(lake, name, cluster) for name in TABLES}
    # A killed process may have stored changes of groups without the changes of members.
    after = None if None in ends.values() else min(ends.values())
    snapshots = instants(lake, cluster)
    times = [time for manifest in snapshots.batches if (time := time_of(manifest.batch))]
    first = bisect_right(times, after or (times[-1] - FIRST if times else datetime.min))
    last = min(first + SLOTS, len(times) - AFTER)
    if last - first < (SLOTS if after else 1):
        return 0
    tables = _changes(lake, cluster, snapshots, slice(first, last), after is None)
    for name, table in zip(TABLES, tables, strict=True):
        if ends[name] == after:
            append(lake, name, cluster, after, Link(times[first], times[last - 1], table))
    return last - first


def _end(lake: Place, name: str, cluster: str) -> datetime | None:
    links = last_changes(lake, name, slug_of(cluster))
    return links[-1].until if links else None


def _changes(
    lake: Place, cluster: str, snapshots: Instants, slots: slice, is_begin: bool
) -> VerdictTables:
    begin = max(slots.start - BEFORE, 0)
    part = slice(begin, slots.stop + AFTER)
    axis = snapshots.axis
    some = Instants(
        snapshots.batches[part], Axis(axis.batch[part], axis.slot[part], axis.time[part])
    )
    span = ChangeSlots(slice(slots.start - begin, slots.stop - begin), is_begin)
    made = [
        verdict_changes(*rows, some.axis, cluster, span)
        for rows in rows_by_groups(lake, some, (), _CELLS)
    ]
    none = (history_schemas.HISTORY[name].empty_table() for name in TABLES)
    return VerdictTables(*(pa.concat_tables(tables) for tables in zip(none, *made, strict=True)))


# Changes of verdicts from rows of whole groups: one row of GROUP_VERDICT or MEMBER_VERDICT for each
# change.


class ChangeSlots(NamedTuple):
    """Slots whose changes are stored, as positions on the time axis. `is_begin`: no earlier changes
    are stored, so the first slot has a row for every group.
    """

    slots: slice
    is_begin: bool


class _Changes(NamedTuple):
    """Changes of verdicts. `slot`: position on the time axis, int64 (N,). `key`: row number of the
    group or member, int64 (N,). `before`: previous verdict, -1 if unknown.
    """

    slot: np.ndarray
    key: np.ndarray
    before: np.ndarray


def verdict_changes(
    offsets: pa.Table, members: pa.Table, axis: Axis, cluster: str | None, span: ChangeSlots
) -> VerdictTables:
    """OFFSETS, MEMBERS with `batch` -> GROUP_VERDICT, MEMBER_VERDICT. Each row is a change of a
    lasting verdict in a slot of `span`.

    Slots after `span` are read too, because they decide whether SLOW lasts.
    """
    series = series_of(
        named_by_group(offsets, ("topic", "member_id")),
        named_by_group(members, ("member_id",)),
        axis,
    )
    groups, verdicts_by_slot = many_groups(series), verdicts(series)
    is_there = slots_of_groups(series, groups)
    of_groups = verdicts_of_groups(series, verdicts_by_slot, groups, is_there)
    of_members = verdicts_of_members(series, verdicts_by_slot.verdict)
    has_member = series.is_member & is_there[:, groups.of_member]
    return VerdictTables(
        _table(
            history_schemas.GROUP_VERDICT,
            axis,
            cluster,
            of_groups,
            is_there,
            span,
            lambda changes: _of_groups(series, groups, changes),
        ),
        _table(
            history_schemas.MEMBER_VERDICT,
            axis,
            cluster,
            of_members,
            has_member,
            span,
            lambda slots: _of_members(series, groups, slots),
        ),
    )


def _table(
    schema: pa.Schema,
    axis: Axis,
    cluster: str | None,
    verdict: np.ndarray,
    is_there: np.ndarray,
    span: ChangeSlots,
    figures,
) -> pa.Table:
    lasts = lasting(_held(verdict, is_there))
    changes = _rows_of_changes(lasts, is_there, span)
    at = (changes.slot, changes.key)
    columns = {
        "taken_at": times(axis.time[changes.slot]),
        "cluster": pa.array([cluster] * changes.slot.size, "string"),
        "verdict": verdict_names(verdict[at]),
        "lasting_verdict": verdict_names(lasts[at]),
        "verdict_since": times(axis.time[changes.slot]),
        "verdict_is_older": pa.array(span.is_begin & (changes.slot == span.slots.start)),
        "verdict_before": pc.if_else(
            pa.array(changes.before >= 0), verdict_names(np.maximum(changes.before, 0)), None
        ),
    } | figures(changes)
    return pa.table(
        [
            columns.get(field.name, pa.nulls(changes.slot.size, field.type)).cast(field.type)
            for field in schema
        ],
        schema=schema,
    )


def _held(verdict: np.ndarray, is_there: np.ndarray) -> np.ndarray:
    """Return the verdicts. If a group or member is missing in a slot, its previous verdict is
    repeated.
    """
    last = np.maximum.accumulate(
        np.where(is_there, np.arange(verdict.shape[0])[:, None], 0), axis=0
    )
    return np.take_along_axis(verdict, last, axis=0)


def _rows_of_changes(lasts: np.ndarray, is_there: np.ndarray, span: ChangeSlots) -> _Changes:
    """Return the changes of verdicts. The first slot of a group or member is a change too."""
    was_seen = np.zeros(is_there.shape, dtype=bool)
    if span.is_begin:
        is_there = is_there & (np.arange(is_there.shape[0]) >= span.slots.start)[:, None]
    was_seen[1:] = ~breaks(is_there)[:-1]
    before = np.concatenate([lasts[:1], lasts[:-1]])
    is_told = is_there & (~was_seen | (lasts != before))
    slot, key = np.nonzero(is_told[span.slots])
    slot = slot + span.slots.start
    return _Changes(slot, key, np.where(was_seen[slot, key], before[slot, key], -1))


def _of_groups(series: Series, groups: ManyGroups, changes: _Changes) -> dict[str, Any]:
    """Return the group, the number of partitions and the lags for each change, as columns of
    GROUP_VERDICT.
    """
    rows, place = np.unique(changes.slot, return_inverse=True)
    count, at = len(groups.group_id), (place, changes.key)
    is_listed, lag = series.is_listed[rows], series.lag[rows]
    is_known = lag != UNKNOWN_LAG
    sums = [
        reduced(np.add, column, groups.of_tp, count, 0)[at]
        for column in (is_listed.astype(np.int64), np.where(is_known, lag, 0))
    ]
    unknown = reduced(np.add, (is_listed & ~is_known).astype(np.int64), groups.of_tp, count, 0)[at]
    return {
        "group_id": pa.array([groups.group_id[group] for group in changes.key.tolist()], "string"),
        "partition_count": pa.array(sums[0]),
        "lag": pa.array(sums[1], mask=unknown == sums[0]),
        "unknown_lag_count": pa.array(unknown),
    }


def _of_members(series: Series, groups: ManyGroups, changes: _Changes) -> dict[str, Any]:
    count = len(series.member_id)
    rows, place = np.unique(changes.slot, return_inverse=True)
    slot, tp = np.nonzero(series.owner[rows] != UNASSIGNED)
    lag = series.lag[rows][slot, tp]
    key, is_known = slot * count + series.owner[rows][slot, tp], lag != UNKNOWN_LAG
    at, size = place * count + changes.key, rows.size * count
    partitions, unknown = (
        np.bincount(key, minlength=size)[at],
        np.bincount(key[~is_known], minlength=size)[at],
    )
    total = np.zeros(size, dtype=np.int64)
    # Not bincount with weights: it adds floats, which lose records beyond 2 ** 53.
    np.add.at(total, key[is_known], lag[is_known])
    return {
        "group_id": pa.array(
            [groups.group_id[group] for group in groups.of_member[changes.key].tolist()],
            "string",
        ),
        "member_id": pa.array(
            [split_name(series.member_id[member])[1] for member in changes.key.tolist()],
            "string",
        ),
        "partition_count": pa.array(partitions),
        "lag": pa.array(total[at], mask=unknown == partitions),
        "unknown_lag_count": pa.array(unknown),
    }
