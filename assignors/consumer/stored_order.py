"""Which stored partitions a member gives up when it has too many: Java's order of its map of topics and of each topic's set."""

from typing import NamedTuple

import numpy as np

from assignors.consumer.row_ranges import row_ranges
from assignors.consumer.stored import Stored
from assignors.consumer.subscriptions import topic_id_hashes
from assignors.group import GroupSnapshot
from assignors.java import capacity, many_maps


class Revoked(NamedTuple):
    """`rows` int64: rows of `Stored` in the order in which they are given up. `tree_bin`: that order is not Java's. `by_topic_id`: it depends on the ids of topics."""

    rows: np.ndarray
    tree_bin: bool
    by_topic_id: bool


class _Lists(NamedTuple):
    """The lists of partitions of the members that have too many: member's place, topic, first row of `Stored` and size of each."""

    place: np.ndarray
    topic: np.ndarray
    first: np.ndarray
    size: np.ndarray


def beyond_quota(group: GroupSnapshot, stored: Stored, members: np.ndarray, quota: np.ndarray, subscribed: np.ndarray, jdk: int) -> Revoked:
    """Return what `members`, each of whom has more partitions of `subscribed` topics, bool (T,), than `quota`, give up, one member after the other.

    `stored` must hold all claims of the group: topics that nobody subscribes to any more still take room in the map.
    """
    lists, crowded_map = _in_map_order(group, _lists(stored, members))
    lists = _Lists(*(column[subscribed[lists.topic]] for column in lists))
    before = _sum_before(lists)
    cut = before + lists.size > quota[lists.place]
    cut_lists = _Lists(*(column[cut] for column in lists))
    rows, crowded_set = _in_set_order(stored, cut_lists, _listed(group, stored, cut_lists), jdk)
    rank = row_ranges(before[cut], before[cut] + cut_lists.size)
    given_up = rows[rank >= np.repeat(quota[cut_lists.place], cut_lists.size)]
    return Revoked(given_up, crowded_map or crowded_set, bool((np.bincount(lists.place) > 1).any()))


def _lists(stored: Stored, members: np.ndarray) -> _Lists:
    first, stop = (np.searchsorted(stored.member, members, side) for side in ("left", "right"))
    rows, place = row_ranges(first, stop), np.repeat(np.arange(members.size), stop - first)
    topic = stored.topic[rows]
    starts = np.flatnonzero((np.diff(place, prepend=-1) != 0) | (np.diff(topic, prepend=-1) != 0))
    return _Lists(place[starts], topic[starts], rows[starts], np.diff(starts, append=rows.size))


def _in_map_order(group: GroupSnapshot, lists: _Lists) -> tuple[_Lists, bool]:
    """Sort each member's lists as a HashMap of topic ids iterates that was filled in the order of the record."""
    topics = np.flatnonzero(np.bincount(lists.topic, minlength=group.topic_count))
    hash_code = np.zeros(group.topic_count, dtype=np.uint32)
    hash_code[topics] = topic_id_hashes(group, topics)
    start = np.searchsorted(lists.place, np.arange(lists.place[-1] + 2))
    order = many_maps.put_orders(hash_code[lists.topic], start, np.full(start.size - 1, capacity.FIRST_CAPACITY))
    return _Lists(*(column[order.rows] for column in lists)), order.tree_bin


def _sum_before(lists: _Lists) -> np.ndarray:
    """Return how many partitions the member's lists before each one have."""
    before = np.cumsum(lists.size) - lists.size
    return before - before[np.searchsorted(lists.place, lists.place)]


def _listed(group: GroupSnapshot, stored: Stored, lists: _Lists) -> np.ndarray:
    """Return how many numbers each list has, repeated ones too, which is what its set is made for."""
    after = lists.first + lists.size
    claim_after = np.where(after < stored.claim.size, stored.claim[np.minimum(after, stored.claim.size - 1)], group.claim_member.size)
    return claim_after - stored.claim[lists.first]


def _in_set_order(stored: Stored, lists: _Lists, listed: np.ndarray, jdk: int) -> tuple[np.ndarray, bool]:
    """Return the rows of the lists, each in the order of a HashSet made from it."""
    rows = row_ranges(lists.first, lists.first + lists.size)
    sizes, place = np.unique(listed, return_inverse=True)
    buckets = np.array([capacity.of_set(size, jdk) for size in sizes.tolist()])[place]
    start = np.append(0, np.cumsum(lists.size))
    order = many_maps.put_orders(stored.partition[rows].astype(np.uint32), start, buckets)
    return rows[order.rows], order.tree_bin
