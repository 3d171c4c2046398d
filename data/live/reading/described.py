"""Described: what the coordinator says of one group of any type."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
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
from evenkeel.data.live.wire.leader import Told, told_by
from evenkeel.data.live.wire.raw_groups import Listed
from evenkeel.data.text.formats import first_of


@dataclass(frozen=True)
class Described:
    """What the answer says. `members` are in its order. `problems`: one line each. `assumed`: paths
    of the group document.

    `matched`: topics that members subscribe to by an expression. `leader`: whose code assigns a
    classic group, None where unknown. `clients`: what each member of a classic group can be by its
    bytes. `auto_offset_reset`: of members that say it and agree. `streams`: the answer itself, of
    an application of Kafka Streams. `refused`: why no document can be made.
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


def answers(connection: Connection, listed: Iterable[Listed]) -> dict[str, Any]:
    """Ask each group's coordinator with the request of its type; return answers by group id.

    Raises
    ------
    SnapshotError
        When the cluster does not answer.
    """
    by_type: dict[str, list[str]] = {}
    for one in listed:
        by_type.setdefault(one.group_type, []).append(one.group_id)
    found = {}
    for group_type, ids in by_type.items():
        found |= connection.ask(
            lambda ids=ids, group_type=group_type: connection.raw.described(ids, group_type)
        )
    return found


def described(answer: Any, group_type: str) -> Described:
    """Read the answer about one group; one that is refused or gone has no state and says why."""
    if answer.error_code:
        return Described(group_type, "", problems=[error_word(answer.error_code)])
    found = {CONSUMER: _consumer, SHARE: _share, STREAMS: _streams}.get(group_type, _classic)(
        answer
    )
    return replace(found, streams=answer) if is_application(answer) else found


def _classic(answer: Any) -> Described:
    """Kafka before 4.0 answers `Dead`, without an error, for a group that it does not have."""
    if answer.group_state == DEAD:
        return Described(CLASSIC, "", problems=[NO_GROUP])
    told, protocol = told_by(answer.members, answer.protocol_data), answer.protocol_data or None
    members, unknown, problems = classic_members(answer, told)
    if members and answer.group_state != STABLE:
        problems.append(
            f"{answer.group_state}: subscriptions are unknown until the rebalance is over"
        )
    resets, kept = told_by_package(answer.members, told.sent)
    about: dict[str, Any] = {
        "leader": told.leader,
        "clients": told.possible,
        "protocol_type": answer.protocol_type or None,
        "auto_offset_reset": resets.pop() if len(resets) == 1 else None,
    }
    return Described(
        CLASSIC,
        answer.group_state,
        protocol,
        members=members,
        assumed=unknown,
        problems=problems + kept,
        **about,
    )


_UNKNOWN_TYPE = -1
_PROTOCOLS = {0: CLASSIC, 1: CONSUMER}
"""By the `MemberType` of ConsumerGroupDescribe 1; brokers of Kafka 3 do not tell it."""


def _consumer(answer: Any) -> Described:
    members = [_consumer_member(one) for one in answer.members]
    return Described(
        CONSUMER,
        answer.group_state,
        answer.assignor_name or None,
        answer.group_epoch,
        answer.assignment_epoch,
        members,
    )


def _consumer_member(one: Any) -> Member:
    """Keep the target in the coordinator's order.

    Among topics whose ids share a bucket in Java's maps, the order decides what the member gives up
    next.
    """
    target, current = _held(one.target_assignment), in_order(_held(one.assignment))
    is_there = with_partitions(in_order(target)) == with_partitions(current)
    return Member(
        **_about(one),
        subscribed=sorted(one.subscribed_topic_names),
        owned=target,
        current=None if is_there else current,
        subscribed_regex=one.subscribed_topic_regex or None,
        epoch=max(one.member_epoch, 0),
        protocol=_PROTOCOLS.get(getattr(one, "member_type", _UNKNOWN_TYPE)),
    )


def _share(answer: Any) -> Described:
    members = [
        Member(
            **_about(one),
            subscribed=sorted(one.subscribed_topic_names),
            owned=_held(one.assignment),
            epoch=max(one.member_epoch, 0),
        )
        for one in answer.members
    ]
    return Described(
        SHARE,
        answer.group_state,
        answer.assignor_name or None,
        answer.group_epoch,
        answer.assignment_epoch,
        members,
    )


def _streams(answer: Any) -> Described:
    """Tasks become partitions of the source topics of their subtopology."""
    parts = (
        {}
        if answer.topology is None
        else {one.subtopology_id: one for one in answer.topology.subtopologies or ()}
    )
    topics = {
        name: sorted({*one.source_topics, *(topic.name for topic in one.repartition_source_topics)})
        for name, one in parts.items()
    }
    every = sorted({topic for some in topics.values() for topic in some})
    members = [
        Member(
            **_about(one),
            subscribed=every,
            owned=_of_tasks(one.target_assignment, topics),
            epoch=max(one.member_epoch, 0),
        )
        for one in answer.members
    ]
    return Described(
        STREAMS, answer.group_state, None, answer.group_epoch, answer.assignment_epoch, members
    )


def _of_tasks(assignment: Any, topics: dict[str, list[str]]) -> Held:
    owned: dict[str, set[int]] = {}
    for task in assignment.active_tasks:
        for topic in topics.get(task.subtopology_id, ()):
            owned.setdefault(topic, set()).update(task.partitions)
    return in_order(owned)


def _about(one: Any) -> dict[str, str | None]:
    instance = getattr(one, "instance_id", None)
    return {
        "member_id": one.member_id,
        "client_id": one.client_id,
        "host": one.client_host,
        "instance_id": instance or None,
        "rack": one.rack_id or None,
    }


def _held(assignment: Any) -> Held:
    return {one.topic_name: list(one.partitions) for one in assignment.topic_partitions}


# Members of a classic group: what they sent when they joined, and what they own, which the next
# rebalance starts from.


_NONE = -1
_MOST_KEPT, _LONGEST_WHY = 20, 200
_NUMBER = 4
"""Bytes of a generation."""


class _Read(NamedTuple):
    """One member as read; null for what could not be read."""

    answer: Any
    sent: Subscription | None
    joined: JoinedWith | None
    owned: Held | None
    user_data: int | None = None


def classic_members(answer: Any, told: Told) -> tuple[list[Member], list[str], list[str]]:
    """Return the members of a DescribeGroups answer, the paths of unknown values, and problems.

    Metadata is there only in state Stable. Without it a member counts as subscribed to every topic
    that any member owns. All members own their partitions with one generation, the highest that any
    member joined with + 1: no answer tells the group's own. `told`: what their bytes tell; a leader
    that is known reads what the others sent.
    """
    problems: list[str] = []
    leader = told.leader and told.leader.client
    read = [
        _read(one, sent, answer.protocol_data, leader, problems)
        for one, sent in zip(answer.members, told.sent, strict=True)
    ]
    generation = (
        max(
            (
                one.joined.generation
                for one in read
                if one.joined and one.joined.generation is not None
            ),
            default=_NONE,
        )
        + 1
    )
    everything = sorted({topic for one in read for topic in one.owned or ()})
    members = [_member(one, everything, generation) for one in read]
    unknown = unknown_paths("subscribed", [one.sent is None for one in read]) + unknown_paths(
        "owned", [one.owned is None for one in read]
    )
    return members, unknown, problems


def told_by_package(
    members: Iterable[Any], sent: Iterable[Subscription | None]
) -> tuple[set[str | None], list[str]]:
    """Return what members with Evenkeel's own assignors say: each `auto_offset_reset`, and a line
    where a leader kept owners.
    """
    resets, kept = set(), []
    for one, own in zip(members, sent, strict=True):
        told = own and ours(own.user_data)
        if told is None:
            continue
        resets.add(told.auto_offset_reset)
        if told.last.kept:
            topics, why = (
                ", ".join(first_of(told.last.kept, _MOST_KEPT)),
                (told.last.why or "unknown")[:_LONGEST_WHY],
            )
            kept.append(
                f"{one.member_id}: lags of {topics} when it last led, so owners were kept: {why}"
            )
    return resets, kept


def _member(one: _Read, everything: list[str], generation: int) -> Member:
    return Member(
        member_id=one.answer.member_id,
        subscribed=everything if one.sent is None else list(dict.fromkeys(one.sent.topics)),
        client_id=one.answer.client_id,
        host=one.answer.client_host,
        instance_id=one.answer.group_instance_id or None,
        rack=one.sent.rack if one.sent else None,
        owned=one.owned,
        generation=generation,
        joined_with=one.joined,
        assignment_user_data=one.user_data,
    )


def _read(
    one: Any, own: Subscription | None, protocol: str, leader: str | None, problems: list[str]
) -> _Read:
    """Read a member; `own`: what it sent, None where that is missing or unreadable; unreadable
    bytes are decoded again for their error.
    """
    sent = joined = owned = user_data = None
    try:
        given, written = assignment_with_user_data(bytes(one.member_assignment))
        owned, user_data = in_order(given), len(written or b"")
        if one.member_metadata:
            sent = own or subscription(bytes(one.member_metadata))
            joined = _joined(sent, protocol, leader)
    except SnapshotError as error:
        problems.append(f"{one.member_id}: {error}")
    return _Read(one, sent, joined, owned, user_data)


def _joined(sent: Subscription, protocol: str, leader: str | None) -> JoinedWith:
    """Return what the leader's assignor of this name reads from a member; the order is the
    member's, because some clients follow it.
    """
    # Members of `sticky` send what they own as user data; their owned partitions in the protocol
    # are empty.
    if protocol == "sticky":
        remembered = sticky(sent.user_data, leader) if sent.user_data else None
        if remembered is None:
            return JoinedWith({}, _NONE)
        return JoinedWith(
            remembered.owned, _NONE if remembered.generation is None else remembered.generation
        )
    if sent.owned is None and (told := ours(sent.user_data)):
        return JoinedWith(told.owned, max(told.generation, _NONE))
    generation = _NONE if sent.generation is None else sent.generation
    # Subscriptions before version 2 have no generation; Java's members send it as user data, other
    # clients' user data is longer.
    if (
        protocol == "cooperative-sticky"
        and generation < 0
        and len(sent.user_data or b"") == _NUMBER
    ):
        generation = cooperative_generation(sent.user_data)
    return JoinedWith(sent.owned or {}, max(generation, _NONE))
