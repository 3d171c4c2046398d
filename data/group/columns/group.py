"""Assembles an observed group: its topics as arrays, also from tables, members by name."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import le
from typing import TYPE_CHECKING

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import NO_GENERATION, UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.owned import owners_of, stale_claims
from evenkeel.assignors.java.hashing import sort_key
from evenkeel.assignors.protocol import SHARE
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import Budget, footprint
from evenkeel.data.group.columns.matching import with_matches
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.columns.rows import (
    TopicRows,
    claims,
    owned_empty,
    rack_rows,
    require_short_names,
    topic_lists,
    topic_rows,
    uuid_halves,
)
from evenkeel.data.group.document import GROUP_FACTS, MAX_PARTITIONS, Document, JoinedWith, Member
from evenkeel.data.group.tables.arrow import integers, names

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class TopicColumns:
    """The topics and partitions of one group, columns as in GroupSnapshot; `replica_rack` names the
    rack of each replica.
    """

    rows: TopicRows
    partition_count: np.ndarray
    topic_id: np.ndarray
    topic_id_known: np.ndarray
    begin_offset: np.ndarray
    end_offset: np.ndarray
    committed_offset: np.ndarray
    given_lag: np.ndarray
    replica_start: np.ndarray
    replica_rack: Sequence[str | None]


def mentioned_topics(members: Iterable[Member]) -> set[str]:
    """Return the topics that members subscribe to, hold partitions of or own, even without a
    partition.
    """
    names: set[str] = set()
    for member in members:
        names.update(member.subscribed)
        if member.current:
            names.update(filter(member.current.get, member.current))
        if member.owned:
            names.update(
                member.owned
                if None not in member.owned.values()
                else (topic for topic, partitions in member.owned.items() if partitions is not None)
            )
    return names


def observed_group(
    head: Document,
    topics: TopicColumns,
    members: Sequence[Member],
    assumed: Iterable[str],
    cluster: str | None = None,
) -> ObservedGroup:
    """Assemble a group; `head` has the facts about the group as a whole."""
    require_short_names(
        "topics.name", (topics.rows.name[row] for row in np.argsort(topics.rows.place).tolist())
    )
    for key in ("member_id", "client_id", "host", "instance_id", "rack"):
        require_short_names(f"members.{key}", (getattr(member, key) for member in members))
    owned = claims((member.owned for member in members), topics.rows.row)
    current = _current(members, topics, owned, head.type == SHARE)
    assumed = {
        *assumed,
        *(
            unknown_paths("owned", [member.owned is None for member in members])
            if current is None
            else ()
        ),
    }
    return ObservedGroup(
        group_id=head.group_id,
        snapshot=_snapshot(
            topics,
            members,
            owned,
            head.auto_offset_reset,
            are_subscriptions_known=not are_subscriptions_assumed(assumed),
        ),
        current=current,
        client_id=tuple(member.client_id for member in members),
        host=tuple(member.host for member in members),
        assumed=tuple(sorted(assumed)),
        level=_level(topics, members, assumed, current),
        topic_order=topics.rows.place,
        epoch=_numbers([member.epoch for member in members], UNKNOWN, np.int64),
        taken_at=head.taken_at,
        cluster=cluster,
        group_type=head.type,
        group_state=head.state,
        leader=head.leader,
        subscribed_regex=tuple(member.subscribed_regex for member in members),
        joined_with=tuple(_said(member.joined_with) for member in members),
        protocol=tuple(member.protocol for member in members)
        if any(member.protocol for member in members)
        else (),
        assignment_user_data=_user_data(members),
        **{key: getattr(head, key) for key in GROUP_FACTS},
    )


def are_subscriptions_assumed(assumed: Iterable[str]) -> bool:
    """Return whether subscriptions, or members that may have some, are assumed; `assumed`: paths of
    the group document.
    """
    return any(path == "members" or path.endswith("].subscribed") for path in assumed)


def unknown_paths(key: str, is_unknown: Sequence[bool]) -> list[str]:
    """Return the paths of a key for the members whose value is unknown; one path if all are
    unknown.
    """
    if is_unknown and all(is_unknown):
        return [f"members[*].{key}"]
    return [f"members[{place}].{key}" for place in np.flatnonzero(is_unknown)]


def _current(
    members: Sequence[Member], topics: TopicColumns, owned: np.ndarray, is_shared: bool
) -> Assignment | None:
    """Return the owners now: partitions of `current`, else owned partitions; None if no claim is
    there and some member's are unknown.

    A claim of an older generation than another one's is none, unless members share partitions.
    """
    held = [member.owned if member.current is None else member.current for member in members]
    is_owned = all(member.current is None for member in members)
    claimed = owned if is_owned else claims(held, topics.rows.row)
    if None in held and not len(claimed):
        return None
    if is_owned and not is_shared:
        generation = _numbers([member.generation for member in members], NO_GENERATION, np.int32)
        claimed = claimed[~stale_claims(claimed, generation, topics.partition_count)]
    return owners_of(claimed, topics.partition_count)


def _said(joined: JoinedWith | None) -> JoinedWith | None:
    """Drop null, which equals a missing key."""
    if joined is None or (joined.owned is None and joined.generation is None):
        return None
    owned = joined.owned and {
        topic: partitions for topic, partitions in joined.owned.items() if partitions is not None
    }
    return JoinedWith(owned, joined.generation)


def _user_data(members: Sequence[Member]) -> np.ndarray | None:
    known = [member.assignment_user_data for member in members]
    return None if known.count(None) == len(known) else _numbers(known, UNKNOWN, np.int64)


def _snapshot(
    topics: TopicColumns,
    members: Sequence[Member],
    owned: np.ndarray,
    auto_offset_reset: str | None,
    *,
    are_subscriptions_known: bool,
) -> GroupSnapshot:
    # Java reads a member's empty rack as none. A broker's empty rack is a rack: RangeAssignor
    # compares it with the others.
    member_rack = [member.rack or None for member in members]
    rack_name = tuple(
        sorted({rack for rack in (*topics.replica_rack, *member_rack) if rack is not None})
    )
    expression = tuple(member.subscribed_regex or None for member in members)
    is_by_name = not any(expression)
    named = [member.subscribed for member in members]
    lists, rows = topic_lists(
        named if is_by_name else [*named, *with_matches(named, expression, topics.rows.known)],
        topics.rows.row,
    )
    claim_member, claim_topic, claim_partition = owned.T
    return GroupSnapshot(
        topic_name=topics.rows.name,
        topic_known=topics.rows.is_known,
        partition_count=topics.partition_count,
        topic_id=topics.topic_id,
        topic_id_known=topics.topic_id_known,
        begin_offset=_absent_or(topics.begin_offset),
        end_offset=_absent_or(topics.end_offset),
        committed_offset=_absent_or(topics.committed_offset),
        given_lag=_absent_or(topics.given_lag),
        rack_name=rack_name,
        replica_start=topics.replica_start,
        replica_rack=rack_rows(topics.replica_rack, rack_name),
        member_id=tuple(member.member_id for member in members),
        instance_id=tuple(member.instance_id for member in members),
        member_rack=rack_rows(member_rack, rack_name),
        generation=_numbers([member.generation for member in members], NO_GENERATION, np.int32),
        topic_lists=lists,
        subscription=rows[-len(members) :] if members else rows,
        claim_member=claim_member,
        claim_topic=claim_topic,
        claim_partition=claim_partition,
        auto_offset_reset=auto_offset_reset,
        named=None if is_by_name else rows[: len(members)],
        expression=() if is_by_name else expression,
        owned_empty=owned_empty((member.owned for member in members), topics.rows.row),
        order_sent={
            member.member_id: tuple(member.subscribed)
            for member in members
            if not _ascends(member.subscribed)
        },
        has_empty_rack=np.array([member.rack == "" for member in members])
        if any(member.rack == "" for member in members)
        else None,
        are_subscriptions_known=are_subscriptions_known,
    )


def _ascends(names: Sequence[str]) -> bool:
    # Java and Python sort ASCII alike. Other names are recorded in any order, which does no harm.
    return all(map(le, names, names[1:])) and "".join(names).isascii()


_NOTHING = np.full(1, UNKNOWN, dtype=np.int64)
_NOTHING.flags.writeable = False


def unknown_offsets(count: int) -> np.ndarray:
    """int64 (count,): a constant, broadcast. numpy's own function takes eight times as long, and
    lists have thousands of groups.
    """
    return np.ndarray(count, np.int64, _NOTHING, strides=(0,))


def _absent_or(column: np.ndarray) -> np.ndarray:
    """Return the column, or a broadcast constant if no value is known."""
    return (
        column
        if not any(column.strides) or (column != UNKNOWN).any()
        else unknown_offsets(column.size)
    )


def _numbers(values: Sequence[int | None], unknown: int, dtype: type) -> np.ndarray:
    return np.array([unknown if value is None else value for value in values], dtype=dtype)


def _level(
    topics: TopicColumns, members: Sequence[Member], assumed: set[str], current: Assignment | None
) -> int:
    """Return the completeness: 1 with end offsets or lag, 2 with known owners, 3 with all members,
    4 with all subscriptions.

    A committed offset alone gives no lag.
    """
    if members and current is not None:
        return 2 if "members" in assumed else 3 if are_subscriptions_assumed(assumed) else 4
    return int(any((column != UNKNOWN).any() for column in (topics.end_offset, topics.given_lag)))


# The topics of a group from OFFSETS and TOPICS.


def listed_topics(
    offsets: "pa.Table",
    topics: "pa.Table",
    members: Sequence[Member],
    described: Sequence[str] | None,
    budget: Budget | None = None,
) -> tuple[TopicColumns, list[int]]:
    """Return the topics' columns, and the places of topics without a printed size: their size is
    the highest partition + 1.

    `described`: the topics of a group document, in its order. None for a listing: its topics are
    those with rows, or with partitions that a member holds, by name.
    """
    mentioned = mentioned_topics(members)
    rows = topic_rows(
        _named(offsets, topics, members, mentioned) if described is None else described, mentioned
    )
    offsets_at, topics_at = _places(offsets, rows), _places(topics, rows)
    printed = _highest(len(rows.name), [(topics_at, integers(topics["partition_count"]))])
    seen = [
        (offsets_at, integers(offsets["partition"])),
        (topics_at, integers(topics["partition"])),
    ]
    reached = _highest(
        len(rows.name), seen if described is not None else [*seen, *_held(members, rows)]
    )
    partition_count = np.where(rows.is_known, np.maximum(np.maximum(printed, reached + 1), 0), 0)
    if partition_count.sum() > MAX_PARTITIONS:
        raise SnapshotError(
            f"topics of one group have {partition_count.sum():,} partitions in all, expected at"
            f" most {MAX_PARTITIONS:,}"
        )
    if budget is not None:
        budget.require_listed(footprint(partition_count.sum(), len(rows.name), members))
    begin, end, committed, lag = _offsets(offsets, offsets_at, partition_count)
    columns = TopicColumns(
        rows,
        partition_count,
        *_topic_ids(topics, topics_at, len(rows.name)),
        begin,
        end,
        committed,
        lag,
        *_racks(topics, topics_at, partition_count),
    )
    return columns, np.sort(rows.place[rows.is_known & (reached + 1 > printed)]).tolist()


def _named(
    offsets: "pa.Table", topics: "pa.Table", members: Sequence[Member], mentioned: set[str]
) -> list[str]:
    described = set(names(topics["topic"]).name)
    held = {
        topic
        for member in members
        for owned in (member.owned, member.current)
        for topic in owned or ()
    }
    known = held.union(names(offsets["topic"]).name, mentioned & described)
    return sorted(known if known or members else described, key=sort_key)


def _places(table: "pa.Table", rows: TopicRows) -> np.ndarray:
    """int64: row of each table row's topic, -1 if the group has no such topic."""
    topic = names(table["topic"])
    return np.array([rows.row.get(name, -1) for name in topic.name], dtype=np.int64)[topic.code]


def _highest(topic_count: int, numbers: Iterable[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Return the highest number of each topic, -1 if there is none."""
    highest = np.full(topic_count, -1, dtype=np.int64)
    for topic, number in numbers:
        np.maximum.at(highest, topic[topic >= 0], number[topic >= 0])
    return highest


def _held(members: Iterable[Member], rows: TopicRows) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    for member in members:
        for held in (member.owned, member.current):
            highest = {
                rows.row[topic]: max(partitions)
                for topic, partitions in (held or {}).items()
                if partitions
            }
            yield np.fromiter(highest.keys(), np.int64), np.fromiter(highest.values(), np.int64)


def _offsets(
    offsets: "pa.Table", topic: np.ndarray, partition_count: np.ndarray
) -> list[np.ndarray]:
    """Return begin, end and committed offset and given lag of each partition; of several rows the
    first with a value counts.

    The printed lag is given if end or committed offset is missing, 0 if it is negative.
    """
    if not offsets.num_rows:
        return [unknown_offsets(int(partition_count.sum()))] * 4
    first_tp = np.concatenate(([0], np.cumsum(partition_count)))
    tp = np.where(topic >= 0, first_tp[topic] + integers(offsets["partition"]), -1)
    begin, end, committed, listed = (
        _by_tp(offsets, column, tp, int(first_tp[-1]))
        for column in ("begin_offset", "end_offset", "committed_offset", "listed_lag")
    )
    given = (listed != UNKNOWN) & ((end == UNKNOWN) | (committed == UNKNOWN))
    return [begin, end, committed, np.where(given, listed, UNKNOWN)]


def _by_tp(offsets: "pa.Table", column: str, tp: np.ndarray, tp_count: int) -> np.ndarray:
    values = integers(offsets[column])
    if column == "listed_lag":
        values = np.where(
            offsets[column].combine_chunks().is_valid().to_numpy(zero_copy_only=False),
            np.maximum(values, 0),
            UNKNOWN,
        )
    by_tp = np.full(tp_count, UNKNOWN, dtype=np.int64)
    # In reverse: numpy keeps the last value that is written to a place, and the first row counts.
    says = np.flatnonzero((values != UNKNOWN) & (tp >= 0))[::-1]
    by_tp[tp[says]] = values[says]
    return by_tp


def _topic_ids(
    topics: "pa.Table", topic: np.ndarray, topic_count: int
) -> tuple[np.ndarray, np.ndarray]:
    topic_id, known = np.zeros((topic_count, 2), dtype=np.int64), np.zeros(topic_count, dtype=bool)
    printed = names(topics["topic_id"])
    says = np.flatnonzero((printed.code >= 0) & (topic >= 0))[::-1]
    halves = np.array([uuid_halves(text) for text in printed.name], dtype=np.int64).reshape(-1, 2)
    topic_id[topic[says]], known[topic[says]] = halves[printed.code[says]], True
    return topic_id, known


def _racks(
    topics: "pa.Table", topic: np.ndarray, partition_count: np.ndarray
) -> tuple[np.ndarray, list[str | None]]:
    """Return where each partition's replicas start and the rack of each replica."""
    first_tp = np.concatenate(([0], np.cumsum(partition_count)))
    partition = integers(topics["partition"])
    racks = topics["racks"].combine_chunks()
    says = np.flatnonzero(
        (topic >= 0) & (partition >= 0) & racks.is_valid().to_numpy(zero_copy_only=False)
    )
    tp, by_row = np.unique(first_tp[topic[says]] + partition[says], return_index=True)
    listed = racks.take(says[by_row]).to_pylist()
    count = np.zeros(first_tp[-1], dtype=np.int64)
    count[tp] = [len(replicas) for replicas in listed]
    return np.concatenate(([0], np.cumsum(count))).astype(np.int32), list(
        chain.from_iterable(listed)
    )
