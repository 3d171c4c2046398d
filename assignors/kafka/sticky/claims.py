"""Claims of members: owners before the assignment, partitions to assign, and the result type of
both sticky algorithms.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assumption
from evenkeel.assignors.group import NO_TP, GroupSnapshot

NO_ROWS = np.empty(0, dtype=np.int64)
_UNASSIGNED_BYTES = np.int32(UNASSIGNED).tobytes()
_NOTHING_BEYOND = np.empty((0, 2), dtype=np.int32)
NO_EXTRA = np.empty((0, 3), dtype=np.int32)


class Claims(NamedTuple):
    """Claims of topics that have partitions and a subscriber, K claims.

    `member`: int32 (K,), ascending. `row`: topic-partition, int64 (K,); P + n is entry n of
    `beyond`. `start`: number of each member's first claim, the last value is K, int64 (M + 1,).
    `beyond`: topic and partition number of claimed partitions that do not exist, int32 (B, 2),
    ascending.
    """

    member: np.ndarray
    row: np.ndarray
    start: np.ndarray
    beyond: np.ndarray


class PriorOwners(NamedTuple):
    """The owners before the assignment, after the leader has decided which claims are valid.

    `owner`: int32 (P + B,). `held_count`: number of partitions of each member, int64 (M,).
    `beyond`: as in Claims. `doubly`: partitions that several members claim in the same generation,
    int64. `assumed`: as in Assignment. `is_undisputed`: whether no partition is claimed by two
    members. `is_complete`: whether every partition is claimed by exactly one member.
    """

    owner: np.ndarray
    held_count: np.ndarray
    beyond: np.ndarray
    doubly: np.ndarray
    assumed: tuple[Assumption, ...]
    is_undisputed: bool = False
    is_complete: bool = False


def read_claims(group: GroupSnapshot) -> Claims:
    """Return the claims of topics that have partitions and a subscriber, including disputed
    claims.
    """
    if group.is_all_in_play and group.is_claimed_inside:
        return Claims(group.claim_member, group.claim_tp, group.claim_start, _NOTHING_BEYOND)
    known = np.flatnonzero(group.in_play[group.claim_topic])
    member, row = group.claim_member[known], group.claim_tp[known]
    outside = np.flatnonzero(row == NO_TP)
    named = np.column_stack((group.claim_topic, group.claim_partition))[known[outside]]
    beyond, number = np.unique(named, axis=0, return_inverse=True)
    row[outside] = group.tp_count + number.reshape(-1)
    return Claims(member, row, np.searchsorted(member, np.arange(group.member_count + 1)), beyond)


def topic_and_partition(
    group: GroupSnapshot, beyond: np.ndarray, row: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return topic and partition number of each `row`. Row P + n is row n of `beyond`, where P is
    the group's number of partitions.
    """
    if not len(beyond):
        topic = group.tp_topic.take(row)
        return topic, row - group.first_tp.take(topic)
    topic = np.append(group.tp_topic, beyond[:, 0])[row]
    return topic, np.append(group.tp_partition, beyond[:, 1])[row]


def believed(group: GroupSnapshot, claims: Claims) -> PriorOwners:
    """Return the owners before the assignment, as the leader sees them.

    If several members claim a partition, their generations are compared in the order of the
    leader's map.
    """
    if not claims.row.size:
        # All elements of this array are one number in memory (stride 0). `np.broadcast_to` is 4
        # microseconds slower, and a small new group takes 11 microseconds in total.
        unowned = np.ndarray(group.tp_count, np.int32, _UNASSIGNED_BYTES, strides=(0,))
        return PriorOwners(
            unowned, np.zeros(group.member_count, dtype=np.int64), claims.beyond, NO_ROWS, ()
        )
    owner = np.full(group.tp_count + len(claims.beyond), UNASSIGNED, dtype=np.int32)
    owner[claims.row] = claims.member
    if np.count_nonzero(owner != UNASSIGNED) == claims.row.size:
        is_complete = claims.row.size == owner.size == group.tp_count
        return PriorOwners(
            owner,
            np.diff(claims.start),
            claims.beyond,
            NO_ROWS,
            (),
            is_undisputed=True,
            is_complete=is_complete,
        )
    order = group.member_map_order
    disputed = np.flatnonzero((np.bincount(claims.row) > 1)[claims.row])
    disputed = disputed[np.argsort(order.places[claims.member[disputed]], kind="stable")]
    holder, doubly = _settled(
        zip(claims.row[disputed].tolist(), claims.member[disputed].tolist(), strict=False),
        group.generation.tolist(),
    )
    owner[list(holder)] = list(holder.values())
    count = np.bincount(owner[owner != UNASSIGNED], minlength=group.member_count)
    return PriorOwners(
        owner, count, claims.beyond, np.array(sorted(doubly), dtype=np.int64), order.assumed
    )


def _settled(
    claims: Iterable[tuple[int, int]], generation: list[int]
) -> tuple[dict[int, int], set[int]]:
    """Return the owner of each disputed partition, and partitions claimed twice in one generation.

    A claim wins if its generation is higher than the generations of all earlier claims. If it only
    equals the highest of these generations, no member is the owner.
    """
    winner: dict[int, int] = {}
    holder, doubly = {}, set()
    for row, member in claims:
        if row not in winner or generation[member] > generation[winner[row]]:
            winner[row] = holder[row] = member
        elif generation[member] == generation[winner[row]]:
            # KAFKA-12984: if two claims are of the same generation, neither member is the owner.
            winner[row], holder[row] = member, UNASSIGNED
            doubly.add(row)
    return holder, doubly


def unassigned_rows(
    group: GroupSnapshot, owner: np.ndarray, beyond: np.ndarray, topics: np.ndarray | None = None
) -> np.ndarray:
    """Return the topic-partitions that must be assigned, topic by topic, int64.

    Kafka compares all partitions with a sorted list of retained partitions. If this list has a
    partition that does not exist, the comparison stops there. Kafka then assigns all partitions of
    later topics a second time.

    Parameters
    ----------
    owner : int32 (P + B,)
    beyond : int32 (B, 2)
    topics : int64
        Topics with partitions and a subscriber, in the order of assignment. By default in the order
        of names.
    """
    free = owner[: group.tp_count] == UNASSIGNED
    if not group.is_all_in_play:
        free &= group.in_play[group.tp_topic]
    if topics is None and not len(beyond):
        return np.flatnonzero(free)
    topics = np.flatnonzero(group.in_play) if topics is None else topics
    place = np.full(group.topic_count, -1)
    place[topics] = np.arange(topics.size)
    stops = place[beyond[owner[group.tp_count :] != UNASSIGNED, 0]]
    if stops.size:
        free |= (place > stops.min())[group.tp_topic]
    rows = np.flatnonzero(free)
    return (
        rows
        if (np.diff(topics) > 0).all()
        else rows[np.argsort(place[group.tp_topic[rows]], kind="stable")]
    )


class Outcome(NamedTuple):
    """The result of both sticky algorithms. `owner`, `extra` and `assumed`: as in Assignment.

    `transferred`: topic-partitions that had another owner before, int64; `cooperative-sticky`
    withholds these partitions. `is_constrained`: whether the algorithm for equal subscriptions was
    used. `left_rack`: topic-partitions that levelling moved from a member near a replica to a
    member without a replica in its rack, although another member near a replica could get the
    partition, int64. Empty if `is_watched` was False.
    """

    owner: np.ndarray
    extra: np.ndarray
    transferred: np.ndarray
    is_constrained: bool
    assumed: tuple[Assumption, ...]
    left_rack: np.ndarray = NO_ROWS


def extra_rows(
    group: GroupSnapshot, beyond: np.ndarray, member: np.ndarray, row: np.ndarray
) -> np.ndarray:
    """Return rows (member, topic, partition) for `extra` of an assignment, int32.

    `row`: partition of each member. P + n is entry n of `beyond`.
    """
    if not row.size:
        return NO_EXTRA
    rows = np.column_stack((member, *topic_and_partition(group, beyond, row)))
    return np.unique(rows, axis=0).astype(np.int32)


def rows_beyond(group: GroupSnapshot, owner: np.ndarray) -> np.ndarray:
    """Return the owned partitions that do not exist, int64. `owner`: int32 (P + B,)."""
    return group.tp_count + np.flatnonzero(owner[group.tp_count :] != UNASSIGNED)
