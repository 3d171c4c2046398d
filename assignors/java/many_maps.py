"""Iteration order of many HashMaps or HashSets at once, one segment of the columns each."""

import numpy as np

from evenkeel.assignors.arrays import stable_order
from evenkeel.assignors.java import hash_map
from evenkeel.assignors.java.capacity import threshold
from evenkeel.assignors.java.hash_map import PUT_CHAIN_LIMIT, IterationOrder, spread_bits


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
        Rows of `hashes`, map by map; `tree_bin` if any map has one.
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
    """Return the capacities that the numbers of keys lead to, and the maps in which a chain reached its limit."""
    sizes, final = np.diff(start), capacity.copy()
    while (small := sizes > threshold(final)).any():
        final[small] *= 2
    large, crowded = sizes > PUT_CHAIN_LIMIT, [np.empty(0, dtype=np.int64)]
    rows, codes, level = np.flatnonzero(large[map_of]), np.unique(spread), int(final[large].max(initial=0))
    place = rows - start[map_of[rows]]
    while rows.size and level >= capacity.min():
        # Where all keys of all maps together would not crowd a chain, no single map does.
        if np.bincount(codes & np.uint32(level - 1)).max() > PUT_CHAIN_LIMIT:
            # HashMap.putVal doubles after it inserts, so the key that passes the threshold still meets this table.
            put = place <= threshold(level)
            rows, place = rows[put], place[put]
            crowded.append(_crowded(spread[rows], map_of[rows], large & (capacity <= level) & (final >= level), level))
        level //= 2
    return final, np.unique(np.concatenate(crowded))


def _crowded(spread: np.ndarray, map_of: np.ndarray, tables: np.ndarray, level: int) -> np.ndarray:
    """Return which of `tables` get more keys into one bucket than a chain holds.

    `tables`: mask of the maps that have `level` buckets at some time.
    """
    if not tables.all():
        inside = tables[map_of]
        spread, map_of = spread[inside], map_of[inside]
    number = np.cumsum(tables) - 1
    lengths = np.bincount(number[map_of] * level + (spread & np.uint32(level - 1)))
    return np.flatnonzero(tables)[np.flatnonzero(lengths > PUT_CHAIN_LIMIT) // level]
