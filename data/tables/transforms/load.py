"""The load of each member and of each group.

On Arrow tables: most ingests have so few rows here that Spark's SQL takes a hundred times as long.
Of many rows, Spark gives each task whole groups.
"""

import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.tables import schemas
from evenkeel.data.tables.transforms.group_key import GROUP
from evenkeel.data.tables.transforms.shares import MEMBER
from evenkeel.data.tables.transforms.sums import sums_by

_NUMBER = pa.scalar(None, pa.int64())


def load_by_member(shares: pa.Table) -> pa.Table:
    """SHARES of whole groups -> MEMBER_LOAD.

    A member owns a partition in LAG or has a row in MEMBERS; the null member stands for partitions without owner.
    `partition_count`: the partitions in LAG, or those of the member's own listing, whichever is more. A topic with only a known size has
    no rows in LAG, and no known lag. All columns are null where neither table counts partitions.
    Lags whose sum exceeds int64 count as unknown, here and in `load_by_group`.
    """
    sums = sums_by(shares, MEMBER, [("owned_count", "sum"), ("known_count", "sum"), ("lag", "sum"), ("printed_count", "max")])
    count = pc.if_else(
        sums["printed_count_max"].is_valid(), pc.max_element_wise(sums["owned_count_sum"], sums["printed_count_max"]), _NUMBER
    )
    unknown = _unknown(sums["lag_sum"], count, pc.subtract(count, sums["known_count_sum"]))
    return _table(
        schemas.MEMBER_LOAD, sums, partition_count=count, unknown_lag_count=unknown, lag=_sum_of_known(sums["lag_sum"], count, unknown)
    )


def load_by_group(member_load: pa.Table) -> pa.Table:
    """MEMBER_LOAD of whole groups -> GROUP_LOAD.

    `max_lag`: the largest lag of a member with some known lag; 0 if every member is idle, null without members.
    `unassigned_count`, `idle_members`: null where it is unknown how much some member owns.
    All columns are null if only the name or the state of the group is known.
    """
    count, is_member = member_load["partition_count"], member_load["member_id"].is_valid()
    some_known = pc.and_(is_member, pc.greater(count, member_load["unknown_lag_count"]))
    columns = {
        "idle": pc.and_(is_member, pc.equal(count, 0)).cast(pa.int64()),
        "unassigned": pc.if_else(is_member, 0, count),
        "uncounted": pc.and_(is_member, count.is_null()).cast(pa.int64()),
        "worst": pc.if_else(some_known, member_load["lag"], _NUMBER),
    }
    added = [(name, "sum") for name in ("idle", "unassigned", "uncounted", "partition_count", "unknown_lag_count", "lag")]
    rows = pa.table({**{name: member_load[name] for name in member_load.column_names}, **columns})
    sums = sums_by(rows, GROUP, [*added, ("member_id", "count"), ("worst", "max")])
    members, total = (sums[name] for name in ("member_id_count", "partition_count_sum"))
    is_uncounted = pc.greater(sums["uncounted_sum"], 0)
    idle = pc.if_else(is_uncounted, _NUMBER, sums["idle_sum"])
    unknown = _unknown(sums["lag_sum"], total, sums["unknown_lag_count_sum"])
    all_idle = pc.and_(pc.greater(members, 0), pc.equal(members, idle))
    is_silent = pc.and_(total.is_null(), pc.equal(members, 0))
    return _table(
        schemas.GROUP_LOAD,
        sums,
        member_count=pc.if_else(is_silent, _NUMBER, members),
        idle_members=pc.if_else(is_silent, _NUMBER, idle),
        partition_count=total,
        unassigned_count=pc.if_else(is_uncounted, _NUMBER, sums["unassigned_sum"]),
        unknown_lag_count=unknown,
        lag=_sum_of_known(sums["lag_sum"], total, unknown),
        max_lag=pc.coalesce(sums["worst_max"], pc.if_else(all_idle, 0, _NUMBER)),
    )


def _unknown(lag: pa.ChunkedArray, count: pa.ChunkedArray, unknown: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return how many lags are unknown: all of them where there is no sum."""
    return pc.if_else(lag.is_valid(), unknown, count)


def _sum_of_known(lag: pa.ChunkedArray, count: pa.ChunkedArray, unknown: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the lag: 0 without partitions, null where there are partitions and no lag is known."""
    return pc.if_else(pc.equal(count, 0), 0, pc.if_else(pc.less(unknown, count), lag, _NUMBER))


def _table(schema: pa.Schema, keys: pa.Table, **columns: pa.ChunkedArray) -> pa.Table:
    return pa.table({name: columns[name] if name in columns else keys[name] for name in schema.names}).cast(schema)
