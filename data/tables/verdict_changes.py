"""Rows of whole groups become the changes of their verdicts: one row of GROUP_VERDICT or MEMBER_VERDICT for each."""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.history.series import Series
from evenkeel.assignors.history.verdicts import breaks, lasting, verdicts
from evenkeel.data.tables import schemas
from evenkeel.data.tables.series import Axis, series_of
from evenkeel.data.tables.verdicts import (
    ManyGroups,
    VerdictTables,
    many_groups,
    named_by_group,
    reduced,
    slots_of_groups,
    split_name,
    times,
    verdict_names,
    verdicts_of_groups,
    verdicts_of_members,
)


class Told(NamedTuple):
    """Of which slots changes are told, rows of the axis. `is_begin`: nothing was told before, so the first has a row for every group."""

    slots: slice
    is_begin: bool


class _Changes(NamedTuple):
    """Slot and group, or member, of each change, int64 (N,), and the verdict before it, -1 where unknown."""

    slot: np.ndarray
    key: np.ndarray
    before: np.ndarray


def verdict_changes(offsets: pa.Table, members: pa.Table, axis: Axis, cluster: str | None, told: Told) -> VerdictTables:
    """OFFSETS, MEMBERS with `batch` -> GROUP_VERDICT, MEMBER_VERDICT of the slots at which a lasting verdict is another one.

    The slots after those told decide whether SLOW lasts.
    """
    series = series_of(named_by_group(offsets, ("topic", "member_id")), named_by_group(members, ("member_id",)), axis)
    groups, found = many_groups(series), verdicts(series)
    is_there = slots_of_groups(series, groups)
    of_groups = verdicts_of_groups(series, found, groups, is_there)
    of_members = verdicts_of_members(series, found.verdict)
    has_member = series.is_member & is_there[:, groups.of_member]
    return VerdictTables(
        _table(schemas.GROUP_VERDICT, axis, cluster, of_groups, is_there, told, lambda one: _of_groups(series, groups, one)),
        _table(schemas.MEMBER_VERDICT, axis, cluster, of_members, has_member, told, lambda one: _of_members(series, groups, one)),
    )


def _table(schema: pa.Schema, axis: Axis, cluster: str | None, verdict: np.ndarray, is_there: np.ndarray, told: Told, figures) -> pa.Table:
    lasts = lasting(_held(verdict, is_there))
    found = _changes(lasts, is_there, told)
    at = (found.slot, found.key)
    columns = {
        "taken_at": times(axis.time[found.slot]),
        "cluster": pa.array([cluster] * found.slot.size, pa.string()),
        "verdict": verdict_names(verdict[at]),
        "lasting_verdict": verdict_names(lasts[at]),
        "verdict_since": times(axis.time[found.slot]),
        "verdict_is_older": pa.array(told.is_begin & (found.slot == told.slots.start)),
        "verdict_before": pc.if_else(pa.array(found.before >= 0), verdict_names(np.maximum(found.before, 0)), None),
    } | figures(found)
    return pa.table([columns.get(field.name, pa.nulls(found.slot.size, field.type)).cast(field.type) for field in schema], schema=schema)


def _held(verdict: np.ndarray, is_there: np.ndarray) -> np.ndarray:
    """Return verdicts with the last one held where a slot does not have the group or member."""
    last = np.maximum.accumulate(np.where(is_there, np.arange(verdict.shape[0])[:, None], 0), axis=0)
    return np.take_along_axis(verdict, last, axis=0)


def _changes(lasts: np.ndarray, is_there: np.ndarray, told: Told) -> _Changes:
    """Return where a verdict is another one than before, and where a group or member is seen for the first time."""
    was_seen = np.zeros(is_there.shape, dtype=bool)
    if told.is_begin:
        is_there = is_there & (np.arange(is_there.shape[0]) >= told.slots.start)[:, None]
    was_seen[1:] = ~breaks(is_there)[:-1]
    before = np.concatenate([lasts[:1], lasts[:-1]])
    is_told = is_there & (~was_seen | (lasts != before))
    slot, key = np.nonzero(is_told[told.slots])
    slot = slot + told.slots.start
    return _Changes(slot, key, np.where(was_seen[slot, key], before[slot, key], -1))


def _of_groups(series: Series, groups: ManyGroups, found: _Changes) -> dict[str, Any]:
    """Return what the slot of each change says of the group."""
    rows, place = np.unique(found.slot, return_inverse=True)
    count, at = len(groups.group_id), (place, found.key)
    is_listed, lag = series.is_listed[rows], series.lag[rows]
    is_known = lag != UNKNOWN_LAG
    sums = [reduced(np.add, column, groups.of_tp, count, 0)[at] for column in (is_listed.astype(np.int64), np.where(is_known, lag, 0))]
    unknown = reduced(np.add, (is_listed & ~is_known).astype(np.int64), groups.of_tp, count, 0)[at]
    return {
        "group_id": pa.array([groups.group_id[group] for group in found.key.tolist()], pa.string()),
        "partition_count": pa.array(sums[0]),
        "lag": pa.array(sums[1], mask=unknown == sums[0]),
        "unknown_lag_count": pa.array(unknown),
    }


def _of_members(series: Series, groups: ManyGroups, found: _Changes) -> dict[str, Any]:
    count = len(series.member_id)
    rows, place = np.unique(found.slot, return_inverse=True)
    slot, tp = np.nonzero(series.owner[rows] != UNASSIGNED)
    lag = series.lag[rows][slot, tp]
    key, is_known = slot * count + series.owner[rows][slot, tp], lag != UNKNOWN_LAG
    at, size = place * count + found.key, rows.size * count
    partitions, unknown = np.bincount(key, minlength=size)[at], np.bincount(key[~is_known], minlength=size)[at]
    total = np.zeros(size, dtype=np.int64)
    # Not bincount with weights: it adds floats, which lose records beyond 2 ** 53.
    np.add.at(total, key[is_known], lag[is_known])
    return {
        "group_id": pa.array([groups.group_id[group] for group in groups.of_member[found.key].tolist()], pa.string()),
        "member_id": pa.array([split_name(series.member_id[member])[1] for member in found.key.tolist()], pa.string()),
        "partition_count": pa.array(partitions),
        "lag": pa.array(total[at], mask=unknown == partitions),
        "unknown_lag_count": pa.array(unknown),
    }
