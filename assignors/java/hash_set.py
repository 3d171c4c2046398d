"""java.util.HashSet element by element, for a set that is read between changes. Whole insertions at once: `hash_map`, `many_maps`."""

from collections.abc import Callable, Hashable, Iterator

from evenkeel.assignors.java import capacity as buckets
from evenkeel.assignors.java.hash_map import PUT_CHAIN_LIMIT


class HashSet:
    """Iterates in Java's order.

    Parameters
    ----------
    hash_code : function of an element
        Its Java hash code as an int, signed or not.

    Attributes
    ----------
    tree_bin : bool
        A chain became a tree; from then on the iteration order is not Java's.
    """

    def __init__(self, hash_code: Callable[[Hashable], int]):
        self.tree_bin = False
        self._hash_code = hash_code
        self._count = 0
        self._chains: list[list[tuple[int, Hashable]]] = [[] for _ in range(buckets.FIRST_CAPACITY)]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Hashable]:
        return (element for chain in self._chains for _, element in chain)

    def add(self, element: Hashable):
        """Append a new element to the tail of its chain."""
        spread = self._spread(element)
        chain = self._chains[spread & len(self._chains) - 1]
        if (spread, element) in chain:
            return
        chain.append((spread, element))
        self._count += 1
        if len(chain) > PUT_CHAIN_LIMIT and len(self._chains) < buckets.TREE_CAPACITY:
            self._double()
        elif len(chain) > PUT_CHAIN_LIMIT:
            self.tree_bin = True
        # Not elif: one HashMap.putVal may double twice, for its chain in treeifyBin and for the number of entries at its end.
        if self._count > buckets.threshold(len(self._chains)):
            self._double()

    def remove(self, element: Hashable):
        """Remove an existing element; the table never shrinks."""
        spread = self._spread(element)
        self._chains[spread & len(self._chains) - 1].remove((spread, element))
        self._count -= 1

    def _spread(self, element: Hashable) -> int:
        code = self._hash_code(element) & 0xFFFF_FFFF
        return code ^ code >> 16

    def _double(self):
        nodes = [node for chain in self._chains for node in chain]
        self._chains = [[] for _ in range(2 * len(self._chains))]
        for node in nodes:
            self._chains[node[0] & len(self._chains) - 1].append(node)
