"""Claims: members' claims, owners that the sticky assignors believe, partitions to assign, and the
outcome of both algorithms.
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
    """Claims to partitions of topics in play, K claims.

    `member` int32 (K,), ascending. `row` int64 (K,): a topic-partition, or P + n for row n of
    `beyond`. `start` int64 (M + 1,): first claim of each member, and K. `beyond` int32 (B, 2):
    topic and number of claimed partitions beyond their topic's size, ascending.
    """

    member: np.ndarray
    row: np.ndarray
    start: np.ndarray
    beyond: np.ndarray


class PriorOwners(NamedTuple):
    """Owners before the assignment.

    `owner` int32 (P + B,). `held_count` int64 (M,). `beyond`: as in Claims. `doubly` int64: rows
    that several members claim in the same generation. `assumed`: as in Assignment.
    `is_undisputed`: no two members claim the same partition. `is_complete`: undisputed, and each
    partition is claimed.
    """

    owner: np.ndarray
    held_count: np.ndarray
    beyond: np.ndarray
    doubly: np.ndarray
    assumed: tuple[Assumption, ...]
    is_undisputed: bool = False
    is_complete: bool = False


def read_claims(group: GroupSnapshot) -> Claims:
    """Return the claims to partitions of topics in play, including disputed claims."""
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
    """Return topic and partition number of each row; a row may be in `beyond`."""
    if not len(beyond):
        topic = group.tp_topic.take(row)
        return topic, row - group.first_tp.take(topic)
    topic = np.append(group.tp_topic, beyond[:, 0])[row]
    return topic, np.append(group.tp_partition, beyond[:, 1])[row]


def believed(group: GroupSnapshot, claims: Claims) -> PriorOwners:
    """Return the owners that the leader believes. If several members claim a partition, their
    generations decide, in the leader's order of members.
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
    """Return the owner of each disputed row, and the rows claimed twice in the same generation.

    A claim is compared with the generation of the latest winner, even if that member no longer owns
    the row.
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
    """Return the topic-partitions to assign, topic by topic, int64.

    Kafka moves a pointer over the retained partitions. At a partition beyond its topic's size, the
    pointer stops forever. So all partitions of later topics are assigned a second time.

    Parameters
    ----------
    owner : int32 (P + B,)
    beyond : int32 (B, 2)
    topics : int64
        The topics in play in iteration order; by default, by name.
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
    """`owner`, `extra` and `assumed`: as in Assignment.

    `transferred` int64: topic-partitions that had another owner before; cooperative-sticky
    withholds them. `is_constrained`: from the algorithm for equal subscriptions. `left_rack` int64:
    topic-partitions that levelling moved out of their racks, although a member in these racks could
    get them; empty if not watched.
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
    """Return (member, topic, partition), int32, for `extra` in an assignment. A `row` may be in
    `beyond`.
    """
    if not row.size:
        return NO_EXTRA
    rows = np.column_stack((member, *topic_and_partition(group, beyond, row)))
    return np.unique(rows, axis=0).astype(np.int32)


def rows_beyond(group: GroupSnapshot, owner: np.ndarray) -> np.ndarray:
    """Return the owned rows beyond a topic's size, int64. `owner`: int32 (P + B,)."""
    return group.tp_count + np.flatnonzero(owner[group.tp_count :] != UNASSIGNED)
