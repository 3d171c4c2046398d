"""Kafka's `org.apache.kafka.timeline.TimelineHashMap`, in which a broker keeps the state of its groups, as far as its order shows.

It iterates its slots in order, and each slot from the key that was inserted last. Doubling keeps the order within a slot.
"""

import numpy as np

_FIRST_SLOTS = 2
_FIBONACCI = np.uint64(0x9E37_79B9_7F4A_7C15)
"""2 ** 64 divided by the golden ratio: BaseHashTable.findSlot multiplies with it."""


def least_slots(count: int) -> int:
    """Return how many slots a map has at least after `count` keys were put, and one of them once more.

    BaseHashTable.baseAddOrReplace makes room for one more key before it looks whether the key is there.
    """
    slots_now = _FIRST_SLOTS
    while (count + 1) * 3 > slots_now * 4:
        slots_now *= 2
    return slots_now


def slots(hashes: np.ndarray, count: int) -> np.ndarray:
    """Return the slot of each key, int64, in a map of `count` slots, a power of two; `hashes` uint32, Java's hash codes."""
    signed = hashes.astype(np.int32).astype(np.int64).astype(np.uint64)
    return ((signed * _FIBONACCI) >> np.uint64(65 - count.bit_length())).astype(np.int64)
