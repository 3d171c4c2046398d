"""Makes an observed group from topics (as arrays) and members (with names)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import le
from typing import TYPE_CHECKING

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import NO_GENERATION, UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.owned import owners_of, stale_claims
from evenkeel.assignors.protocol import SHARE
from evenkeel.data.group.columns.matching import with_matches
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.columns.rows import (
    TopicRows,
    claims,
    owned_empty,
    rack_rows,
    require_short_names,
    topic_lists,
)
from evenkeel.data.group.document import GROUP_FACTS, Document, JoinedWith, Member

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, eq=False)
class TopicColumns:
    """Topics and partitions of one group, with the columns of GroupSnapshot.

    `replica_rack`: rack name of each replica.
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
    """Return the topics in members' subscriptions, `current` and `owned` partitions."""
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
    """Make an observed group; `head`: facts about the whole group."""
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
    """Return whether subscriptions are assumed, or the list of members may be incomplete.

    `assumed`: paths of assumed values in the group document.
    """
    return any(path == "members" or path.endswith("].subscribed") for path in assumed)


def unknown_paths(key: str, is_unknown: Sequence[bool]) -> list[str]:
    """Return the paths of `key` for members with an unknown value; one path if all are unknown."""
    if is_unknown and all(is_unknown):
        return [f"members[*].{key}"]
    return [f"members[{place}].{key}" for place in np.flatnonzero(is_unknown)]


def _current(
    members: Sequence[Member], topics: TopicColumns, owned: np.ndarray, is_shared: bool
) -> Assignment | None:
    """Return the current owners: from `current` partitions if a member has them, else from `owned`.

    None if no member has partitions and the partitions of at least one member are unknown. A claim
    of an older generation is ignored, unless the group is a share group.
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
    """Return the data without topics that are null; None if no data remains."""
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
    # For Java, a member's empty rack is no rack. A broker's empty rack is a rack, which
    # RangeAssignor compares with other racks.
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
    # Java and Python sort ASCII alike. The order of other names is always recorded, without harm.
    return all(map(le, names, names[1:])) and "".join(names).isascii()


_NOTHING = np.full(1, UNKNOWN, dtype=np.int64)
_NOTHING.flags.writeable = False


def unknown_offsets(count: int) -> np.ndarray:
    """Return `count` unknown offsets, int64; all of them share one number in memory.

    `np.broadcast_to` takes eight times as long, and a cluster has thousands of groups.
    """
    return np.ndarray(count, np.int64, _NOTHING, strides=(0,))


def _absent_or(column: np.ndarray) -> np.ndarray:
    """Return the column; if no value is known, return `unknown_offsets` to save memory."""
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
    """Return the group's level of completeness.

    1: end offsets or lag are known. 2: owners are known. 3: all members are known. 4: all
    subscriptions are known. A committed offset alone gives no lag.
    """
    if members and current is not None:
        if "members" in assumed:
            return 2
        return 3 if are_subscriptions_assumed(assumed) else 4
    return int(any((column != UNKNOWN).any() for column in (topics.end_offset, topics.given_lag)))
