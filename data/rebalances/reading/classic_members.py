"""Compares two consecutive records of a classic group: triggers, owners and moves."""

from collections.abc import Iterable, Mapping

from evenkeel.assignors.group.snapshot import partition_name, topic_and_number
from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.wire.consumer_protocol import assignment, subscription
from evenkeel.data.live.wire.coordinator_records import (
    MAX_PARTITIONS,
    ClassicGroup,
    ClassicMember,
    Owned,
)
from evenkeel.data.rebalances.event import Member, Trigger

_COOPERATIVE = "cooperative-sticky"
_LEFT_OTHERS = ("session_timeout", "poll_timeout")


def member_of(member: ClassicMember) -> Member:
    """Return the member with its ids."""
    return Member(member.member_id, member.client_id or None, member.instance_id)


def living_generation(group: ClassicGroup | None) -> int | None:
    """Return the generation of a group with members; None for an empty group.

    Kafka does not convert an empty classic group to the consumer protocol: it creates a new group.
    """
    return group.generation if group and group.members else None


def triggers_between(
    came: list[Member], went: list[Member], at: int | None, place: str
) -> list[Trigger]:
    """Return one trigger for each member that joined, then one for each member that left."""
    gone = {member.client_id for member in went}
    comes_back = ("coordinator_moved", "session_timeout")
    joins = [
        Trigger("member_joined", at, place, member, comes_back if member.client_id in gone else ())
        for member in came
    ]
    return joins + [Trigger("member_left", at, place, member, _LEFT_OTHERS) for member in went]


def trigger_of_same_members(before: ClassicGroup, now: ClassicGroup, place: str) -> Trigger:
    """Return the trigger of a rebalance in which no member joined or left."""
    had = {member.instance_id or member.member_id: _subscribed(member) for member in before.members}
    changed = next(
        (
            member
            for member in now.members
            if _subscribed(member) != had[member.instance_id or member.member_id]
        ),
        None,
    )
    if changed is not None:
        return Trigger("subscription_changed", None, place, member_of(changed))
    leader = next(
        (member_of(member) for member in now.members if member.member_id == now.leader), None
    )
    if now.protocol == _COOPERATIVE:
        return Trigger("follow_up", None, place, None, ("leader_rejoined", "metadata_changed"))
    if len(owners_of(now)) > len(owners_of(before)):
        return Trigger("metadata_changed", None, place, leader)
    return Trigger(
        "leader_rejoined", None, place, leader, ("metadata_changed", "coordinator_moved")
    )


def _subscribed(member: ClassicMember) -> frozenset[str] | None:
    try:
        return frozenset(subscription(member.subscription).topics)
    except SnapshotError:
        return None


def owners_of(group: ClassicGroup | None) -> dict[str, str]:
    """Return the owner of each partition.

    If a member's assignment cannot be decoded as Kafka's consumer protocol, its partitions are left
    out.
    """
    owners: dict[str, str] = {}
    for member in group.members if group else ():
        for topic, numbers in _assigned(member).items():
            if len(owners) + len(numbers) > MAX_PARTITIONS:
                return owners
            owners |= {partition_name(topic, number): member_of(member).name for number in numbers}
    return owners


def _assigned(member: ClassicMember) -> Owned:
    try:
        return assignment(member.assignment)
    except SnapshotError:
        return {}


def moves_between(
    before: Mapping[str, str], now: Mapping[str, str]
) -> list[tuple[str, str | None, str | None]]:
    """Return (partition, former owner, new owner) for each partition whose owner changed."""
    names: Iterable[str] = sorted({*before, *now}, key=topic_and_number)
    return [
        (name, before.get(name), now.get(name))
        for name in names
        if before.get(name) != now.get(name)
    ]
