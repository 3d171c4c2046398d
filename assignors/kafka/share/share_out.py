"""Sharing partitions among members: a number of members for each partition, a number of partitions for each member."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.arrays import row_ranges
from evenkeel.assignors.java.collections import IterationOrder, put_orders
from evenkeel.assignors.java.hashing import FIRST_CAPACITY
from evenkeel.assignors.kafka.share.dealing import dealt
from evenkeel.assignors.kafka.share.passes import Passes


class Shared(NamedTuple):
    """What members keep and what they get.

    `kept` bool (pairs,). `member` and `key` int64: what is assigned to which member. `tree_bin`: some order is not Java's. `by_hash`: the
    answer depends on the hash codes of the keys.
    """

    kept: np.ndarray
    member: np.ndarray
    key: np.ndarray
    tree_bin: bool
    by_hash: bool


def share(passes: Passes, member: np.ndarray, key: np.ndarray, key_order: Callable[[], IterationOrder]) -> Shared:
    """Take back what members have too many of, then assign to those that have too few.

    Parameters
    ----------
    member, key : int64 (pairs,)
        Existing assignment, rows of `passes`; the rows of a member with too many are adjacent, in the order in which it got them.
    key_order : function
        Returns the keys, held ones and targets, pass by pass in map order; called only where something is assigned.
    """
    kept = np.ones(member.size, dtype=bool)
    over = np.bincount(member, minlength=passes.want.size) - passes.want
    tree_bin = _take_surplus(member, passes.key_hash[key], np.maximum(over, 0), kept)
    # A member that wants nothing gives up everything, in whatever order.
    by_hash = bool((passes.want[over > 0] > 0).any())
    tree_bin |= _take_crowd(passes, member, key, kept)
    lacking = passes.want - np.bincount(member[kept], minlength=passes.want.size)
    unfilled = np.flatnonzero(lacking > 0)
    if not unfilled.size:
        return Shared(kept, unfilled, unfilled, tree_bin, by_hash)
    queue, is_crowded = key_order()
    need = passes.sharing[passes.key_pass[queue]] - np.bincount(key[kept], minlength=passes.key_hash.size)[queue]
    lacks = need > 0
    queue, need = queue[lacks], need[lacks]
    given = dealt(passes, unfilled, lacking[unfilled], queue, need, (member[kept], key[kept]))
    # A single member gets everything that is left in any order, unless partitions beyond a topic's size fill its places.
    is_choice = unfilled.size > 1 or lacking[unfilled].sum() < queue.size
    return Shared(kept, *given, tree_bin or is_crowded, by_hash or (queue.size > 1 and bool(is_choice)))


def _take_surplus(member: np.ndarray, hash_code: np.ndarray, surplus: np.ndarray, kept: np.ndarray) -> bool:
    """Take the first keys of each member's set, as many as are too many; return whether a set's order is not Java's."""
    rows = np.flatnonzero(surplus[member] > 0)
    start = np.flatnonzero(np.diff(member[rows], prepend=-1))
    size = np.diff(start, append=rows.size)
    order = put_orders(hash_code[rows], np.append(start, rows.size), np.full(start.size, FIRST_CAPACITY))
    place = row_ranges(np.zeros_like(size), size)
    kept[rows[order.rows[place < surplus[member[rows]]]]] = False
    return order.tree_bin


def _take_crowd(passes: Passes, member: np.ndarray, key: np.ndarray, kept: np.ndarray) -> bool:
    """Take each partition from the first members of its set, as many as are too many; return whether a set's order is not Java's."""
    crowd = np.bincount(key[kept], minlength=passes.key_hash.size) - passes.sharing[passes.key_pass]
    if crowd.max(initial=0) <= 0:
        return False
    rows = np.flatnonzero(crowd[key] > 0)
    rows = rows[np.lexsort((member[rows], key[rows]))]
    start = np.flatnonzero(np.diff(key[rows], prepend=-1))
    start_capacity = np.full(start.size, FIRST_CAPACITY)
    order = put_orders(passes.number[member[rows]].astype(np.uint32), np.append(start, rows.size), start_capacity)
    rows = rows[order.rows]
    # Only now: members that gave the partition up were in its set before, and a HashSet never shrinks.
    rows = rows[kept[rows]]
    place = np.arange(rows.size) - np.searchsorted(key[rows], key[rows])
    kept[rows[place < crowd[key[rows]]]] = False
    return order.tree_bin
