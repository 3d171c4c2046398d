"""scala.collection.immutable.HashSet of Scala 2.13, which a broker's request handler uses: the order in which strings iterate."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from evenkeel.assignors.java import strings

_BITS_OF_LEVEL = 5
_BITS = 32


def iteration_order(names: Sequence[str]) -> list[str]:
    """Return distinct names in the set's order: in each node first the names that are alone in their slot, then the nodes below."""
    return _walked(list(zip(names, _improved(strings.hashes(names)).tolist(), strict=True)), 0)


def _walked(entries: list[tuple[str, int]], shift: int) -> list[str]:
    if shift >= _BITS or len(entries) < 2:
        return [name for name, _ in entries]
    slots = defaultdict(list)
    for entry in entries:
        slots[entry[1] >> shift & (1 << _BITS_OF_LEVEL) - 1].append(entry)
    ascending = [slots[slot] for slot in sorted(slots)]
    alone = [slot[0][0] for slot in ascending if len(slot) == 1]
    return alone + [name for slot in ascending if len(slot) > 1 for name in _walked(slot, shift + _BITS_OF_LEVEL)]


def _improved(codes: np.ndarray) -> np.ndarray:
    """Spread hash codes as `scala.collection.Hashing.improve` does; uint32."""
    codes = codes + ~(codes << np.uint32(9))
    codes = codes ^ (codes >> np.uint32(14))
    codes = codes + (codes << np.uint32(4))
    return codes ^ (codes >> np.uint32(10))
