"""Partitions that members own after an assignment: as table rows, and as claims in the next
rebalance.

For fast comparison, each table row can also be one integer.
"""

from dataclasses import replace

import numpy as np

from evenkeel.assignors.arrays import row_ranges, stable_order
from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group.snapshot import NO_GENERATION, NONE_EMPTY, GroupSnapshot
from evenkeel.assignors.java.collections import put_orders
from evenkeel.assignors.java.hashing import FIRST_CAPACITY

# A partition number is an int32. The other 31 bits contain member * topics + topic.
_PARTITION_BITS = 32


def held_rows(group: GroupSnapshot, assignment: Assignment) -> np.ndarray:
    """Return all assigned partitions as rows (member, topic, partition), int32 (N, 3).

    The rows are sorted and distinct.
    """
    tp = np.flatnonzero(assignment.owner != UNASSIGNED)
    tp = tp[stable_order(assignment.owner[tp])]
    rows = np.stack((assignment.owner[tp], group.tp_topic[tp], group.tp_partition[tp])).T
    return (
        distinct_rows(group, np.concatenate([rows, assignment.extra]))
        if assignment.extra.size
        else rows
    )


def with_owned(group: GroupSnapshot, assignment: Assignment, generation: int) -> GroupSnapshot:
    """Return the group at the start of the next rebalance: each member claims its partitions.

    A member's claims are sorted by topic and partition. `generation`: generation of every member.
    """
    return with_claims(group, held_rows(group, assignment), generation)


def with_target(group: GroupSnapshot, assignment: Assignment) -> GroupSnapshot:
    """Return the group after its broker stored `assignment` as the target assignment.

    The broker writes a record only for members whose target changed. The claims of other members
    keep their order. A new record has its topics in the order of a HashMap of topic ids.
    """
    target, claimed = held_rows(group, assignment), distinct_rows(group, claim_rows(group))
    had, has = numbers_of(group, claimed), numbers_of(group, target)
    changes = np.zeros(group.member_count, dtype=bool)
    changes[claimed[~are_among(had, has), 0]] = True
    changes[target[~are_among(has, had), 0]] = True
    reported = _in_map_order(group, target[changes[target[:, 0]]], assignment.dealt)
    rows = np.concatenate((claim_rows(group)[~changes[group.claim_member]], reported))
    member, topic, partition = np.ascontiguousarray(rows[stable_order(rows[:, 0])].T)
    empty = group.owned_empty[~changes[group.owned_empty[:, 0]]]
    return replace(
        group, claim_member=member, claim_topic=topic, claim_partition=partition, owned_empty=empty
    )


def _in_map_order(
    group: GroupSnapshot, rows: np.ndarray, dealt: tuple[np.ndarray, np.ndarray] | None
) -> np.ndarray:
    """Sort each member's topics in the iteration order of a HashMap of topic ids.

    `rows`: (member, topic, partition), in ascending order. If several topic ids are in one bucket,
    added topics come first, the newest of them first, because computeIfAbsent adds a key at the
    head of a bucket. Claimed topics follow in the order of the claims. If it is unknown which topic
    is newest, topics are assumed to be added in ascending order.
    """
    starts = np.flatnonzero(np.diff(rows[:, 0], prepend=-1) | np.diff(rows[:, 1], prepend=-1))
    member, topic = rows[starts, 0], rows[starts, 1]
    had, first = np.unique(
        group.claim_member.astype(np.int64) * group.topic_count + group.claim_topic,
        return_index=True,
    )
    pair_key = member.astype(np.int64) * group.topic_count + topic
    at = np.searchsorted(had, pair_key)
    is_former = np.append(had, -1)[at] == pair_key
    came = topic if dealt is None else _first_dealt(group, pair_key, *dealt)
    put = np.lexsort((np.where(is_former, np.append(first, 0)[at], -came), is_former, member))
    start = np.append(np.flatnonzero(np.diff(member, prepend=-1)), member.size)
    order = put_orders(
        group.topic_uuid_hash[topic[put]], start, np.full(start.size - 1, FIRST_CAPACITY)
    )
    pairs = put[order.rows]
    return rows[row_ranges(starts[pairs], np.append(starts[1:], len(rows))[pairs])]


def _first_dealt(
    group: GroupSnapshot, pair_key: np.ndarray, member: np.ndarray, topic: np.ndarray
) -> np.ndarray:
    """Return the place in dealing order of the first partition of each pair (member, topic).

    `pair_key`: each pair as member * topics + topic. `member`, `topic`: the dealt partitions, in
    dealing order.
    """
    dealt, first = np.unique(member.astype(np.int64) * group.topic_count + topic, return_index=True)
    return np.append(first, 0)[np.searchsorted(dealt, pair_key)]


def claim_rows(group: GroupSnapshot) -> np.ndarray:
    """Return the members' claims in their order, as rows (member, topic, partition), int32
    (K, 3).
    """
    return np.stack((group.claim_member, group.claim_topic, group.claim_partition)).T


def stale_claims(
    claimed: np.ndarray, generation: np.ndarray, partition_count: np.ndarray
) -> np.ndarray:
    """Return whether each claim is stale, bool (K,).

    A claim is stale if another member with a higher generation claims the same partition.
    AbstractStickyAssignor gives the partition to the member with the higher generation.

    Parameters
    ----------
    claimed : int32 (K, 3)
        Member, topic, partition.
    generation : int32 (M,)
    partition_count : int64 (T,)
    """
    if not len(claimed) or (generation == generation[0]).all():
        return np.zeros(len(claimed), dtype=bool)
    member, topic, partition = claimed.T
    first_tp = np.concatenate(([0], np.cumsum(partition_count)))
    inside = np.flatnonzero(partition < partition_count[topic])
    tp = first_tp[topic[inside]] + partition[inside]
    highest = np.full(first_tp[-1], NO_GENERATION, dtype=np.int64)
    np.maximum.at(highest, tp, generation[member[inside]])
    is_stale = np.zeros(len(claimed), dtype=bool)
    is_stale[inside] = generation[member[inside]] < highest[tp]
    return is_stale


def owners_of(claimed: np.ndarray, partition_count: np.ndarray) -> Assignment:
    """Return an assignment in which a partition's first claimant is its owner.

    Further claims of a partition, and claims of partitions that do not exist, are in `extra`.

    Parameters
    ----------
    claimed : int32 (K, 3)
        Member, topic, partition.
    partition_count : int64 (T,)
    """
    first_tp = np.concatenate(([0], np.cumsum(partition_count)))
    member, topic, partition = claimed.T
    inside = np.flatnonzero(partition < partition_count[topic])
    tp = first_tp[topic[inside]] + partition[inside]
    owner = np.full(first_tp[-1], UNASSIGNED, dtype=np.int32)
    # If a place is written twice, numpy stores the last value. The order is reversed, so that the
    # first claimant is written last.
    owner[tp[::-1]] = member[inside[::-1]]
    is_extra = np.ones(len(claimed), dtype=bool)
    is_extra[inside] = owner[tp] != member[inside]
    extra = claimed[is_extra]
    return (
        Assignment(owner, extra=np.unique(extra, axis=0).astype(np.int32))
        if extra.size
        else Assignment(owner)
    )


def first_owners(group: GroupSnapshot, assignment: Assignment) -> Assignment:
    """Keep only the first owner of each partition.

    Partitions that do not exist remain in `extra`.
    """
    _, topic, partition = assignment.extra.T
    is_beyond = partition >= group.partition_count[topic]
    return replace(assignment, extra=assignment.extra[is_beyond])


def with_claims(
    group: GroupSnapshot, rows: np.ndarray, generation: int | np.ndarray
) -> GroupSnapshot:
    """Replace all claims of the group by `rows`.

    `rows`: (member, topic, partition), int32 (K, 3), sorted by member. `generation`: one generation
    for all members, or (M,).
    """
    member, topic, partition = np.ascontiguousarray(rows.T)
    generations = np.full(group.member_count, generation, dtype=np.int32)
    return replace(
        group,
        claim_member=member,
        claim_topic=topic,
        claim_partition=partition,
        owned_empty=NONE_EMPTY,
        generation=generations,
    )


# Each row (member, topic, partition) as one integer, because sorting and comparing integers is ten
# times as fast.


def numbers_of(group: GroupSnapshot, rows: np.ndarray) -> np.ndarray:
    """Return one integer for each row (member, topic, partition), int64 (N,), in the same sort
    order.
    """
    numbers = rows[:, 0].astype(np.int64)
    numbers *= group.topic_count
    numbers += rows[:, 1]
    numbers <<= _PARTITION_BITS
    numbers |= rows[:, 2]
    return numbers


def distinct_rows(group: GroupSnapshot, rows: np.ndarray) -> np.ndarray:
    """Return the rows in ascending order without duplicates."""
    numbers = numbers_of(group, rows)
    if (numbers[1:] > numbers[:-1]).all():
        return rows
    numbers.sort()
    numbers = numbers[np.append(True, numbers[1:] != numbers[:-1])]
    pair, partition = numbers >> _PARTITION_BITS, numbers & ((1 << _PARTITION_BITS) - 1)
    return np.column_stack((*np.divmod(pair, group.topic_count), partition)).astype(np.int32)


def are_among(numbers: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return whether each number is in `others`, bool (N,). `others` must be ascending."""
    if not others.size:
        return np.zeros(numbers.size, dtype=bool)
    place = np.searchsorted(others, numbers)
    place[place == others.size] -= 1
    return others[place] == numbers
