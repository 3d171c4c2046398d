"""Inputs that decide an answer and are unknown, as member order and racks, and inputs that no assignor can use."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.group import NO_RACK, NO_TP, GroupSnapshot
from evenkeel.assignors.protocol import Assignor

MEMBER_ORDER = "member order"
MEMBER_RACKS = "member racks"
REPLICA_RACKS = "replica racks"

_JAVA = "java"


def order_decides(group: GroupSnapshot, assignor: Assignor, answer: Assignment) -> bool:
    """Tell whether the answer changes if the coordinator lists the members in reverse, which also reverses every bucket of its map."""
    if not assignor.uses_member_order:
        return False
    turned = _turned(group)
    # Java's leader walks a map of the members; other clients walk the list itself.
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
    """Return which racks are missing: those of members or of replicas, where an assignor that uses racks is given only the other half."""
    of_members, of_replicas = bool((group.member_rack != NO_RACK).any()), bool((group.replica_rack != NO_RACK).any())
    if not assignor.uses_racks or of_members == of_replicas:
        return None
    return REPLICA_RACKS if of_members else MEMBER_RACKS


def _turned(group: GroupSnapshot) -> GroupSnapshot:
    """Return the group with its members in reverse order; the claims of a member keep their order."""
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


# Inputs that contradict themselves


class InputFaults(NamedTuple):
    """Rows of the group, ascending, each once.

    Parameters
    ----------
    unread : int64
        Topics with partitions and without subscribers.
    missing : int64 (N, 2)
        (topic, member): a subscription to a topic that the input lacks.
    beyond : int64 (N, 3)
        (member, topic, partition): a claim to a partition that the topic does not have.
    contested : int64 (N, 2)
        (topic-partition, member): claims to a partition that several members claim.
    """

    unread: np.ndarray
    missing: np.ndarray
    beyond: np.ndarray
    contested: np.ndarray


def input_faults(group: GroupSnapshot) -> InputFaults:
    """Return the faults of a group."""
    unread = np.flatnonzero(group.topic_known & (group.partition_count > 0) & ~group.in_play)
    outside = group.claim_tp == NO_TP
    beyond = np.column_stack((group.claim_member, group.claim_topic, group.claim_partition))[outside]
    return InputFaults(unread, _missing(group), np.unique(beyond.astype(np.int64), axis=0), _contested(group))


def _missing(group: GroupSnapshot) -> np.ndarray:
    unknown = np.flatnonzero(~group.topic_known)
    listed_by = {topic: np.flatnonzero(group.is_listed[group.subscription, topic]) for topic in unknown.tolist()}
    pairs = [(topic, member) for topic, members in listed_by.items() for member in members.tolist()]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _contested(group: GroupSnapshot) -> np.ndarray:
    inside = group.claim_tp != NO_TP
    times = np.bincount(group.claim_tp[inside], minlength=group.tp_count)
    several = np.flatnonzero(inside)[times[group.claim_tp[inside]] > 1]
    pairs = np.unique(np.column_stack((group.claim_tp[several], group.claim_member[several])).astype(np.int64), axis=0)
    # Counted again, because a member that claims a partition twice is one claimant.
    claimants = np.bincount(pairs[:, 0], minlength=group.tp_count)
    return pairs[claimants[pairs[:, 0]] > 1]
