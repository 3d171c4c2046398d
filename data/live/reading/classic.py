"""Members of a classic group: what they sent when they joined, and what they own, which the next rebalance starts from."""

from typing import Any, NamedTuple

from evenkeel.data.columns.group import unknown_paths
from evenkeel.data.document import Held, JoinedWith, Member
from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.wire.consumer_protocol import Subscription, assignment, subscription
from evenkeel.data.live.wire.user_data import cooperative_generation, sticky

_NONE = -1
_NUMBER = 4
"""Bytes of a generation."""


class _Read(NamedTuple):
    """One member as read; null for what could not be read."""

    answer: Any
    sent: Subscription | None
    joined: JoinedWith | None
    owned: Held | None


def classic_members(answer: Any, leader: str | None = None) -> tuple[list[Member], list[str], list[str]]:
    """Return the members of a DescribeGroups answer, the paths of unknown values, and problems.

    Metadata is there only in state Stable. Without it a member counts as subscribed to every topic that any member owns. All members own
    their partitions with one generation, the highest that any member joined with + 1: no answer tells the group's own. `leader`: the
    client that leads, where that is known: it reads what the others sent.
    """
    problems: list[str] = []
    read = [_read(one, answer.protocol_data, leader, problems) for one in answer.members]
    generation = max((one.joined.generation for one in read if one.joined and one.joined.generation is not None), default=_NONE) + 1
    everything = sorted({topic for one in read for topic in one.owned or ()})
    members = [_member(one, everything, generation) for one in read]
    unknown = unknown_paths("subscribed", [one.sent is None for one in read]) + unknown_paths("owned", [one.owned is None for one in read])
    return members, unknown, problems


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
    )


def _read(one: Any, protocol: str, leader: str | None, problems: list[str]) -> _Read:
    sent = joined = owned = None
    try:
        owned = assignment(bytes(one.member_assignment))
        if one.member_metadata:
            sent = subscription(bytes(one.member_metadata))
            joined = _joined(sent, protocol, leader)
    except SnapshotError as error:
        problems.append(f"{one.member_id}: {error}")
    return _Read(one, sent, joined, owned)


def _joined(sent: Subscription, protocol: str, leader: str | None) -> JoinedWith:
    """Return what the leader's assignor of this name reads from a member; the order is the member's, because some clients follow it."""
    # Members of `sticky` send what they own as user data; their owned partitions in the protocol are empty.
    if protocol == "sticky":
        remembered = sticky(sent.user_data, leader) if sent.user_data else None
        if remembered is None:
            return JoinedWith({}, _NONE)
        return JoinedWith(remembered.owned, _NONE if remembered.generation is None else remembered.generation)
    generation = _NONE if sent.generation is None else sent.generation
    # Subscriptions before version 2 have no generation; Java's members send it as user data, other clients' user data is longer.
    if protocol == "cooperative-sticky" and generation < 0 and len(sent.user_data or b"") == _NUMBER:
        generation = cooperative_generation(sent.user_data)
    return JoinedWith(sent.owned or {}, max(generation, _NONE))
