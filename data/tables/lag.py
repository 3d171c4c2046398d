"""Both lags of each partition, as `assignors/group/lag.py` has them for arrays, and the lags of listed groups.

On Arrow tables, where the rows are: no lag needs another row, and a round trip to the JVM takes four times as long as the computation.
"""

import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.tables import schemas
from evenkeel.data.tables.repeats import unnamed_in

_NUMBER = pa.scalar(None, pa.int64())


def with_lag(offsets: pa.Table) -> pa.Table:
    """OFFSETS -> LAG, rows in the same order.

    Adds three columns. Source: KAFKA-5337.

    `lag`, for pages, in records: end_offset - max(committed_offset, begin_offset), never below 0. Without a commit: 0 if the group's
    `auto_offset_reset` is latest, all records if it is something else, null if it is unknown.

    `assignor_lag`, as the `lag` assignor reads it: end_offset - committed_offset, without the begin offset. An unknown
    `auto_offset_reset` counts as latest, an unknown begin offset as 0.

    `lag_flag`: `past end` where a lag below 0 became 0, `before begin` where the committed record is deleted.

    `listed_lag` replaces both lags where end or committed offset is missing.
    """
    begin, committed, end = (offsets[name] for name in ("begin_offset", "committed_offset", "end_offset"))
    listed = pc.if_else(pc.or_(end.is_null(), committed.is_null()), offsets["listed_lag"], _NUMBER)
    is_known = offsets["auto_offset_reset"].is_valid()
    # utf8_lower does not take a column of dictionaries.
    is_latest = pc.equal(pc.utf8_lower(offsets["auto_offset_reset"].cast(pa.string())), "latest").fill_null(False)
    before_begin = pc.less(committed, begin).fill_null(False)
    by_policy = pc.if_else(is_latest, end, pc.if_else(is_known, begin, _NUMBER))
    assignor_by_policy = pc.if_else(pc.and_not(is_known, is_latest), begin.fill_null(0), end)
    behind = _behind(listed, end, pc.coalesce(pc.if_else(before_begin, begin, committed), by_policy))
    assignor_behind = _behind(listed, end, pc.coalesce(committed, assignor_by_policy))
    past_end = pc.less(behind, 0).fill_null(False)
    flag = pc.if_else(past_end, "past end", pc.if_else(before_begin, "before begin", pa.scalar(None, pa.string())))
    columns = {name: offsets[name] for name in offsets.column_names}
    columns |= {
        "unnamed_in": unnamed_in(offsets),
        "lag": _not_negative(behind),
        "assignor_lag": _not_negative(assignor_behind),
        "lag_flag": flag,
    }
    return pa.table({name: columns[name] for name in schemas.LAG.names})


def _behind(listed: pa.ChunkedArray, end: pa.ChunkedArray, start: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.coalesce(listed, pc.subtract(end, start))


def _not_negative(lag: pa.ChunkedArray) -> pa.ChunkedArray:
    # Not pc.max_element_wise(lag, 0): it skips nulls and would report an unknown lag as 0.
    return pc.if_else(pc.less(lag, 0), 0, lag)


# Lags of listed groups: which are complete, which are 0, and how fast they change.


def lag_is_whole(groups: pa.Table) -> pa.ChunkedArray:
    """bool: rows of GROUPS or GROUP_LOAD whose lag covers all partitions: none is unknown, and nothing of the group is hidden."""
    is_known = pc.fill_null(pc.equal(groups["unknown_lag_count"], 0), False)
    return pc.and_(is_known, pc.is_null(groups["problem"])) if "problem" in groups.column_names else is_known


def lag_is_zero(groups: pa.Table) -> pa.ChunkedArray:
    """bool: rows whose lag is known to be 0."""
    return pc.and_(pc.fill_null(pc.equal(groups["lag"], 0), False), lag_is_whole(groups))


def with_lag_change(groups: pa.Table, before: pa.Table, seconds: float) -> pa.Table:
    """GROUPS, GROUPS read `seconds` before -> GROUPS with `lag_change`.

    Records a minute, null where a group was not there before or one of both lags is not whole.
    """
    now, was = (pc.if_else(lag_is_whole(one), one["lag"], None) for one in (groups, before))
    grown = pc.subtract(now, was.take(pc.index_in(groups["group_id"], before["group_id"])))
    return groups.append_column("lag_change", pc.round(pc.multiply(grown, 60 / max(seconds, 1.0))))
