"""Kafka's TimelineHashMap, which holds the broker's group state, as far as its iteration order shows in an answer."""

import numpy as np

_FIRST_CAPACITY = 2
_GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15
_LONG = 0xFFFF_FFFF_FFFF_FFFF


def put_order(hashes: np.ndarray) -> np.ndarray:
    """Return the insertion numbers of distinct keys in iteration order, int64.

    Parameters
    ----------
    hashes : uint32 (N,)
        Hash codes in the order of insertion.
    """
    products = [code * _GOLDEN_RATIO & _LONG for code in hashes.astype(np.int32).tolist()]
    slots = [[] for _ in range(_FIRST_CAPACITY)]
    for row, product in enumerate(products):
        if (row + 1) * 3 > len(slots) * 4:
            slots = _doubled(slots, products)
        slots[_slot(product, len(slots))].append(row)
    return np.array([row for slot in slots for row in reversed(slot)], dtype=np.int64)


def _doubled(slots: list[list[int]], products: list[int]) -> list[list[int]]:
    doubled = [[] for _ in range(2 * len(slots))]
    for slot in slots:
        for row in slot:
            doubled[_slot(products[row], len(doubled))].append(row)
    return doubled


def _slot(product: int, capacity: int) -> int:
    """Return the upper bits of the product, as many as number the slots."""
    return product >> 64 - (capacity.bit_length() - 1)
