"""Iteration order of many HashMaps or HashSets at once, one segment of the columns each."""

import numpy as np

from assignors.java import hash_map
from assignors.java.capacity import threshold
from assignors.java.hash_map import PUT_CHAIN_LIMIT, IterationOrder, spread_bits
from assignors.stable_order import stable_order


def put_orders(hashes: np.ndarray, start: np.ndarray, capacity: np.ndarray) -> IterationOrder:
    """Iteration orders after `put` or `add` of distinct keys into each map.

    Parameters
    ----------
    hashes : uint32 (N,)
        Hash codes, map by map, in the order of insertion.
    start : int64 (maps + 1,)
        First row of each map, and N.
    capacity : int64 (maps,)
        Buckets at the first insertion, powers of two.

    Returns
    -------
    IterationOrder
        Rows of `hashes`, map by map; `tree_bin` if any of the maps has one.
    """
    spread, sizes = spread_bits(hashes), np.diff(start)
    map_of = np.repeat(np.arange(sizes.size), sizes)
    final, crowded = _grown(spread, start, map_of, capacity)
    bucket = spread & (final - 1).astype(np.uint32)[map_of]
    rows = stable_order(map_of * int(final.max(initial=1)) + bucket)
    tree_bin = False
    for one in crowded.tolist():
        order = hash_map.put_order(hashes[start[one] : start[one + 1]], int(capacity[one]))
        rows[start[one] : start[one + 1]] = start[one] + order.rows
        tree_bin |= order.tree_bin
    return IterationOrder(rows, tree_bin)


def _grown(spread: np.ndarray, start: np.ndarray, map_of: np.ndarray, capacity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the capacities that the numbers of keys lead to, and the maps in which a chain reached its limit on the way."""
    sizes = np.diff(start)
    place = np.arange(spread.size) - start[map_of]
    crowded, growing = [], np.flatnonzero(sizes > PUT_CHAIN_LIMIT)
    capacity = capacity.copy()
    while growing.size:
        crowded.append(_crowded(spread, map_of, place, growing, capacity))
        growing = growing[sizes[growing] > threshold(capacity[growing])]
        capacity[growing] *= 2
    while (small := sizes > threshold(capacity)).any():
        capacity[small] *= 2
    return capacity, np.unique(np.concatenate((*crowded, np.empty(0, dtype=np.int64))))


def _crowded(spread: np.ndarray, map_of: np.ndarray, place: np.ndarray, growing: np.ndarray, capacity: np.ndarray) -> np.ndarray:
    """Return which of the growing maps get more keys into one bucket, before they are doubled next, than a chain holds."""
    first_bucket = np.full(capacity.size, -1)
    first_bucket[growing] = np.cumsum(capacity[growing]) - capacity[growing]
    inside = np.flatnonzero((first_bucket[map_of] >= 0) & (place <= threshold(capacity)[map_of]))
    bucket = spread[inside] & (capacity[map_of[inside]] - 1).astype(np.uint32)
    lengths = np.bincount(first_bucket[map_of[inside]] + bucket)
    return np.unique(growing[np.searchsorted(first_bucket[growing], np.flatnonzero(lengths > PUT_CHAIN_LIMIT), side="right") - 1])
