"""java.util.HashMap and HashSet entry by entry, for readings of the broker's assignors line by
line.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from evenkeel.assignors.java.collections import COMPUTE_CHAIN_LIMIT, PUT_CHAIN_LIMIT
from evenkeel.assignors.java.hashing import (
    FIRST_CAPACITY,
    TREE_CAPACITY,
    rounded_capacity,
    set_capacity,
    threshold,
)


class HashMap:
    """Iterates as Java's does.

    Parameters
    ----------
    hash_code : function of a key
        Its Java hash code as an int, signed or not.
    capacity : int
        As given to Java's constructor; rounded up to a power of two.

    Attributes
    ----------
    tree_bin : bool
        A chain became a tree; from then on the iteration order is not Java's.
    """

    def __init__(self, hash_code: Callable[[Any], int], capacity: int = FIRST_CAPACITY):
        self.tree_bin = False
        self._hash_code = hash_code
        self._capacity = rounded_capacity(capacity)
        self._values: dict[Hashable, Any] = {}
        self._chains: list[list[tuple[int, Hashable]]] = []

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._values

    def __getitem__(self, key: Hashable) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[Hashable]:
        return (key for chain in self._chains for _, key in chain)

    def items(self) -> Iterator[tuple[Hashable, Any]]:
        return ((key, self._values[key]) for key in self)

    def get(self, key: Hashable) -> Any:
        return self._values.get(key)

    def put(self, key: Hashable, value: Any = None):
        """Set a value; a new key goes to the tail of its chain."""
        if key not in self._values:
            chain, spread = self._chain(key)
            chain.append((spread, key))
            self._crowd(len(chain) > PUT_CHAIN_LIMIT)
            if len(self._values) + 1 > threshold(self._capacity):
                self._double()
        self._values[key] = value

    def compute_if_absent(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return the value, made first if there is none; a new key goes to the head of its chain. A
        table over its threshold is doubled in any case.
        """
        if len(self._values) > threshold(self._capacity):
            self._double()
        if key not in self._values:
            chain, spread = self._chain(key)
            chain.insert(0, (spread, key))
            self._crowd(len(chain) > COMPUTE_CHAIN_LIMIT)
            self._values[key] = make()
        return self._values[key]

    def remove(self, key: Hashable) -> Any:
        """Take a key out and return its value; the table never shrinks."""
        if key in self._values:
            chain, spread = self._chain(key)
            chain.remove((spread, key))
        return self._values.pop(key, None)

    def _chain(self, key: Hashable) -> tuple[list[tuple[int, Hashable]], int]:
        self._chains = self._chains or [[] for _ in range(self._capacity)]
        code = self._hash_code(key) & 0xFFFF_FFFF
        spread = code ^ code >> 16
        return self._chains[spread & self._capacity - 1], spread

    def _crowd(self, crowded: bool):
        if crowded and self._capacity < TREE_CAPACITY:
            self._double()
        elif crowded:
            self.tree_bin = True

    def _double(self):
        self._capacity *= 2
        nodes = [node for chain in self._chains for node in chain]
        self._chains = [[] for _ in range(self._capacity)]
        for node in nodes:
            self._chains[node[0] & self._capacity - 1].append(node)


class HashSet(HashMap):
    """The keys of a HashMap."""

    @classmethod
    def of(
        cls,
        hash_code: Callable[[Any], int],
        elements: Iterable[Hashable],
        jdk: int,
        size: int | None = None,
    ) -> "HashSet":
        """Return `new HashSet(elements)`; `size` where the collection says another one than it
        iterates.
        """
        elements = list(elements)
        result = cls(hash_code, set_capacity(len(elements) if size is None else size, jdk))
        for element in elements:
            result.put(element)
        return result

    def add(self, element: Hashable):
        self.put(element)
