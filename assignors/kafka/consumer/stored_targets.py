"""Input of an assignor on the broker: stored target assignment and subscriptions.

If the order matters, both are in Java's iteration order.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.arrays import row_ranges
from evenkeel.assignors.assignment import UNASSIGNED, Assignment, Assumption
from evenkeel.assignors.group import NO_TP, GroupSnapshot
from evenkeel.assignors.java.collections import IterationOrder, put_order, put_orders
from evenkeel.assignors.java.hashing import FIRST_CAPACITY, set_capacity

# Partitions of each member in the broker's latest record


@dataclass(frozen=True, eq=False)
class StoredTarget:
    """The partitions of the stored target assignment, K entries, in the order of the group's
    claims.

    A member's list may have a partition number twice; the partition then has only one entry.

    Parameters
    ----------
    claim : int64 (K,) or None
        Number of the claim that each entry is from. None if every claim has an entry.
    member, topic, partition : int32 (K,)
    tp : int64 (K,)
        Topic-partition. Partitions that do not exist have the numbers P to P + B - 1.
    beyond : int32 (B, 2)
        Topic and partition number of each partition that does not exist.
    owner : int32 (P + B,)
        Member that claims the partition. If several members claim it, the last of them.
    shared : bool
        Whether several members claim the same partition.
    """

    claim: np.ndarray | None
    member: np.ndarray
    topic: np.ndarray
    partition: np.ndarray
    tp: np.ndarray
    beyond: np.ndarray
    owner: np.ndarray
    shared: bool


def stored_partitions(group: GroupSnapshot, claims: np.ndarray | None = None) -> StoredTarget:
    """Return the stored partitions of the group.

    `claims`: numbers of the claims, ascending. By default all claims.
    """
    columns = [group.claim_member, group.claim_topic, group.claim_partition, group.claim_tp]
    if claims is not None:
        columns = [column[claims] for column in columns]
    tp, beyond = _numbered(group, *columns[1:])
    owner = _owner(group.tp_count + len(beyond), tp, columns[0])
    distinct = np.count_nonzero(owner != UNASSIGNED)
    if distinct < tp.size:
        # int64, because members times partitions can exceed int32.
        first = np.sort(
            np.unique(columns[0].astype(np.int64) * owner.size + tp, return_index=True)[1]
        )
        claims = first if claims is None else claims[first]
        tp, *columns = (column[first] for column in (tp, *columns))
    member, topic, partition = columns[:3]
    shared = bool(distinct < tp.size)
    return StoredTarget(claims, member, topic, partition, tp, beyond, owner, shared)


def answer(
    group: GroupSnapshot, stored: StoredTarget, owner: np.ndarray, assumed: tuple[Assumption, ...]
) -> Assignment:
    """Return an assignment. `owner`: owners in the order of `stored.owner`, int32 (P + B,)."""
    held = np.flatnonzero(owner[group.tp_count :] != UNASSIGNED)
    extra = np.column_stack((owner[group.tp_count + held], stored.beyond[held]))
    return Assignment(owner[: group.tp_count], extra.astype(np.int32), assumed=assumed)


def answer_of_pairs(
    group: GroupSnapshot,
    stored: StoredTarget,
    member: np.ndarray,
    tp: np.ndarray,
    assumed: tuple[Assumption, ...],
) -> Assignment:
    """Return an assignment from pairs of `member` and `tp`.

    The first owner of a partition is in the result's `owner`, further owners are in `extra`.
    """
    # Reversed: if an index repeats, NumPy stores the last value, so the first owner remains.
    owner = _owner(stored.owner.size, tp[::-1], member[::-1])
    others = np.flatnonzero(owner[tp] != member)
    topic = np.append(group.tp_topic, stored.beyond[:, 0])[tp[others]]
    partition = np.append(group.tp_partition, stored.beyond[:, 1])[tp[others]]
    extra = np.unique(np.column_stack((member[others], topic, partition)), axis=0)
    single = answer(group, stored, owner, assumed)
    return Assignment(
        single.owner, np.concatenate((single.extra, extra)).astype(np.int32), assumed=assumed
    )


def _owner(count: int, tp: np.ndarray, member: np.ndarray) -> np.ndarray:
    owner = np.full(count, UNASSIGNED, dtype=np.int32)
    owner[tp] = member
    return owner


def _numbered(
    group: GroupSnapshot, topic: np.ndarray, partition: np.ndarray, tp: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Give the partitions that do not exist the numbers from P on.

    Return `tp` with these numbers, and topic and partition number of each such partition.
    """
    outside = tp == NO_TP
    if not outside.any():
        return tp, np.empty((0, 2), dtype=np.int32)
    beyond, number = np.unique(
        np.column_stack((topic, partition))[outside], axis=0, return_inverse=True
    )
    tp = tp.copy()
    tp[outside] = group.tp_count + number.ravel()
    return tp, beyond


# The stored target in an assignor's order of iteration: over each member's topics, and over each
# topic's partitions


class Lists(NamedTuple):
    """Partition lists of some members: one entry for each member and topic, even if the list is
    empty.

    `place`: number of the member among these members. `topic`: the topic. `first`, `size`: first
    entry in `StoredTarget`, and number of entries. `listed`: length of the list, including repeated
    partitions. Java computes the bucket count of the set from this length.
    """

    place: np.ndarray
    topic: np.ndarray
    first: np.ndarray
    size: np.ndarray
    listed: np.ndarray

    def at(self, rows: np.ndarray) -> "Lists":
        return Lists(*(column[rows] for column in self))


class Revocation(NamedTuple):
    """Partitions that members lose.

    `rows`: entries of `StoredTarget`, in dealing order, int64. `tree_bin`: whether Java's real
    order may differ. `by_topic_id`: whether topic ids decide which partitions are revoked.
    """

    rows: np.ndarray
    tree_bin: bool
    by_topic_id: bool


def lists_of(group: GroupSnapshot, stored: StoredTarget, members: np.ndarray) -> Lists:
    """Return the partition lists of these members. `stored` must have all claims of the group.

    The lists are in the order of `members`, and for each member in the order of its stored record.
    """
    first, stop = (np.searchsorted(stored.member, members, side) for side in ("left", "right"))
    rows, place = row_ranges(first, stop), np.repeat(np.arange(members.size), stop - first)
    topic = stored.topic[rows]
    starts = np.flatnonzero((np.diff(place, prepend=-1) != 0) | (np.diff(topic, prepend=-1) != 0))
    first, size = rows[starts], np.diff(starts, append=rows.size)
    lists = Lists(place[starts], topic[starts], first, size, _listed(group, stored, first, size))
    return _with_empty(group, lists, members) if group.owned_empty.size else lists


def _listed(
    group: GroupSnapshot, stored: StoredTarget, first: np.ndarray, size: np.ndarray
) -> np.ndarray:
    if stored.claim is None:
        return size
    claim = np.append(stored.claim, group.claim_member.size)
    return claim[first + size] - claim[first]


def _with_empty(group: GroupSnapshot, lists: Lists, members: np.ndarray) -> Lists:
    """Add the topics for which a member's record has no partitions.

    These topics also count in the size of the member's map.
    """
    place_of = np.full(group.member_count, -1, dtype=np.int64)
    place_of[members] = np.arange(members.size)
    place = place_of[group.owned_empty[:, 0]]
    unplaced = np.argsort(place, kind="stable")[np.count_nonzero(place < 0) :]
    place, (_, topic, among) = place[unplaced], group.owned_empty[unplaced].T
    empty_before = np.arange(place.size) - np.searchsorted(place, place)
    at = np.searchsorted(lists.place, place) + among - empty_before
    return Lists(
        *(
            np.insert(column, at, added)
            for column, added in zip(lists, (place, topic, 0, 0, 0), strict=True)
        )
    )


def in_map_order(group: GroupSnapshot, lists: Lists, subscribed: np.ndarray) -> IterationOrder:
    """Return the entries of `lists` with `subscribed` topics, bool (T,), in Java's iteration order.

    Java iterates over each member's HashMap of topic ids, which is filled in the order of the
    record. `lists` must have all topics of a member, because topics that are no longer subscribed
    also count in the size of the map.
    """
    start = np.searchsorted(lists.place, np.arange(lists.place.max(initial=-1) + 2))
    order = put_orders(
        group.topic_uuid_hash[lists.topic], start, np.full(start.size - 1, FIRST_CAPACITY)
    )
    return (
        order
        if subscribed.all()
        else IterationOrder(order.rows[subscribed[lists.topic[order.rows]]], order.tree_bin)
    )


def in_set_order(stored: StoredTarget, lists: Lists, jdk: int) -> IterationOrder:
    """Return the entries of `StoredTarget` that are in `lists`.

    The partitions of each list are in the iteration order of a HashSet made from the list.
    """
    rows = row_ranges(lists.first, lists.first + lists.size)
    sizes, size_of = np.unique(lists.listed, return_inverse=True)
    buckets = np.array([set_capacity(size, jdk) for size in sizes.tolist()], dtype=np.int64)[
        size_of
    ]
    order = put_orders(
        stored.partition[rows].astype(np.uint32), np.append(0, np.cumsum(lists.size)), buckets
    )
    return IterationOrder(rows[order.rows], order.tree_bin)


def beyond_quota(
    group: GroupSnapshot,
    stored: StoredTarget,
    members: np.ndarray,
    quota: np.ndarray,
    subscribed: np.ndarray,
    jdk: int,
) -> Revocation:
    """Return the partitions that `members` lose because they have more than their `quota`.

    The result is in the order of `members`, each of which must have more than its quota. Only
    partitions of `subscribed` topics, bool (T,), count.
    """
    lists = lists_of(group, stored, members)
    order = in_map_order(group, lists, subscribed)
    place, size = lists.place[order.rows], lists.size[order.rows]
    before = np.cumsum(size) - size
    before -= before[np.searchsorted(place, np.arange(members.size))][place]
    cut = np.flatnonzero(before + size > quota[place])
    before, cut_lists = before[cut], lists.at(order.rows[cut])
    walked = in_set_order(stored, cut_lists, jdk)
    given_up = row_ranges(before, before + cut_lists.size) >= np.repeat(
        quota[cut_lists.place], cut_lists.size
    )
    return Revocation(
        walked.rows[given_up],
        order.tree_bin or walked.tree_bin,
        bool((np.bincount(place[size > 0]) > 1).any()),
    )


# Subscriptions


def is_homogeneous(group: GroupSnapshot) -> bool:
    """Return whether Kafka gives the group the subscription type HOMOGENEOUS.

    Kafka compares the text of regular expressions, not the topics that match. A group with
    expressions is homogeneous only if all members have the same expression and no member subscribes
    to topics by name.
    """
    if not group.expression:
        return are_equal(group)
    return len(set(group.expression)) == 1 and not any(
        group.topic_lists[row].size for row in np.unique(group.named)
    )


def are_equal(group: GroupSnapshot) -> bool:
    """Return whether all members subscribe to the same names. Names of unknown topics count too."""
    if len(group.topic_lists) == 1:
        return True
    lists = (np.unique(group.topic_lists[row]) for row in np.unique(group.subscription))
    first = next(lists, np.empty(0))
    return all(np.array_equal(topics, first) for topics in lists)


def view(group: GroupSnapshot, member: int, jdk: int) -> IterationOrder:
    """Return the existing topics that a member subscribes to, in the broker's iteration order.

    The broker iterates over a HashSet made from the sorted list of topic names, and skips names of
    topics that do not exist.
    """
    listed = group.topic_lists[group.subscription[member]]
    topics = np.unique(listed)
    # The list's length with repeats, because new HashSet(list) uses the list's size.
    walked = put_order(group.topic_name_hash[topics], set_capacity(listed.size, jdk))
    topics = topics[walked.rows]
    return IterationOrder(topics[group.topic_known[topics]], walked.tree_bin)


def unknown_ids(group: GroupSnapshot, topics: np.ndarray) -> tuple[Assumption, ...]:
    """Return the assumption that topic ids are unknown, if any of `topics` has an unknown id."""
    rows = np.sort(topics[~group.topic_id_known[topics]]).astype(np.int64)
    return (Assumption("topic_id", rows),) if rows.size else ()
