"""Facts: notes on the assignment of an assignor, for example which unknown inputs could change it.
Also contradictions in the input.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import (
    MEMBER_ORDER,
    MEMBER_RACKS,
    REPLICA_RACKS,
    Assignment,
    AssignorError,
    NotKnownError,
)
from evenkeel.assignors.compare.comparison import Row
from evenkeel.assignors.compare.quirks import Quirk, quirks
from evenkeel.assignors.group import NO_RACK, NO_TP, GroupSnapshot
from evenkeel.assignors.kafka.sticky.assignor import racks_in_play
from evenkeel.assignors.protocol import SHARE, Assignor
from evenkeel.assignors.rounds.switch import Switch, switch


class Sharing(NamedTuple):
    """How members share partitions in a share group.

    `member_count`: members that read a partition together with another member. `partition_count`:
    partitions that several members read.
    """

    member_count: int
    partition_count: int


class Facts(NamedTuple):
    """Notes on the assignment of one assignor.

    `switch`: the rounds of the switch to this assignment; None if the current owners or the kind
    of rebalance are unknown, or if Kafka throws during the switch. `unknown`: unknown inputs that
    could change the assignment. `by_racks`: number of partitions whose owner depends on racks.
    `sharing`: for share groups only. `later_error`: the exception in a later round of the switch.
    """

    switch: Switch | None
    quirks: tuple[Quirk, ...]
    unknown: tuple[str, ...]
    by_racks: int = 0
    sharing: Sharing | None = None
    later_error: AssignorError | None = None


NO_FACTS = Facts(None, (), ())


def facts_of(
    group: GroupSnapshot,
    current: Assignment | None,
    assignor: Assignor,
    row: Row,
    is_order_known: bool,
) -> Facts:
    """Return the notes on an assignor of the comparison.

    `is_order_known`: whether the group lists the members in the order of the coordinator.
    """
    if isinstance(row.error, NotKnownError):
        return NO_FACTS
    if row.assignment is None:
        return Facts(None, quirks(group, assignor, None), ())
    unknown = [racks] if (racks := missing_racks(group, assignor)) else []
    if not is_order_known and order_decides(group, assignor, row.assignment):
        unknown.append(MEMBER_ORDER)
    struck = quirks(group, assignor, row.assignment)
    shared = sharing(group, row.assignment) if assignor.group_type == SHARE else None
    moved_by_racks = rack_effect(group, assignor, row.assignment)
    way, error = _switch(group, current, assignor, row.assignment)
    return Facts(way, struck, tuple(unknown), moved_by_racks, shared, error)


def _switch(
    group: GroupSnapshot, current: Assignment | None, assignor: Assignor, answer: Assignment
) -> tuple[Switch | None, AssignorError | None]:
    if current is None:
        return None, None
    try:
        return switch(group, current, assignor, answer), None
    except AssignorError as error:
        return None, error


# Effect of racks


def rack_effect(group: GroupSnapshot, assignor: Assignor, answer: Assignment) -> int:
    """Return the number of partitions that would have another owner if the members had no racks.
    Withheld partitions count as assigned.
    """
    if not assignor.uses_racks or racks_in_play(group, 0) is None:
        return 0
    try:
        plain = assignor.assign(
            replace(group, member_rack=np.full_like(group.member_rack, NO_RACK))
        )
    except AssignorError:
        return 0
    return int(np.count_nonzero(plain.handed_out().owner != answer.handed_out().owner))


# Shared partitions of share groups


def sharing(group: GroupSnapshot, answer: Assignment) -> Sharing | None:
    """Return how many members share partitions, and how many partitions are shared. None if no
    partition is shared.
    """
    member, topic, partition = answer.extra.T
    inside = partition < group.partition_count[topic]
    tps = group.first_tp[topic[inside]] + partition[inside]
    if not tps.size:
        return None
    readers = np.unique(np.append(member[inside], answer.owner[tps]))
    return Sharing(readers.size, np.unique(tps).size)


# Unknown inputs that decide an answer: member order and racks


_JAVA = "java"


def order_decides(group: GroupSnapshot, assignor: Assignor, answer: Assignment) -> bool:
    """Return whether the assignment changes if the coordinator lists the members in reverse."""
    if not assignor.uses_member_order:
        return False
    turned = _turned(group)
    # A leader with Java's client uses a map of the members. Other clients use the list itself.
    row = group.member_count - 1 - turned.member_map_order.rows
    if assignor.client == _JAVA and np.array_equal(row, group.member_map_order.rows):
        return False
    try:
        other = assignor.assign(turned).handed_out()
    except AssignorError:
        return True
    owner = np.append(np.arange(group.member_count)[::-1], -1)[other.owner]
    return not np.array_equal(owner, answer.handed_out().owner)


def missing_racks(group: GroupSnapshot, assignor: Assignor) -> str | None:
    """Return the kind of racks that is missing: racks of members or racks of replicas. None if the
    assignor does not use racks, or if both kinds or neither kind is known.
    """
    of_members, of_replicas = (
        bool((group.member_rack != NO_RACK).any()),
        bool((group.replica_rack != NO_RACK).any()),
    )
    if not assignor.uses_racks or of_members == of_replicas:
        return None
    return REPLICA_RACKS if of_members else MEMBER_RACKS


def _turned(group: GroupSnapshot) -> GroupSnapshot:
    """Return the group with its members in reverse order. The order of each member's claims does
    not change.
    """
    last = group.member_count - 1
    order = np.argsort(last - group.claim_member, kind="stable")
    member, *empty = group.owned_empty[np.argsort(last - group.owned_empty[:, 0], kind="stable")].T
    return replace(
        group,
        member_id=group.member_id[::-1],
        instance_id=group.instance_id[::-1],
        member_rack=group.member_rack[::-1],
        generation=group.generation[::-1],
        subscription=group.subscription[::-1],
        claim_member=(last - group.claim_member)[order].astype(np.int32),
        claim_topic=group.claim_topic[order],
        claim_partition=group.claim_partition[order],
        owned_empty=np.column_stack((last - member, *empty)),
    )


# Contradictory inputs


class InputFaults(NamedTuple):
    """Contradictions in the input. Topics, members and partitions are row numbers, ascending and
    without duplicates.

    Parameters
    ----------
    unread : int64
        Topics that have partitions but no subscribers.
    missing : int64 (N, 2)
        (topic, member): the member subscribes to a topic that is missing in the input.
    beyond : int64 (N, 3)
        (member, topic, partition): the member claims a partition that the topic does not have.
    contested : int64 (N, 2)
        (partition, member): several members claim the partition.
    """

    unread: np.ndarray
    missing: np.ndarray
    beyond: np.ndarray
    contested: np.ndarray


def input_faults(group: GroupSnapshot) -> InputFaults:
    """Return the contradictions in the input of a group."""
    unread = np.flatnonzero(group.topic_known & (group.partition_count > 0) & ~group.in_play)
    outside = group.claim_tp == NO_TP
    beyond = np.column_stack((group.claim_member, group.claim_topic, group.claim_partition))[
        outside
    ]
    return InputFaults(
        unread, _missing(group), np.unique(beyond.astype(np.int64), axis=0), _contested(group)
    )


def _missing(group: GroupSnapshot) -> np.ndarray:
    unknown = np.flatnonzero(~group.topic_known)
    listed_by = {
        topic: np.flatnonzero(group.is_listed[group.subscription, topic])
        for topic in unknown.tolist()
    }
    pairs = [(topic, member) for topic, members in listed_by.items() for member in members.tolist()]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _contested(group: GroupSnapshot) -> np.ndarray:
    inside = group.claim_tp != NO_TP
    times = np.bincount(group.claim_tp[inside], minlength=group.tp_count)
    several = np.flatnonzero(inside)[times[group.claim_tp[inside]] > 1]
    pairs = np.unique(
        np.column_stack((group.claim_tp[several], group.claim_member[several])).astype(np.int64),
        axis=0,
    )
    # Claimants are counted without duplicates, because a member may claim a partition twice.
    claimants = np.bincount(pairs[:, 0], minlength=group.tp_count)
    return pairs[claimants[pairs[:, 0]] > 1]
