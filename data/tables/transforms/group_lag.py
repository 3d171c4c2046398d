"""Lags of listed groups: which are complete, which are 0, and how fast they change."""

import pyarrow as pa
import pyarrow.compute as pc


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
