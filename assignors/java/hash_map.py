"""java.util.HashMap, as far as its iteration order shows in an answer.

A map iterates its buckets in order, and each bucket's chain from head to tail. `put` appends at the tail, `computeIfAbsent` inserts at the
head, and doubling keeps the order within a chain. So the iteration order is the insertion order or its reverse, sorted by bucket of the
final table.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.arrays import stable_order
from evenkeel.assignors.java.capacity import FIRST_CAPACITY, TREE_CAPACITY, threshold

PUT_CHAIN_LIMIT = 8
"""A put that finds this many nodes in its chain doubles a small table or turns the chain into a tree."""

# computeIfAbsent counts all nodes of the chain, putVal all but the first; HashMap compares both with TREEIFY_THRESHOLD - 1.
COMPUTE_CHAIN_LIMIT = 7


class IterationOrder(NamedTuple):
    """`rows` int64: the keys' insertion numbers in iteration order.

    `tree_bin`: too many keys met in one bucket of a table of 64 or more, which then iterates as a red-black tree. `rows` is not
    Java's order then.
    """

    rows: np.ndarray
    tree_bin: bool


def put_order(hashes: np.ndarray, capacity: int = FIRST_CAPACITY) -> IterationOrder:
    """Iteration order of a HashMap or HashSet after `put` or `add` of distinct keys.

    Parameters
    ----------
    hashes : uint32 (N,)
        Hash codes in the order of insertion.
    capacity : int
        Buckets at the first insertion, a power of two.
    """
    spread = spread_bits(hashes)
    capacity, tree_bin = _grown(spread, capacity, PUT_CHAIN_LIMIT, room=0)
    return IterationOrder(stable_order(_buckets(spread, capacity)), tree_bin)


def compute_order(hashes: np.ndarray, capacity: int = FIRST_CAPACITY, *, called_again: bool = False) -> IterationOrder:
    """Iteration order of a HashMap after `computeIfAbsent`, `compute` or `merge` of distinct keys; parameters as `put_order`.

    `called_again`: after the last new key it was called for an existing one.
    """
    spread = spread_bits(hashes)
    # A call doubles a table that is already over its threshold, so the last new key may leave it one entry over.
    capacity, tree_bin = _grown(spread, capacity, COMPUTE_CHAIN_LIMIT, room=0 if called_again else 1)
    order = stable_order(_buckets(spread[::-1], capacity))
    return IterationOrder(spread.size - 1 - order, tree_bin)


def spread_bits(hashes: np.ndarray) -> np.ndarray:
    """Return the number that selects a bucket, uint32: the hash code with its upper half mixed into the lower one."""
    return hashes ^ (hashes >> np.uint32(16))


def _buckets(spread: np.ndarray, capacity: int) -> np.ndarray:
    return spread & np.uint32(capacity - 1)


def _grown(spread: np.ndarray, capacity: int, chain_limit: int, room: int) -> tuple[int, bool]:
    """Return the capacity after all insertions, and whether a tree bin occurred on the way."""
    inserted, tree_bin = 0, False
    while True:
        full = threshold(capacity) + 1
        crowded = _first_crowded(_buckets(spread[:full], capacity), inserted, chain_limit)
        if crowded is not None and capacity < TREE_CAPACITY:
            # HashMap.treeifyBin doubles a small table once in each insertion, even if the chain stays crowded.
            inserted = crowded + 1
        elif full + room <= spread.size:
            inserted, tree_bin = full, tree_bin or crowded is not None
        else:
            return capacity, tree_bin or crowded is not None
        capacity *= 2


def _first_crowded(buckets: np.ndarray, inserted: int, chain_limit: int) -> int | None:
    """Return the first insertion, from number `inserted` on, that finds a chain at its limit."""
    lengths = np.bincount(buckets)
    if lengths.max(initial=0) <= chain_limit:
        return None
    rows = np.flatnonzero((lengths > chain_limit)[buckets])
    rows = rows[np.argsort(buckets[rows], kind="stable")]
    bucket = buckets[rows]
    late = rows[np.arange(rows.size) - np.searchsorted(bucket, bucket) >= chain_limit]
    late = late[late >= inserted]
    return int(late.min()) if late.size else None
