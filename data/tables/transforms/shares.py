"""Shares: what one task of an ingest read of each member, summed, because names of groups and members are costly to hand on row by row."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.tables import schemas
from evenkeel.data.tables.columns_table import columns_table
from evenkeel.data.tables.repeats.keys import unnamed_in
from evenkeel.data.tables.transforms.group_key import GROUP
from evenkeel.data.tables.transforms.sums import sums_by

MEMBER = (*GROUP, "member_id")

STREAM = "stream"
"""What Kafka calls the protocol of the members of a Kafka Streams application that run its task assignor."""

_NUMBER = pa.scalar(None, pa.int64())


def shares_of_partitions(lag: pa.Table) -> pa.Table:
    """LAG -> SHARES: a member's partitions, how many have a known lag, and the sum of those lags.

    Lags whose sum exceeds int64 count as unknown.
    """
    sums = sums_by(lag, MEMBER, [([], "count_all"), ("lag", "count"), ("lag", "sum")])
    known = pc.if_else(sums["lag_sum"].is_valid(), sums["lag_count"], 0)
    counted = sums.rename_columns({"count_all": "owned_count", "lag_sum": "lag"}).append_column("known_count", known)
    none = pa.repeat(pa.scalar(0, pa.int64()), sums.num_rows)
    return counted.append_column("printed_count", none).select(schemas.SHARES.names).cast(schemas.SHARES)


def shares_of_members(members: pa.Table) -> pa.Table:
    """MEMBERS -> SHARES: how many partitions a member's own listing names or prints.

    Null for a row about neither members nor topics, such as one of `--list --state`, and for a consumer of Kafka Streams whose partitions
    are unknown.
    """
    columns = {name: members[name] for name in MEMBER if name in members.column_names}
    is_unread = pc.and_(members["owned"].is_null(), pc.or_(_is(members["group_type"], "streams"), _is(members["assignor"], STREAM)))
    is_silent = pc.or_(is_unread, pc.and_(members["member_id"].is_null(), members["subscribed"].is_null()))
    printed = pc.if_else(is_silent, _NUMBER, pc.coalesce(members["partition_count"].cast(pa.int64()), _named_count(members["owned"])))
    columns |= {"unnamed_in": unnamed_in(members), "printed_count": printed}
    return columns_table(columns, members.num_rows, schemas.SHARES, {"owned_count": 0, "known_count": 0})


def _is(column: pa.ChunkedArray, word: str) -> pa.ChunkedArray:
    return pc.equal(column.cast(pa.string()), word).fill_null(False)


def _named_count(owned: pa.ChunkedArray) -> pa.Array:
    owned = owned.combine_chunks()
    lengths = pc.list_value_length(pc.list_flatten(owned).field("partitions")).fill_null(0)
    return pa.array(np.bincount(pc.list_parent_indices(owned), lengths, minlength=len(owned)).astype(np.int64))
