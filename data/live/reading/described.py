"""Described: what the coordinator says of one group of any type."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from evenkeel.data.document import DEAD, STABLE, Held, Leader, Member, in_order, with_partitions
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.applications.applications import is_application
from evenkeel.data.live.reading.broker_errors import NO_GROUP, error_word
from evenkeel.data.live.reading.classic import classic_members
from evenkeel.data.live.wire.leader import leader_of
from evenkeel.data.live.wire.raw_groups import Listed


@dataclass(frozen=True)
class Described:
    """What the answer says. `members` are in its order. `problems`: one line each. `assumed`: paths of the group document.

    `matched`: topics that members subscribe to by an expression. `leader`: whose code assigns a classic group, None where unknown.
    `streams`: the answer itself, of an application of Kafka Streams.
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
    streams: Any = None


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
        found |= connection.ask(lambda ids=ids, group_type=group_type: connection.raw.described(ids, group_type))
    return found


def described(answer: Any, group_type: str) -> Described:
    """Read the answer about one group; one that is refused or gone has no state and says why."""
    if answer.error_code:
        return Described(group_type, "", problems=[error_word(answer.error_code)])
    found = {"consumer": _consumer, "share": _share, "streams": _streams}.get(group_type, _classic)(answer)
    return replace(found, streams=answer) if is_application(answer) else found


def _classic(answer: Any) -> Described:
    """Kafka before 4.0 answers `Dead`, without an error, for a group that it does not have."""
    if answer.group_state == DEAD:
        return Described("classic", "", problems=[NO_GROUP])
    leader, protocol = leader_of(answer.members, answer.protocol_data), answer.protocol_data or None
    members, unknown, problems = classic_members(answer, leader and leader.client)
    if members and answer.group_state != STABLE:
        problems.append(f"{answer.group_state}: subscriptions are unknown until the rebalance is over")
    return Described("classic", answer.group_state, protocol, members=members, assumed=unknown, problems=problems, leader=leader)


def _consumer(answer: Any) -> Described:
    members = [_consumer_member(one) for one in answer.members]
    return Described("consumer", answer.group_state, answer.assignor_name or None, answer.group_epoch, answer.assignment_epoch, members)


def _consumer_member(one: Any) -> Member:
    """Keep the target in the coordinator's order.

    Among topics whose ids share a bucket in Java's maps, the order decides what the member gives up next.
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
    )


def _share(answer: Any) -> Described:
    members = [
        Member(**_about(one), subscribed=sorted(one.subscribed_topic_names), owned=_held(one.assignment), epoch=max(one.member_epoch, 0))
        for one in answer.members
    ]
    return Described("share", answer.group_state, answer.assignor_name or None, answer.group_epoch, answer.assignment_epoch, members)


def _streams(answer: Any) -> Described:
    """Tasks become partitions of the source topics of their subtopology."""
    parts = {} if answer.topology is None else {one.subtopology_id: one for one in answer.topology.subtopologies or ()}
    topics = {name: sorted({*one.source_topics, *(topic.name for topic in one.repartition_source_topics)}) for name, one in parts.items()}
    every = sorted({topic for some in topics.values() for topic in some})
    members = [
        Member(**_about(one), subscribed=every, owned=_of_tasks(one.target_assignment, topics), epoch=max(one.member_epoch, 0))
        for one in answer.members
    ]
    return Described("streams", answer.group_state, None, answer.group_epoch, answer.assignment_epoch, members)


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
