"""LAG from OFFSETS, and sums of lag by member and by group."""

from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.protocol import STREAMS
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.parsed import columns_table
from evenkeel.data.group.tables.repeats import unnamed_in

GROUP = ("taken_at", "cluster", "group_id", "unnamed_in")
"""The columns that identify a group."""

UNNAMED_IN = "if(group_id IS NULL, source_file, NULL) AS unnamed_in"
"""SQL over OFFSETS or MEMBERS: the file of a group without name, null if the group has a name."""

_NUMBER = pa.scalar(None, "int64")


def load_by_member(shares: pa.Table) -> pa.Table:
    """SHARES of whole groups -> MEMBER_LOAD.

    A member is in the result if it owns a partition in LAG or has a row in MEMBERS. Partitions
    without owner are in the row whose member is null. `partition_count`: the member's partitions in
    LAG or in MEMBERS, whichever are more, because LAG may lack partitions; these have no known lag.
    If neither table has partition counts, all columns are null. If a sum of lags exceeds int64,
    these lags are unknown, here and in `load_by_group`.
    """
    sums = sums_by(
        shares,
        MEMBER,
        [("owned_count", "sum"), ("known_count", "sum"), ("lag", "sum"), ("printed_count", "max")],
    )
    count = pc.if_else(
        sums["printed_count_max"].is_valid(),
        pc.max_element_wise(sums["owned_count_sum"], sums["printed_count_max"]),
        _NUMBER,
    )
    unknown = _unknown(sums["lag_sum"], count, pc.subtract(count, sums["known_count_sum"]))
    return _table(
        schemas.MEMBER_LOAD,
        sums,
        partition_count=count,
        unknown_lag_count=unknown,
        lag=_sum_of_known(sums["lag_sum"], count, unknown),
    )


def load_by_group(member_load: pa.Table) -> pa.Table:
    """MEMBER_LOAD of whole groups -> GROUP_LOAD.

    `max_lag`: the largest known lag of a member; 0 if every member is idle, null if there is no
    member. `unassigned_count`, `idle_members`: null if some member's partitions are unknown. All
    columns are null if only the name or the state of the group is known.
    """
    count, is_member = member_load["partition_count"], member_load["member_id"].is_valid()
    some_known = pc.and_(is_member, pc.greater(count, member_load["unknown_lag_count"]))
    columns = {
        "idle": pc.and_(is_member, pc.equal(count, 0)).cast(pa.int64()),
        "unassigned": pc.if_else(is_member, 0, count),
        "uncounted": pc.and_(is_member, count.is_null()).cast(pa.int64()),
        "worst": pc.if_else(some_known, member_load["lag"], _NUMBER),
    }
    added = [
        (name, "sum")
        for name in (
            "idle",
            "unassigned",
            "uncounted",
            "partition_count",
            "unknown_lag_count",
            "lag",
        )
    ]
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


def _unknown(
    lag: pa.ChunkedArray, count: pa.ChunkedArray, unknown: pa.ChunkedArray
) -> pa.ChunkedArray:
    """Return the number of unknown lags; if the sum is null, all lags are unknown."""
    return pc.if_else(lag.is_valid(), unknown, count)


def _sum_of_known(
    lag: pa.ChunkedArray, count: pa.ChunkedArray, unknown: pa.ChunkedArray
) -> pa.ChunkedArray:
    """Return the lag: 0 if there are no partitions, null if all lags are unknown."""
    return pc.if_else(pc.equal(count, 0), 0, pc.if_else(pc.less(unknown, count), lag, _NUMBER))


def _table(schema: pa.Schema, keys: pa.Table, **columns: pa.ChunkedArray) -> pa.Table:
    return pa.table(
        {name: columns[name] if name in columns else keys[name] for name in schema.names}
    ).cast(schema)


# Shares: the sums of one Spark task for each member. Passing on rows with names would cost more.

MEMBER = (*GROUP, "member_id")

STREAM = "stream"
"""Kafka's protocol name for members of a Kafka Streams application that run its task assignor."""


def shares_of_partitions(lag: pa.Table) -> pa.Table:
    """LAG -> SHARES: per member, the number of partitions, the number and sum of known lags.

    If a sum exceeds int64, these lags are unknown.
    """
    sums = sums_by(lag, MEMBER, [([], "count_all"), ("lag", "count"), ("lag", "sum")])
    known = pc.if_else(sums["lag_sum"].is_valid(), sums["lag_count"], 0)
    counted = sums.rename_columns({"count_all": "owned_count", "lag_sum": "lag"}).append_column(
        "known_count", known
    )
    none = pa.repeat(pa.scalar(0, "int64"), sums.num_rows)
    return (
        counted.append_column("printed_count", none)
        .select(schemas.SHARES.names)
        .cast(schemas.SHARES)
    )


def shares_of_members(members: pa.Table) -> pa.Table:
    """MEMBERS -> SHARES: per member, the number of partitions in the member's own row.

    The number is null if the row has no member, such as a row of `--list --state`. It is also null
    for a Kafka Streams consumer whose partitions are unknown.
    """
    columns = {name: members[name] for name in MEMBER if name in members.column_names}
    is_unread = pc.and_(
        members["owned"].is_null(),
        pc.or_(_is(members["group_type"], STREAMS), _is(members["assignor"], STREAM)),
    )
    is_silent = pc.or_(
        is_unread, pc.and_(members["member_id"].is_null(), members["subscribed"].is_null())
    )
    printed = pc.if_else(
        is_silent,
        _NUMBER,
        pc.coalesce(members["partition_count"].cast(pa.int64()), _named_count(members["owned"])),
    )
    columns |= {"unnamed_in": unnamed_in(members), "printed_count": printed}
    return columns_table(
        columns, members.num_rows, schemas.SHARES, {"owned_count": 0, "known_count": 0}
    )


def _is(column: pa.ChunkedArray, word: str) -> pa.ChunkedArray:
    return pc.equal(column.cast(pa.string()), word).fill_null(False)


def _named_count(owned: pa.ChunkedArray) -> pa.Array:
    owned = owned.combine_chunks()
    lengths = pc.list_value_length(pc.list_flatten(owned).field("partitions")).fill_null(0)
    return pa.array(
        np.bincount(pc.list_parent_indices(owned), lengths, minlength=len(owned)).astype(np.int64)
    )


# Sums of `lag` by key, because Arrow's own sums overflow silently beyond int64.


_MOST = 2**63 - 1
_WIDE = pa.decimal128(19)


def sums_by(table: pa.Table, keys: Sequence[str], aggregations: Sequence[tuple]) -> pa.Table:
    """Sum and count columns by `keys`; `lag_sum` int64 is null if it exceeds int64."""
    if (pc.max(table["lag"]).as_py() or 0) * table.num_rows <= _MOST:
        return table.group_by(list(keys), use_threads=False).aggregate(aggregations)
    wide = table.set_column(table.column_names.index("lag"), "lag", table["lag"].cast(_WIDE))
    sums = wide.group_by(list(keys), use_threads=False).aggregate(aggregations)
    place, lag = sums.column_names.index("lag_sum"), sums["lag_sum"]
    fits = pc.less_equal(lag, pa.scalar(Decimal(_MOST), lag.type))
    return sums.set_column(
        place, "lag_sum", pc.if_else(fits, lag, pa.scalar(None, lag.type)).cast(pa.int64())
    )


# The current assignment, if only rows of members have it. For many rows, Spark does the same
# (`data/pipeline/ingest/on_spark.py`).


_PARTITION = (*GROUP, "topic", "partition")


def with_owner(lag: pa.Table, members: pa.Table) -> pa.Table:
    """(LAG, MEMBERS) -> LAG.

    Replaces a null `member_id` by the member that has the partition at the same time: in `current`,
    else in `owned`. If several members have the partition, the smallest id is used.
    """
    rows = lag.select(_PARTITION).append_column("row", pa.array(np.arange(lag.num_rows)))
    both = pa.concat_tables([rows, _claims(members)], promote_options="default")
    # Not a join, because a join drops nulls, and a group may have no name.
    of_claimed = (
        both.group_by(_PARTITION, use_threads=False)
        .aggregate([("claimed_by", "min"), ("row", "list")])
        .combine_chunks()
    )
    listed = of_claimed["row_list"].combine_chunks()
    claimed = pa.table(
        {
            "row": pc.list_flatten(listed),
            "by": of_claimed["claimed_by_min"].take(pc.list_parent_indices(listed)),
        }
    )
    in_order = claimed.filter(pc.is_valid(claimed["row"])).sort_by("row")
    place = lag.schema.get_field_index("member_id")
    return lag.set_column(
        place, lag.schema.field(place), pc.coalesce(lag["member_id"], in_order["by"])
    )


def _claims(members: pa.Table) -> pa.Table:
    """MEMBERS -> one row for each partition that a member claims; `claimed_by` is the member."""
    held = pc.coalesce(members["current"], members["owned"]).combine_chunks()
    topics = pc.list_flatten(held)
    partitions = topics.field("partitions")
    topic = pc.list_parent_indices(partitions)
    member = pc.list_parent_indices(held).take(topic)
    keys = members.select([name for name in GROUP if name in members.column_names]).append_column(
        "unnamed_in", unnamed_in(members)
    )
    claims = keys.append_column("claimed_by", members["member_id"]).take(member)
    return claims.append_column("topic", topics.field("topic").take(topic)).append_column(
        "partition", pc.list_flatten(partitions)
    )


# Both lags of each partition, defined as in `assignors/group/lag.py`. They are computed in Arrow,
# because no lag needs another row, and a round trip to the JVM would take four times as long.


def with_lag(offsets: pa.Table) -> pa.Table:
    """OFFSETS -> LAG, rows in the same order.

    Adds three columns. Source: KAFKA-5337.

    `lag`, the lag that pages show, in records: end_offset - max(committed_offset, begin_offset),
    never below 0. Without a commit: 0 if the group's `auto_offset_reset` is latest, all records if
    it has another value, null if it is unknown.

    `assignor_lag`, the lag that the assignor `lag` sees: end_offset - committed_offset; the begin
    offset is not used. If `auto_offset_reset` is unknown, latest is assumed; if the begin offset is
    unknown, 0.

    `lag_flag`: `past end` if the lag was below 0, `before begin` if the committed offset is
    deleted.

    If the end offset or the committed offset is missing, `listed_lag` replaces both lags.
    """
    begin, committed, end = (
        offsets[name] for name in ("begin_offset", "committed_offset", "end_offset")
    )
    listed = pc.if_else(pc.or_(end.is_null(), committed.is_null()), offsets["listed_lag"], _NUMBER)
    is_known = offsets["auto_offset_reset"].is_valid()
    # utf8_lower does not accept dictionary-encoded columns.
    is_latest = pc.equal(
        pc.utf8_lower(offsets["auto_offset_reset"].cast(pa.string())), "latest"
    ).fill_null(False)
    before_begin = pc.less(committed, begin).fill_null(False)
    by_policy = pc.if_else(is_latest, end, pc.if_else(is_known, begin, _NUMBER))
    assignor_by_policy = pc.if_else(pc.and_not(is_known, is_latest), begin.fill_null(0), end)
    behind = _behind(
        listed, end, pc.coalesce(pc.if_else(before_begin, begin, committed), by_policy)
    )
    assignor_behind = _behind(listed, end, pc.coalesce(committed, assignor_by_policy))
    past_end = pc.less(behind, 0).fill_null(False)
    flag = pc.if_else(
        past_end, "past end", pc.if_else(before_begin, "before begin", pa.scalar(None, "string"))
    )
    columns = {name: offsets[name] for name in offsets.column_names}
    columns |= {
        "unnamed_in": unnamed_in(offsets),
        "lag": _not_negative(behind),
        "assignor_lag": _not_negative(assignor_behind),
        "lag_flag": flag,
    }
    return pa.table({name: columns[name] for name in schemas.LAG.names})


def _behind(
    listed: pa.ChunkedArray, end: pa.ChunkedArray, start: pa.ChunkedArray
) -> pa.ChunkedArray:
    return pc.coalesce(listed, pc.subtract(end, start))


def _not_negative(lag: pa.ChunkedArray) -> pa.ChunkedArray:
    # Not pc.max_element_wise(lag, 0): it skips nulls and would report an unknown lag as 0.
    return pc.if_else(pc.less(lag, 0), 0, lag)


# Lags of listed groups: whether they are complete, and how fast they change.


def lag_is_whole(groups: pa.Table) -> pa.ChunkedArray:
    """Return whether each row of GROUPS or GROUP_LOAD has a complete lag, bool.

    A lag is incomplete if a partition's lag is unknown or the group could not be read completely.
    """
    is_known = pc.fill_null(pc.equal(groups["unknown_lag_count"], 0), False)
    return (
        pc.and_(is_known, pc.is_null(groups["problem"]))
        if "problem" in groups.column_names
        else is_known
    )


def with_lag_change(groups: pa.Table, before: pa.Table, seconds: float) -> pa.Table:
    """GROUPS, GROUPS read `seconds` before -> GROUPS with `lag_change`.

    `lag_change`: records per minute; null if the group is new, or one of its two lags is
    incomplete.
    """
    now, was = (pc.if_else(lag_is_whole(loads), loads["lag"], None) for loads in (groups, before))
    grown = pc.subtract(now, was.take(pc.index_in(groups["group_id"], before["group_id"])))
    return groups.append_column("lag_change", pc.round(pc.multiply(grown, 60 / max(seconds, 1.0))))
