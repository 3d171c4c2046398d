"""What every task of an ingest says of each member, summed where it is read: names of groups and members, the costly part, leave it once for each member."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data import schemas
from data.row_keys import unnamed_in
from data.transforms.group import GROUP

MEMBER = (*GROUP, "member_id")


def shares_of_partitions(lag: pa.Table) -> pa.Table:
    """LAG -> SHARES: how many partitions a member owns, of how many the lag is known, and the sum of those."""
    sums = lag.group_by(list(MEMBER), use_threads=False).aggregate([([], "count_all"), ("lag", "count"), ("lag", "sum")])
    counted = sums.rename_columns({"count_all": "owned_count", "lag_count": "known_count", "lag_sum": "lag"})
    return _shares(counted, printed_count=pa.repeat(pa.scalar(0, pa.int64()), sums.num_rows))


def shares_of_members(members: pa.Table) -> pa.Table:
    """MEMBERS -> SHARES: how many partitions a member's own listing names or prints."""
    none = pa.repeat(pa.scalar(0, pa.int64()), members.num_rows)
    printed = pc.coalesce(members["partition_count"].cast(pa.int64()), _named_count(members["owned"]))
    unknown = pa.nulls(members.num_rows, pa.int64())
    return _shares(members, unnamed_in=unnamed_in(members), owned_count=none, known_count=none, lag=unknown, printed_count=printed)


def _shares(table: pa.Table, **more: pa.Array | pa.ChunkedArray) -> pa.Table:
    return pa.table({name: more[name] if name in more else table[name] for name in schemas.SHARES.names}).cast(schemas.SHARES)


def _named_count(owned: pa.ChunkedArray) -> pa.Array:
    owned = owned.combine_chunks()
    lengths = pc.list_value_length(pc.list_flatten(owned).field("partitions")).fill_null(0)
    return pa.array(np.bincount(pc.list_parent_indices(owned), lengths, minlength=len(owned)).astype(np.int64))
