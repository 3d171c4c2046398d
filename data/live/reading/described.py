"""The coordinator's description of a group of any type."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from evenkeel.assignors.protocol import CLASSIC, CONSUMER, SHARE, STREAMS
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.group import unknown_paths
from evenkeel.data.group.document import (
    DEAD,
    STABLE,
    Held,
    JoinedWith,
    Leader,
    Member,
    in_order,
    with_partitions,
)
from evenkeel.data.group.document.shape import MemberProtocol
from evenkeel.data.live.connection import NO_GROUP, Connection, error_word
from evenkeel.data.live.reading.applications import is_application
from evenkeel.data.live.wire.consumer_protocol import (
    Subscription,
    assignment_with_user_data,
    cooperative_generation,
    ours,
    sticky,
    subscription,
)
from evenkeel.data.live.wire.leader import LeaderFacts, told_by
from evenkeel.data.live.wire.raw_groups import GroupListing
from evenkeel.data.text.formats import first_of


@dataclass(frozen=True)
class GroupDescription:
    """The content of a coordinator's answer about a group. `members`: in the order of the answer.
    `problems`: one line each. `assumed`: paths of assumed values in the group document.

    `matched`: topics that match a member's regular expression. `leader`: client of the leader of a
    classic group, None if unknown. `clients`: possible clients of each classic member, according to
    its user data. `auto_offset_reset`: None if members report different values, or if none reports
    a value. `streams`: the coordinator's answer, only for a Kafka Streams application. `refused`:
    reason why the group has no document.
    """

    group_type: str
    state: str
    assignor: str | None = None
    group_epoch: int | None = None
    assignment_epoch: int | None = None
    members: list[Member] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    matched: frozenset[str] = frozenset()
    leader: Leader | None = None
    auto_offset_reset: str | None = None
    protocol_type: str | None = None
    clients: Sequence[frozenset[str]] | None = None
    streams: Any = None
    refused: str = ""


def answers(connection: Connection, listed: Iterable[GroupListing]) -> dict[str, Any]:
    """Describe each group with the request for its type. Return the coordinators' answers by group
    id.

    Raises
    ------
    SnapshotError
        If the cluster does not answer.
    """
    by_type: dict[str, list[str]] = {}
    for group in listed:
        by_type.setdefault(group.group_type, []).append(group.group_id)
    answers_by_group: dict[str, Any] = {}
    for group_type, ids in by_type.items():
        answers_by_group |= connection.ask(partial(connection.raw.described, ids, group_type))
    return answers_by_group


def described(answer: Any, group_type: str) -> GroupDescription:
    """Return the content of the answer about a group. If the group is refused or does not exist,
    the result has a problem and an empty state.
    """
    if answer.error_code:
        return GroupDescription(group_type, "", problems=[error_word(answer.error_code)])
    group = {CONSUMER: _consumer, SHARE: _share, STREAMS: _streams}.get(group_type, _classic)(
        answer
    )
    return replace(group, streams=answer) if is_application(answer) else group


def _classic(answer: Any) -> GroupDescription:
    """Return a classic group. If a group does not exist, Kafka before 4.0 reports the state `Dead`
    and no error.
    """
    if answer.group_state == DEAD:
        return GroupDescription(CLASSIC, "", problems=[NO_GROUP])
    leader_words, protocol = (
        told_by(answer.members, answer.protocol_data),
        answer.protocol_data or None,
    )
    members, unknown, problems = classic_members(answer, leader_words)
    if members and answer.group_state != STABLE:
        problems.append(
            f"{answer.group_state}: subscriptions are unknown until the rebalance is over"
        )
    resets, kept_problems = package_facts(answer.members, leader_words.sent)
    about: dict[str, Any] = {
        "leader": leader_words.leader,
        "clients": leader_words.possible,
        "protocol_type": answer.protocol_type or None,
        "auto_offset_reset": resets.pop() if len(resets) == 1 else None,
    }
    return GroupDescription(
        CLASSIC,
        answer.group_state,
        protocol,
        members=members,
        assumed=unknown,
        problems=problems + kept_problems,
        **about,
    )


_UNKNOWN_TYPE = -1
_PROTOCOLS: dict[int, MemberProtocol] = {0: CLASSIC, 1: CONSUMER}
"""Values of `MemberType` in ConsumerGroupDescribe 1. Brokers of Kafka 3 do not report it."""


def _consumer(answer: Any) -> GroupDescription:
    members = [_consumer_member(member) for member in answer.members]
    return GroupDescription(
        CONSUMER,
        answer.group_state,
        answer.assignor_name or None,
        answer.group_epoch,
        answer.assignment_epoch,
        members,
    )


def _consumer_member(member: Any) -> Member:
    """Return a member. The partitions of its target assignment stay in the coordinator's order.

    This order decides which partitions the member revokes next if the topic ids are in the same
    bucket of Java's hash map.
    """
    target, current = _held(member.target_assignment), in_order(_held(member.assignment))
    is_there = with_partitions(in_order(target)) == with_partitions(current)
    return Member(
        **_about(member),
        subscribed=sorted(member.subscribed_topic_names),
        owned=target,
        current=None if is_there else current,
        subscribed_regex=member.subscribed_topic_regex or None,
        epoch=max(member.member_epoch, 0),
        protocol=_PROTOCOLS.get(getattr(member, "member_type", _UNKNOWN_TYPE)),
    )


def _share(answer: Any) -> GroupDescription:
    members = [
        Member(
            **_about(member),
            subscribed=sorted(member.subscribed_topic_names),
            owned=_held(member.assignment),
            epoch=max(member.member_epoch, 0),
        )
        for member in answer.members
    ]
    return GroupDescription(
        SHARE,
        answer.group_state,
        answer.assignor_name or None,
        answer.group_epoch,
        answer.assignment_epoch,
        members,
    )


def _streams(answer: Any) -> GroupDescription:
    """Return a streams group. An active task is shown as the partitions of source topics that it
    reads.
    """
    parts = (
        {}
        if answer.topology is None
        else {
            subtopology.subtopology_id: subtopology
            for subtopology in answer.topology.subtopologies or ()
        }
    )
    topics = {
        name: sorted(
            {
                *subtopology.source_topics,
                *(topic.name for topic in subtopology.repartition_source_topics),
            }
        )
        for name, subtopology in parts.items()
    }
    every = sorted({topic for some in topics.values() for topic in some})
    members = [
        Member(
            **_about(member),
            subscribed=every,
            owned=_of_tasks(member.target_assignment, topics),
            epoch=max(member.member_epoch, 0),
        )
        for member in answer.members
    ]
    return GroupDescription(
        STREAMS, answer.group_state, None, answer.group_epoch, answer.assignment_epoch, members
    )


def _of_tasks(assignment: Any, topics: dict[str, list[str]]) -> Held:
    owned: dict[str, set[int]] = {}
    for task in assignment.active_tasks:
        for topic in topics.get(task.subtopology_id, ()):
            owned.setdefault(topic, set()).update(task.partitions)
    return in_order(owned)


def _about(member: Any) -> dict[str, Any]:
    instance = getattr(member, "instance_id", None)
    return {
        "member_id": member.member_id,
        "client_id": member.client_id,
        "host": member.client_host,
        "instance_id": instance or None,
        "rack": member.rack_id or None,
    }


def _held(assignment: Any) -> dict[str, list[int]]:
    return {topic.topic_name: list(topic.partitions) for topic in assignment.topic_partitions}


# Members of a classic group: their subscriptions, and the owned partitions at the start of the next
# rebalance.


_NONE = -1
_MOST_KEPT, _LONGEST_WHY = 20, 200
_NUMBER = 4
"""Bytes of a generation."""


class _MemberReading(NamedTuple):
    """The decoded data of a member. Fields are null if unreadable."""

    answer: Any
    sent: Subscription | None
    joined: JoinedWith | None
    owned: Held | None
    user_data: int | None = None


def classic_members(answer: Any, facts: LeaderFacts) -> tuple[list[Member], list[str], list[str]]:
    """Return the members of a DescribeGroups answer, the paths of unknown values, and problems.

    Only a group in state Stable has metadata. A member without metadata is assumed to subscribe to
    every owned topic. The answer does not have the generation of the group. So the generation of
    all owned partitions is assumed: one more than the highest generation that a member sent. If
    `facts` has the leader's client, user data is decoded as this client decodes it.
    """
    problems: list[str] = []
    leader = facts.leader.client if facts.leader else None
    read = [
        _read(member, sent, answer.protocol_data, leader, problems)
        for member, sent in zip(answer.members, facts.sent, strict=True)
    ]
    generation = (
        max(
            (
                member.joined.generation
                for member in read
                if member.joined and member.joined.generation is not None
            ),
            default=_NONE,
        )
        + 1
    )
    everything = sorted({topic for member in read for topic in member.owned or ()})
    members = [_member(member, everything, generation) for member in read]
    unknown = unknown_paths("subscribed", [member.sent is None for member in read]) + unknown_paths(
        "owned", [member.owned is None for member in read]
    )
    return members, unknown, problems


def package_facts(
    members: Iterable[Any], sent: Iterable[Subscription | None]
) -> tuple[set[str | None], list[str]]:
    """Return what Evenkeel's own assignors report in user data: the values of `auto_offset_reset`,
    and a problem if the leader kept the owners of a topic because lags were unknown.
    """
    resets, problems = set(), []
    for member, own in zip(members, sent, strict=True):
        package = ours(own.user_data) if own else None
        if package is None:
            continue
        resets.add(package.auto_offset_reset)
        if package.last.kept_topics:
            topics, why = (
                ", ".join(first_of(package.last.kept_topics, _MOST_KEPT)),
                (package.last.why or "unknown")[:_LONGEST_WHY],
            )
            problems.append(
                f"{member.member_id}: as leader it kept the owners of {topics}, because lags were"
                f" unknown: {why}"
            )
    return resets, problems


def _member(member: _MemberReading, everything: list[str], generation: int) -> Member:
    return Member(
        member_id=member.answer.member_id,
        subscribed=everything if member.sent is None else list(dict.fromkeys(member.sent.topics)),
        client_id=member.answer.client_id,
        host=member.answer.client_host,
        instance_id=member.answer.group_instance_id or None,
        rack=member.sent.rack if member.sent else None,
        owned=member.owned,
        generation=generation,
        joined_with=member.joined,
        assignment_user_data=member.user_data,
    )


def _read(
    member: Any, own: Subscription | None, protocol: str, leader: str | None, problems: list[str]
) -> _MemberReading:
    """Decode the data of a member. `own`: the member's decoded subscription, None if missing or
    unreadable. Unreadable bytes are decoded again, because the error is needed.
    """
    sent = joined = owned = user_data = None
    try:
        given, written = assignment_with_user_data(bytes(member.member_assignment))
        owned, user_data = in_order(given), len(written or b"")
        if member.member_metadata:
            sent = own or subscription(bytes(member.member_metadata))
            joined = _joined(sent, protocol, leader)
    except SnapshotError as error:
        problems.append(f"{member.member_id}: {error}")
    return _MemberReading(member, sent, joined, owned, user_data)


def _joined(sent: Subscription, protocol: str, leader: str | None) -> JoinedWith:
    """Return what the leader's assignor learns from a member's subscription. Partitions are in the
    member's order, because some clients use this order.
    """
    # Members of `sticky` send owned partitions in user data, not in the protocol's own field.
    if protocol == "sticky":
        remembered = sticky(sent.user_data, leader) if sent.user_data else None
        if remembered is None:
            return JoinedWith({}, _NONE)
        return JoinedWith(
            remembered.owned, _NONE if remembered.generation is None else remembered.generation
        )
    if sent.owned is None and (package := ours(sent.user_data)):
        return JoinedWith(package.owned, max(package.generation, _NONE))
    generation = _NONE if sent.generation is None else sent.generation
    # Subscriptions before version 2 have no generation. Java's members send it in user data of four
    # bytes; user data of other clients is longer.
    if (
        protocol == "cooperative-sticky"
        and generation < 0
        and len(sent.user_data or b"") == _NUMBER
    ):
        generation = cooperative_generation(sent.user_data or b"")
    return JoinedWith(sent.owned or {}, max(generation, _NONE))
