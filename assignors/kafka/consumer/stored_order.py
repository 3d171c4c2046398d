"""Stored partitions in the order in which an assignor walks them: Java's order of each member's topics and of each topic's partitions."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.arrays import row_ranges
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.java.collections import IterationOrder, put_orders
from evenkeel.assignors.java.hashing import FIRST_CAPACITY, set_capacity
from evenkeel.assignors.kafka.consumer.stored import Stored


class Lists(NamedTuple):
    """The partition lists of some members, one row for each topic that a member has, empty lists included.

    `place`: which of the members. `topic`. `first`, `size`: rows of `Stored`. `listed`: numbers in the list, repeats included; Java
    sizes the set for them.
    """

    place: np.ndarray
    topic: np.ndarray
    first: np.ndarray
    size: np.ndarray
    listed: np.ndarray

    def at(self, rows: np.ndarray) -> "Lists":
        return Lists(*(column[rows] for column in self))


class Revoked(NamedTuple):
    """`rows` int64: rows of `Stored` in the order in which they are given up.

    `tree_bin`: that order is not Java's. `by_topic_id`: it depends on topic ids.
    """

    rows: np.ndarray
    tree_bin: bool
    by_topic_id: bool


def lists_of(group: GroupSnapshot, stored: Stored, members: np.ndarray) -> Lists:
    """Return the lists of these members, in their order and then the record's; `stored` must hold all claims of the group."""
    first, stop = (np.searchsorted(stored.member, members, side) for side in ("left", "right"))
    rows, place = row_ranges(first, stop), np.repeat(np.arange(members.size), stop - first)
    topic = stored.topic[rows]
    starts = np.flatnonzero((np.diff(place, prepend=-1) != 0) | (np.diff(topic, prepend=-1) != 0))
    first, size = rows[starts], np.diff(starts, append=rows.size)
    lists = Lists(place[starts], topic[starts], first, size, _listed(group, stored, first, size))
    return _with_empty(group, lists, members) if group.owned_empty.size else lists


def _listed(group: GroupSnapshot, stored: Stored, first: np.ndarray, size: np.ndarray) -> np.ndarray:
    if stored.claim is None:
        return size
    claim = np.append(stored.claim, group.claim_member.size)
    return claim[first + size] - claim[first]


def _with_empty(group: GroupSnapshot, lists: Lists, members: np.ndarray) -> Lists:
    """Add the topics without partitions, which also count in the size of a member's map."""
    place_of = np.full(group.member_count, -1, dtype=np.int64)
    place_of[members] = np.arange(members.size)
    place = place_of[group.owned_empty[:, 0]]
    asked = np.argsort(place, kind="stable")[np.count_nonzero(place < 0) :]
    place, (_, topic, among) = place[asked], group.owned_empty[asked].T
    empty_before = np.arange(place.size) - np.searchsorted(place, place)
    at = np.searchsorted(lists.place, place) + among - empty_before
    return Lists(*(np.insert(column, at, added) for column, added in zip(lists, (place, topic, 0, 0, 0), strict=True)))


def in_map_order(group: GroupSnapshot, lists: Lists, subscribed: np.ndarray) -> IterationOrder:
    """Return the rows of the lists of `subscribed` topics, bool (T,), in Java's order.

    That is the order of each member's HashMap of topic ids, filled in the order of the record. All lists of a member must be given: topics
    that it no longer subscribes to also count in the size of the map.
    """
    start = np.searchsorted(lists.place, np.arange(lists.place.max(initial=-1) + 2))
    order = put_orders(group.topic_uuid_hash[lists.topic], start, np.full(start.size - 1, FIRST_CAPACITY))
    return order if subscribed.all() else IterationOrder(order.rows[subscribed[lists.topic[order.rows]]], order.tree_bin)


def in_set_order(stored: Stored, lists: Lists, jdk: int) -> IterationOrder:
    """Return the rows of the lists, each in the order of a HashSet made from it."""
    rows = row_ranges(lists.first, lists.first + lists.size)
    sizes, size_of = np.unique(lists.listed, return_inverse=True)
    buckets = np.array([set_capacity(size, jdk) for size in sizes.tolist()], dtype=np.int64)[size_of]
    order = put_orders(stored.partition[rows].astype(np.uint32), np.append(0, np.cumsum(lists.size)), buckets)
    return IterationOrder(rows[order.rows], order.tree_bin)


def beyond_quota(group: GroupSnapshot, stored: Stored, members: np.ndarray, quota: np.ndarray, subscribed: np.ndarray, jdk: int) -> Revoked:
    """Return what `members` give up, one after the other: partitions of `subscribed` topics, bool (T,), beyond `quota`.

    Each of `members` has more than its quota.
    """
    lists = lists_of(group, stored, members)
    order = in_map_order(group, lists, subscribed)
    place, size = lists.place[order.rows], lists.size[order.rows]
    before = np.cumsum(size) - size
    before -= before[np.searchsorted(place, np.arange(members.size))][place]
    cut = np.flatnonzero(before + size > quota[place])
    before, cut_lists = before[cut], lists.at(order.rows[cut])
    walked = in_set_order(stored, cut_lists, jdk)
    given_up = row_ranges(before, before + cut_lists.size) >= np.repeat(quota[cut_lists.place], cut_lists.size)
    return Revoked(walked.rows[given_up], order.tree_bin or walked.tree_bin, bool((np.bincount(place[size > 0]) > 1).any()))
