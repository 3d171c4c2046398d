"""Converted order: when the broker converts a classic group, it stores the owned partitions in this
order.
"""

import numpy as np

from evenkeel.assignors.arrays import row_ranges
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.owned import are_among, claim_rows, distinct_rows, numbers_of
from evenkeel.assignors.group.racks import has_racks
from evenkeel.assignors.java.collections import put_order, put_orders
from evenkeel.assignors.java.hashing import FIRST_CAPACITY
from evenkeel.assignors.protocol import Assignor, TopicOrder

_LATE = np.int64(1) << 62
"""A place after all partitions of all topics."""


def rows_by_topic_id(
    group: GroupSnapshot, rows: np.ndarray, listed: np.ndarray | None, *, is_descending: bool
) -> tuple[np.ndarray, bool]:
    """Return `rows` (member, topic, partition) in the broker's order, and whether this order is a
    guess. The broker sorts by member, then by the place of the topic id in a HashMap.

    If two topics of a member share a bucket, the leader's order decides between them.

    Parameters
    ----------
    listed : int64 (N,) or None
        For each row, the place of its topic in the leader's list of topics. If this list is unknown
        (None), topics are assumed to ascend, or to descend if `is_descending`.
    """
    starts = np.flatnonzero(np.diff(rows[:, 0], prepend=-1) | np.diff(rows[:, 1], prepend=-1))
    member, topic = rows[starts, 0], rows[starts, 1]
    first = np.append(np.flatnonzero(np.diff(member, prepend=-1)), member.size)
    guess = -topic if is_descending else topic
    place = guess if listed is None else listed[starts]
    put = np.lexsort((place, member))
    hashes, sizes = group.topic_uuid_hash[topic[put]], np.full(first.size - 1, FIRST_CAPACITY)
    order = put_orders(hashes, first, sizes)
    # If topics are put in reverse order and the result is the same, no two topics share a bucket.
    backwards = put_orders(hashes[::-1], member.size - first[::-1], sizes)
    is_guessed = listed is None and bool(
        (member.size - 1 - backwards.rows != _by_maps_backwards(order.rows, first)).any()
    )
    pairs = put[order.rows]
    return rows[row_ranges(starts[pairs], np.append(starts[1:], len(rows))[pairs])], is_guessed


def _by_maps_backwards(rows: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Return the rows with the members' maps in reverse order. The order inside each map is
    unchanged.
    """
    return np.concatenate(
        [rows[start:stop] for start, stop in zip(first[-2::-1], first[:0:-1], strict=True)]
        or [rows]
    )


def leader_places(
    group: GroupSnapshot,
    before: GroupSnapshot | None,
    rows: np.ndarray,
    assignor: Assignor | None,
) -> np.ndarray | None:
    """Return for each row (member, topic, partition) the place of its topic in the leader's list of
    topics. None if the list is unknown.

    `before`: the group when its members joined the last rebalance, None if unknown. `assignor`: the
    leader's assignor, None if unknown.
    """
    if before is None or assignor is None:
        return None
    order = assignor.topic_order
    # With racks, Java's range and sticky first deal by racks. Only range then sorts the result.
    if (
        order is None
        or len(group.topic_lists) > 1
        or (order != TopicOrder.ASCENDING and has_racks(group))
    ):
        return None
    if order == TopicOrder.HASHED:
        topics = np.unique(group.topic_lists[0])
        walked, backwards = (
            some[put_order(group.topic_name_hash[some]).rows] for some in (topics, topics[::-1])
        )
        place = np.zeros(group.topic_count, dtype=np.int64)
        place[walked] = np.arange(topics.size)
        return place[rows[:, 1]] if np.array_equal(walked, backwards) else None
    if order == TopicOrder.ASCENDING:
        return rows[:, 1].astype(np.int64)
    is_kept = are_among(
        numbers_of(group, rows), numbers_of(group, distinct_rows(group, claim_rows(before)))
    )
    at = np.where(
        is_kept, rows[:, 2].astype(np.int64) * group.topic_count + rows[:, 1], _LATE + rows[:, 1]
    )
    starts = np.flatnonzero(np.diff(rows[:, 0], prepend=-1) | np.diff(rows[:, 1], prepend=-1))
    return (
        np.repeat(np.minimum.reduceat(at, starts), np.diff(starts, append=len(rows)))
        if starts.size
        else at
    )
