"""One pass of a share group's assignor: so many members for each partition, so many partitions for each member."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from assignors.consumer.row_ranges import row_ranges
from assignors.java import capacity, many_maps
from assignors.java.hash_map import IterationOrder
from assignors.share.dealing import by_turns, holders, one_by_one


class Shares(NamedTuple):
    """`sharing`: members for each partition. `want` int64 (members,): partitions for each member."""

    sharing: int
    want: np.ndarray


class Shared(NamedTuple):
    """What a pass leaves and gives.

    `kept` bool (pairs,); `number` and `key` int64: who is given what; `tree_bin`: some order is not Java's; `by_hash`: the answer depends on the hash codes of the keys.
    """

    kept: np.ndarray
    number: np.ndarray
    key: np.ndarray
    tree_bin: bool
    by_hash: bool


def shares(member_count: int, target_count: int) -> Shares:
    """Return the shares of members of which each can have any of the targets."""
    sharing = -(-member_count // target_count) if target_count else 0
    each = sharing * target_count / member_count
    return Shares(sharing, np.diff(np.ceil(each * np.arange(member_count + 1))).astype(np.int64))


def share(number: np.ndarray, key: np.ndarray, key_hash: np.ndarray, sharing: int, want: np.ndarray, key_order: Callable[[], IterationOrder]) -> Shared:
    """Take back what members have too much of, then give to those that have too little.

    Parameters
    ----------
    number, key : int64 (pairs,)
        Who has what, members ascending; those of a member that has too much in the order in which it got them.
    key_hash : uint32 (keys,)
        Hash codes of the partitions.
    want : int64 (M,)
        Partitions for each member, by number.
    key_order : function
        Returns the partitions, held ones and targets, as the map of them iterates; called where something is to be given.
    """
    kept = np.ones(number.size, dtype=bool)
    held = np.bincount(number, minlength=want.size)
    over = held > want
    crowded = _take_surplus(number, key_hash[key], np.where(over, held - want, 0), kept)
    crowded |= _take_crowd(number, key, np.bincount(key[kept], minlength=key_hash.size) - sharing, kept)
    lacking = want - np.bincount(number[kept], minlength=want.size)
    unfilled = np.flatnonzero(lacking > 0)
    by_hash = bool((want[over] > 0).any())
    if not unfilled.size:
        return Shared(kept, unfilled, unfilled, crowded, by_hash)
    order = key_order()
    need = sharing - np.bincount(key[kept], minlength=key_hash.size)[order.rows]
    queue, need = order.rows[need > 0], need[need > 0]
    given = by_turns(unfilled, lacking[unfilled], queue) if sharing == 1 else one_by_one(unfilled, lacking[unfilled], queue, need, holders(number[kept], key[kept], queue))
    return Shared(kept, *given, crowded or order.tree_bin, by_hash or (unfilled.size > 1 and queue.size > 1))


def _take_surplus(number: np.ndarray, hash_code: np.ndarray, surplus: np.ndarray, kept: np.ndarray) -> bool:
    """Take the first of each member's set, as many as it has too much; return whether the order of a set is not Java's."""
    rows = np.flatnonzero(surplus[number] > 0)
    start = np.flatnonzero(np.diff(number[rows], prepend=-1))
    size = np.diff(start, append=rows.size)
    order = many_maps.put_orders(hash_code[rows], np.append(start, rows.size), np.full(start.size, capacity.FIRST_CAPACITY))
    place = row_ranges(np.zeros_like(size), size)
    kept[rows[order.rows[place < surplus[number[rows]]]]] = False
    return order.tree_bin


def _take_crowd(number: np.ndarray, key: np.ndarray, crowd: np.ndarray, kept: np.ndarray) -> bool:
    """Take each partition from the first of its set of members, as many as it has too many; return whether the order of a set is not Java's."""
    rows = np.flatnonzero(crowd[key] > 0)
    rows = rows[np.lexsort((number[rows], key[rows]))]
    start = np.flatnonzero(np.diff(key[rows], prepend=-1))
    order = many_maps.put_orders(number[rows].astype(np.uint32), np.append(start, rows.size), np.full(start.size, capacity.FIRST_CAPACITY))
    rows = rows[order.rows]
    rows = rows[kept[rows]]
    place = np.arange(rows.size) - np.searchsorted(key[rows], key[rows])
    kept[rows[place < crowd[key[rows]]]] = False
    return order.tree_bin
