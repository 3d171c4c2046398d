"""Rows of whole groups become verdicts of groups and members: many groups at once, as one series."""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from assignors.assignment import UNASSIGNED
from assignors.drain.band import Band, band
from assignors.drain.drain import NEVER, drain
from assignors.group.lag import UNKNOWN_LAG
from assignors.history.changes.verdicts import OK, VERDICTS
from assignors.history.now import Now, now
from assignors.history.speed.draws import draws
from assignors.history.speed.time_lag import METHODS, UNKNOWN_SECONDS
from data.tables import history_schemas
from data.tables.field_lists import TIME
from data.tables.transforms.history.axis import Axis
from data.tables.transforms.history.group_names import named_by_group, split_name
from data.tables.transforms.history.series import series_of


class VerdictTables(NamedTuple):
    """GROUP_VERDICT and MEMBER_VERDICT."""

    groups: pa.Table
    members: pa.Table


class _Rows(NamedTuple):
    """Groups (G,) and which of them each partition and each member is of."""

    group_id: list[str]
    of_tp: np.ndarray
    of_member: np.ndarray


def verdict_tables(offsets: pa.Table, members: pa.Table, axis: Axis, cluster: str | None) -> VerdictTables:
    """OFFSETS, MEMBERS with `batch` -> GROUP_VERDICT, MEMBER_VERDICT of the last slot."""
    series = series_of(named_by_group(offsets, ("topic", "member_id")), named_by_group(members, ("member_id",)), axis)
    rows = _rows(series.topic_name, series.topic, series.member_id)
    found = now(series, group_of_member=rows.of_member)
    # The same rows give the same bands.
    drawn = draws(series, np.random.default_rng(0), group_of_member=rows.of_member)
    seconds = drain(found.lag, drawn.in_rate, found.owner, drawn.capacity).by_member
    head = {"taken_at": _times(axis.time[-1:]), "cluster": [cluster]}
    return VerdictTables(
        _table(history_schemas.GROUP_VERDICT, head, _of_groups(found, rows, seconds)),
        _table(history_schemas.MEMBER_VERDICT, head, _of_members(found, rows, seconds)),
    )


def _rows(topic_name: tuple[str, ...], topic: np.ndarray, member_id: tuple[str, ...]) -> _Rows:
    place: dict[str, int] = {}
    of_topic = np.array([place.setdefault(split_name(name)[0], len(place)) for name in topic_name], dtype=np.int64)
    of_member = np.array([place.setdefault(split_name(name)[0], len(place)) for name in member_id], dtype=np.int64)
    return _Rows(list(place), of_topic[topic], of_member)


def _of_groups(found: Now, rows: _Rows, seconds: np.ndarray) -> dict[str, Any]:
    series, count = found.series, len(rows.group_id)
    is_listed, has_lag = series.is_listed[-1], series.lag != UNKNOWN_LAG
    verdict = _reduced(np.maximum, found.verdicts.verdict, rows.of_tp, count, OK)
    is_other = verdict != verdict[-1]
    since = np.where(is_other.any(axis=0), series.slot_count - np.argmax(is_other[::-1], axis=0), 0)
    farthest = _farthest(found.seconds, rows.of_tp, count)
    lags = _reduced(np.add, np.where(has_lag, series.lag, 0), rows.of_tp, count, 0)
    lag_is_known = _reduced(np.logical_or, has_lag, rows.of_tp, count, False)
    unknown = {"unknown_lag_count": ~has_lag[-1], "unknown_seconds_count": found.seconds == UNKNOWN_SECONDS}
    return {
        "group_id": pa.array(rows.group_id),
        "since": _times(np.full(count, series.time[0])),
        "slot_count": pa.array(np.full(count, series.slot_count)),
        "verdict": pa.array([VERDICTS[one] for one in verdict[-1].tolist()]),
        "verdict_since": _times(series.time[since]),
        "partition_count": pa.array(np.bincount(rows.of_tp[is_listed], minlength=count)),
        "lag": pa.array(lags[-1], mask=~lag_is_known[-1]),
        **{name: pa.array(np.bincount(rows.of_tp[mask & is_listed], minlength=count)) for name, mask in unknown.items()},
        "lag_seconds": pa.array(found.seconds).take(farthest),
        "lag_seconds_method": pa.array(METHODS, pa.string()).take(pa.array(found.method, pa.int64()).take(farthest)),
        "in_rate": _sums(found.in_rate, rows.of_tp, count),
        "out_rate": _sums(found.out_rate, rows.of_tp, count),
        "lags": _lists(lags, lag_is_known),
    } | _drains(band(_of_members_together(found, rows, seconds)))


def _of_members_together(found: Now, rows: _Rows, seconds: np.ndarray) -> np.ndarray:
    """Return how long each group takes in each draw (B, G): as long as its slowest member."""
    count = len(rows.group_id)
    # One that never ends decides, also where another is unknown.
    worst = _reduced(np.maximum, np.where(np.isnan(seconds), 0.0, seconds), rows.of_member, count, 0.0)
    is_unknown = _reduced(np.logical_or, np.isnan(seconds), rows.of_member, count, False)
    alone = (found.owner == UNASSIGNED) & ((found.lag > 0) | (np.nan_to_num(found.in_rate) > 0))
    is_alone = np.bincount(rows.of_tp[alone], minlength=count) > 0
    return np.where((worst == NEVER) | is_alone, NEVER, np.where(is_unknown, np.nan, worst))


def _reduced(ufunc: np.ufunc, values: np.ndarray, key: np.ndarray, count: int, empty: Any) -> np.ndarray:
    """Reduce the last axis by key; `empty` for keys that do not occur."""
    order = np.argsort(key, kind="stable")
    in_order = key[order]
    present, starts = np.unique(in_order, return_index=True)
    result = np.full((*values.shape[:-1], count), empty, dtype=values.dtype)
    if present.size:
        result[..., present] = ufunc.reduceat(values if (order[1:] > order[:-1]).all() else values[..., order], starts, axis=-1)
    return result


def _farthest(seconds: np.ndarray, key: np.ndarray, count: int) -> pa.Array:
    """Return which partition of each key has the largest time lag, null where none is known."""
    if not seconds.size:
        return pa.nulls(count, pa.int64())
    order = np.lexsort((seconds, key))
    place = order[np.searchsorted(key[order], np.arange(count), side="right") - 1]
    return pa.array(place, mask=(key[place] != np.arange(count)) | (seconds[place] == UNKNOWN_SECONDS))


def _lists(values: np.ndarray, known: np.ndarray) -> pa.ListArray:
    """Return a list for each column (S, G), null where unknown."""
    flat = pa.array(values.T.ravel(), mask=~known.T.ravel())
    return pa.ListArray.from_arrays(np.arange(values.shape[1] + 1, dtype=np.int32) * values.shape[0], flat)


def _of_members(found: Now, rows: _Rows, seconds: np.ndarray) -> dict[str, Any]:
    count = len(found.series.member_id)
    owned = np.flatnonzero(found.owner != UNASSIGNED)
    owner, lag = found.owner[owned], found.lag[owned]
    verdict = np.full(count, OK, dtype=np.int8)
    np.maximum.at(verdict, owner, found.verdict[owned])
    known = lag != UNKNOWN_LAG
    total = np.zeros(count, dtype=np.int64)
    np.add.at(total, owner[known], lag[known])
    partition_count, unknown_count = np.bincount(owner, minlength=count), np.bincount(owner[~known], minlength=count)
    columns = {
        "group_id": np.array(rows.group_id, dtype=object)[rows.of_member],
        "member_id": np.array([split_name(name)[1] for name in found.series.member_id], dtype=object),
        "verdict": np.array(VERDICTS, dtype=object)[verdict],
        "partition_count": partition_count,
        "lag": pa.array(total, mask=unknown_count == partition_count),
        "unknown_lag_count": unknown_count,
        "in_rate": _sums(found.in_rate[owned], owner, count),
        "out_rate": _sums(found.out_rate[owned], owner, count),
        "capacity": _known(found.capacity.rate),
        "capacity_is_assumed": found.capacity.is_assumed,
    } | _drains(band(seconds))
    kept = pa.array(np.flatnonzero(partition_count > 0))
    return {name: (column if isinstance(column, pa.Array) else pa.array(column)).take(kept) for name, column in columns.items()}


def _drains(found: Band) -> dict[str, pa.Array]:
    names = ("drain_low_seconds", "drain_seconds", "drain_high_seconds")
    return {name: _known(end) for name, end in zip(names, found, strict=True)} | {"drain_is_never": pa.array(np.isinf(found.middle))}


def _sums(rate: np.ndarray, key: np.ndarray, count: int) -> pa.Array:
    """Sum known rates; null where none is known."""
    known = ~np.isnan(rate)
    sums = np.bincount(key[known], rate[known], minlength=count)
    return pa.array(sums, mask=np.bincount(key[known], minlength=count) == 0)


def _known(values: np.ndarray) -> pa.Array:
    return pa.array(values, mask=~np.isfinite(values))


def _times(seconds: np.ndarray) -> pa.Array:
    return pa.array(np.round(seconds * 1e6).astype(np.int64)).cast(TIME)


def _table(schema: pa.Schema, head: dict[str, Any], columns: dict[str, pa.Array]) -> pa.Table:
    count = len(columns["group_id"])
    given = {name: pa.array(value).take(pa.array([0] * count, pa.int64())) for name, value in head.items()} | columns
    return pa.table({field.name: given[field.name].cast(field.type) for field in schema}, schema=schema)
