"""Iteration orders of Java, Scala and Kafka collections on which assignments depend.

    names = [names[row] for row in put_order(string_hashes(names)).rows]

A HashMap iterates over its buckets in order, and over each bucket's chain from head to tail. `put`
adds a key at the tail, `computeIfAbsent` at the head. Doubling the table does not change the order
in a chain. So keys are sorted by bucket in the final table. In one bucket, keys are in insertion
order after `put`, and in reverse order after `computeIfAbsent`.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from evenkeel.assignors.arrays import stable_order
from evenkeel.assignors.java.hashing import FIRST_CAPACITY, TREE_CAPACITY, string_hashes, threshold

E = TypeVar("E", bound=Hashable)

PUT_CHAIN_LIMIT = 8
"""At a `put` into a chain of this many nodes, HashMap doubles a small table or makes a tree."""

# HashMap compares the node count of a chain with TREEIFY_THRESHOLD - 1. computeIfAbsent counts all
# nodes; putVal does not count the first node.
COMPUTE_CHAIN_LIMIT = 7

_FIRST_SLOTS = 2
_FIBONACCI = np.uint64(0x9E37_79B9_7F4A_7C15)
"""2 ** 64 divided by the golden ratio, the multiplier in BaseHashTable.findSlot."""

_BITS_OF_LEVEL = 5
_BITS = 32


# java.util.HashMap and HashSet, all insertions at once


class IterationOrder(NamedTuple):
    """Keys of a hash table in iteration order. `rows`: insertion number of each key, int64.

    `tree_bin`: whether Java's real order may differ, because a bucket is a tree.
    """

    rows: np.ndarray
    tree_bin: bool


def put_order(hashes: np.ndarray, capacity: int = FIRST_CAPACITY) -> IterationOrder:
    """Return the iteration order of a HashMap or HashSet after `put` or `add` of distinct keys.

    Parameters
    ----------
    hashes : uint32 (N,)
        Hash codes of the keys, in insertion order.
    capacity : int
        Bucket count at the first insertion, a power of two.
    """
    spread = spread_bits(hashes)
    capacity, tree_bin = _grown(spread, capacity, PUT_CHAIN_LIMIT, room=0)
    return IterationOrder(stable_order(_buckets(spread, capacity)), tree_bin)


def compute_order(
    hashes: np.ndarray, capacity: int = FIRST_CAPACITY, *, called_again: bool = False
) -> IterationOrder:
    """Return the iteration order of a HashMap after `computeIfAbsent` of distinct keys.

    `called_again`: whether a call for an existing key follows the call for the last new key.
    Other parameters: as in `put_order`. `compute` and `merge` give the same order.
    """
    spread = spread_bits(hashes)
    # A call doubles the table only if the table is over its threshold before the call. So after the
    # last new key, the table may have one entry too many.
    capacity, tree_bin = _grown(
        spread, capacity, COMPUTE_CHAIN_LIMIT, room=0 if called_again else 1
    )
    order = stable_order(_buckets(spread[::-1], capacity))
    return IterationOrder(spread.size - 1 - order, tree_bin)


def spread_bits(hashes: np.ndarray) -> np.ndarray:
    """Return `HashMap.hash`, uint32. It mixes the upper half of a hash code into the lower."""
    return hashes ^ (hashes >> np.uint32(16))


def _buckets(spread: np.ndarray, capacity: int) -> np.ndarray:
    return spread & np.uint32(capacity - 1)


def _grown(spread: np.ndarray, capacity: int, chain_limit: int, room: int) -> tuple[int, bool]:
    """Return the bucket count after all insertions, and whether a chain became a tree."""
    inserted, tree_bin = 0, False
    while True:
        full = threshold(capacity) + 1
        crowded = _first_crowded(_buckets(spread[:full], capacity), inserted, chain_limit)
        if crowded is not None and capacity < TREE_CAPACITY:
            # HashMap.treeifyBin doubles a small table only once per insertion.
            inserted = crowded + 1
        elif full + room <= spread.size:
            inserted, tree_bin = full, tree_bin or crowded is not None
        else:
            return capacity, tree_bin or crowded is not None
        capacity *= 2


def _first_crowded(buckets: np.ndarray, inserted: int, chain_limit: int) -> int | None:
    """Return the first insertion into a bucket that already has `chain_limit` keys, or None.

    Insertions before number `inserted` are left out.
    """
    lengths = np.bincount(buckets)
    if lengths.max(initial=0) <= chain_limit:
        return None
    rows = np.flatnonzero((lengths > chain_limit)[buckets])
    rows = rows[np.argsort(buckets[rows], kind="stable")]
    bucket = buckets[rows]
    late = rows[np.arange(rows.size) - np.searchsorted(bucket, bucket) >= chain_limit]
    late = late[late >= inserted]
    return int(late.min()) if late.size else None


# Many maps at once; each map is a segment of the columns


def put_orders(hashes: np.ndarray, start: np.ndarray, capacity: np.ndarray) -> IterationOrder:
    """Return the iteration orders of many maps, after `put` or `add` of distinct keys.

    Parameters
    ----------
    hashes : uint32 (N,)
        Hash codes of the keys, map by map, in insertion order.
    start : int64 (maps + 1,)
        Number of the first key of each map; the last value is N.
    capacity : int64 (maps,)
        Bucket counts at the first insertion, powers of two.

    Returns
    -------
    IterationOrder
        `rows`: key numbers, map by map. `tree_bin`: whether a chain of any map became a tree.
    """
    spread, sizes = spread_bits(hashes), np.diff(start)
    map_of = np.repeat(np.arange(sizes.size), sizes)
    final, crowded = _grown_each(spread, start, map_of, capacity)
    bucket = spread & (final - 1).astype(np.uint32)[map_of]
    rows = stable_order(map_of * int(final.max(initial=1)) + bucket)
    tree_bin = False
    for table in crowded.tolist():
        order = put_order(hashes[start[table] : start[table + 1]], int(capacity[table]))
        rows[start[table] : start[table + 1]] = start[table] + order.rows
        tree_bin |= order.tree_bin
    return IterationOrder(rows, tree_bin)


def _grown_each(
    spread: np.ndarray, start: np.ndarray, map_of: np.ndarray, capacity: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return each map's bucket count after all insertions, and the maps with too long a chain."""
    sizes, final = np.diff(start), capacity.copy()
    while (small := sizes > threshold(final)).any():
        final[small] *= 2
    large, crowded = sizes > PUT_CHAIN_LIMIT, [np.empty(0, dtype=np.int64)]
    rows, codes, level = (
        np.flatnonzero(large[map_of]),
        np.unique(spread),
        int(final[large].max(initial=0)),
    )
    place = rows - start[map_of[rows]]
    while rows.size and level >= capacity.min():
        # If no chain is too long even with the keys of all maps together, no map has too long a
        # chain.
        if np.bincount(codes & np.uint32(level - 1)).max() > PUT_CHAIN_LIMIT:
            # HashMap.putVal doubles the table after the insertion, so the key that exceeds the
            # threshold is still inserted into this table.
            put = place <= threshold(level)
            rows, place = rows[put], place[put]
            crowded.append(
                _crowded(
                    spread[rows],
                    map_of[rows],
                    large & (capacity <= level) & (final >= level),
                    level,
                )
            )
        level //= 2
    return final, np.unique(np.concatenate(crowded))


def _crowded(spread: np.ndarray, map_of: np.ndarray, tables: np.ndarray, level: int) -> np.ndarray:
    """Return the maps that had more than `PUT_CHAIN_LIMIT` keys in one of `level` buckets.

    `tables`: whether each map ever had `level` buckets, bool (maps,).
    """
    if not tables.all():
        inside = tables[map_of]
        spread, map_of = spread[inside], map_of[inside]
    number = np.cumsum(tables) - 1
    lengths = np.bincount(number[map_of] * level + (spread & np.uint32(level - 1)))
    return np.flatnonzero(tables)[np.flatnonzero(lengths > PUT_CHAIN_LIMIT) // level]


# Element by element, for collections that are read between changes


class HashSet(Generic[E]):
    """java.util.HashSet, with Java's iteration order.

    Parameters
    ----------
    hash_code : function
        Returns the Java hash code of an element as an int, signed or unsigned.

    Attributes
    ----------
    tree_bin : bool
        Whether a chain has become a tree. Java's real order may then differ.
    """

    def __init__(self, hash_code: Callable[[E], int]):
        self.tree_bin = False
        self._hash_code = hash_code
        self._count = 0
        self._chains: list[list[tuple[int, E]]] = [[] for _ in range(FIRST_CAPACITY)]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[E]:
        return (element for chain in self._chains for _, element in chain)

    def add(self, element: E):
        """Add the element at the tail of its chain, if it is new."""
        spread = self._spread(element)
        chain = self._chains[spread & len(self._chains) - 1]
        if (spread, element) in chain:
            return
        chain.append((spread, element))
        self._count += 1
        if len(chain) > PUT_CHAIN_LIMIT and len(self._chains) < TREE_CAPACITY:
            self._double()
        elif len(chain) > PUT_CHAIN_LIMIT:
            self.tree_bin = True
        # Not elif: one HashMap.putVal may double the table twice, in treeifyBin for a long chain,
        # and at its end for the number of entries.
        if self._count > threshold(len(self._chains)):
            self._double()

    def remove(self, element: E):
        """Remove an element, which must be in the set. The bucket count never decreases."""
        spread = self._spread(element)
        self._chains[spread & len(self._chains) - 1].remove((spread, element))
        self._count -= 1

    def _spread(self, element: E) -> int:
        code = self._hash_code(element) & 0xFFFF_FFFF
        return code ^ code >> 16

    def _double(self):
        nodes = [node for chain in self._chains for node in chain]
        self._chains = [[] for _ in range(2 * len(self._chains))]
        for node in nodes:
            self._chains[node[0] & len(self._chains) - 1].append(node)


class PriorityQueue:
    """java.util.PriorityQueue: a binary heap in an array. It iterates in the order of the array.

    If elements compare equal, their places in the array decide which element is polled first.

    Parameters
    ----------
    key : function
        Returns the sort key of an element. It is called at each comparison. If the key of a queued
        element changes, the element keeps its place.
    elements : iterable
        The first elements, in the iteration order of the Java collection that fills the queue.
    """

    def __init__(
        self, key: Callable[[Any], Any] = lambda element: element, elements: Iterable = ()
    ):
        self._key = key
        self._array = list(elements)
        for place in range(len(self._array) // 2 - 1, -1, -1):
            self._sift_down(place, self._array[place])

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator:
        return iter(self._array)

    def compare_by(self, key: Callable[[Any], Any]):
        """Replace the key function. All elements keep their places."""
        self._key = key

    def offer(self, element: Any):
        """Add an element."""
        self._array.append(element)
        self._sift_up(len(self._array) - 1, element)

    def poll(self) -> Any:
        """Remove and return the head. The queue must not be empty."""
        head, last = self._array[0], self._array.pop()
        if self._array:
            self._sift_down(0, last)
        return head

    def remove(self, element: Any):
        """Remove the first element that equals `element`, which must be in the queue."""
        place, last = self._array.index(element), self._array.pop()
        if place == len(self._array):
            return
        self._sift_down(place, last)
        if self._array[place] is last:
            self._sift_up(place, last)

    # The element's key is computed only once: keys change between two calls, not during a call.
    def _sift_up(self, place: int, element: Any):
        array, key = self._array, self._key
        own_key = key(element)
        while place and own_key < key(above := array[(place - 1) // 2]):
            array[place] = above
            place = (place - 1) // 2
        array[place] = element

    def _sift_down(self, place: int, element: Any):
        array, key = self._array, self._key
        own_key = key(element)
        while (child := 2 * place + 1) < len(array):
            child_key = key(array[child])
            if child + 1 < len(array) and child_key > (next_key := key(array[child + 1])):
                child, child_key = child + 1, next_key
            if own_key <= child_key:
                break
            array[place] = array[child]
            place = child
        array[place] = element


# org.apache.kafka.timeline.TimelineHashMap iterates over its slots in order. In a slot, the newest
# key is first.


def least_timeline_slots(count: int) -> int:
    """Return the smallest slot count of a map after `put` of `count` keys and one repeated `put`.

    BaseHashTable.baseAddOrReplace makes room before it checks whether the key is new.
    """
    slots_now = _FIRST_SLOTS
    while (count + 1) * 3 > slots_now * 4:
        slots_now *= 2
    return slots_now


def timeline_slots(hashes: np.ndarray, count: int) -> np.ndarray:
    """Return the slot of each key, int64. `hashes`: Java's hash codes, uint32.

    `count`: slot count of the map, a power of two.
    """
    signed = hashes.astype(np.int32).astype(np.int64).astype(np.uint64)
    return ((signed * _FIBONACCI) >> np.uint64(65 - count.bit_length())).astype(np.int64)


# scala.collection.immutable.HashSet of Scala 2.13


def scala_order(names: Sequence[str]) -> list[str]:
    """Return distinct names in the iteration order of the Scala set, which is a tree.

    In each node, names with a slot of their own come first, then the child nodes.
    """
    return _walked(list(zip(names, _improved(string_hashes(names)).tolist(), strict=True)), 0)


def _walked(entries: list[tuple[str, int]], shift: int) -> list[str]:
    if shift >= _BITS or len(entries) < 2:
        return [name for name, _ in entries]
    slots = defaultdict(list)
    for entry in entries:
        slots[entry[1] >> shift & (1 << _BITS_OF_LEVEL) - 1].append(entry)
    ascending = [slots[slot] for slot in sorted(slots)]
    alone = [slot[0][0] for slot in ascending if len(slot) == 1]
    return alone + [
        name
        for slot in ascending
        if len(slot) > 1
        for name in _walked(slot, shift + _BITS_OF_LEVEL)
    ]


def _improved(codes: np.ndarray) -> np.ndarray:
    """Return `scala.collection.Hashing.improve` of hash codes, uint32."""
    codes = codes + ~(codes << np.uint32(9))
    codes = codes ^ (codes >> np.uint32(14))
    codes = codes + (codes << np.uint32(4))
    return codes ^ (codes >> np.uint32(10))
