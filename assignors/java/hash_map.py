"""java.util.HashMap as far as its iteration order shows in an answer.

Buckets in order, inside a bucket the chain from head to tail; `put` appends at the tail and a doubling keeps the order inside a chain. So the order is the
insertion order, sorted by bucket of the final table.
"""

from typing import NamedTuple

import numpy as np

_FIRST_CAPACITY = 16
_TREE_CAPACITY = 64
_CHAIN_LIMIT = 8


class IterationOrder(NamedTuple):
    """`rows` int64: the keys' insertion numbers in iteration order. `tree_bin`: nine keys met in one bucket of a table of 64 or more, which then iterates as a red-black tree: `rows` is not Java's."""

    rows: np.ndarray
    tree_bin: bool


def put_order(hashes: np.ndarray) -> IterationOrder:
    """Iteration order of a `HashMap()` or `HashSet()` after `put` or `add` of distinct keys.

    Parameters
    ----------
    hashes : uint32 (N,)
        Hash codes in the order of insertion.
    """
    spread = hashes ^ (hashes >> np.uint32(16))
    capacity, tree_bin = _grown(spread)
    return IterationOrder(np.argsort(_buckets(spread, capacity), kind="stable"), tree_bin)


def _buckets(spread: np.ndarray, capacity: int) -> np.ndarray:
    return spread & np.uint32(capacity - 1)


def _grown(spread: np.ndarray) -> tuple[int, bool]:
    """Return the capacity after all puts and whether a tree bin came up on the way."""
    capacity, put_count, tree_bin = _FIRST_CAPACITY, 0, False
    while True:
        full = capacity * 3 // 4 + 1
        crowded = _first_crowded(_buckets(spread[:full], capacity), put_count)
        if crowded is not None and capacity < _TREE_CAPACITY:
            put_count = crowded + 1
        elif full <= spread.size:
            put_count, tree_bin = full, tree_bin or crowded is not None
        else:
            return capacity, tree_bin or crowded is not None
        capacity *= 2


def _first_crowded(buckets: np.ndarray, put_count: int) -> int | None:
    """Return the first put from number `put_count` on that finds a chain at its limit."""
    lengths = np.bincount(buckets)
    if lengths.max(initial=0) <= _CHAIN_LIMIT:
        return None
    rows = np.argsort(buckets, kind="stable")
    place_in_chain = np.arange(rows.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    late = rows[place_in_chain >= _CHAIN_LIMIT]
    late = late[late >= put_count]
    return int(late.min()) if late.size else None
