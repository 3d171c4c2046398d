"""Exact sums of integers by member, and a descending order of sizes."""

import numpy as np

from evenkeel.assignors.arrays import stable_order

EXACT_FLOATS = 1 << 53


def sums(member: np.ndarray, weight: np.ndarray, member_count: int) -> np.ndarray:
    """Return the exact sum of the weights of each member, int64 (M,)."""
    return (float_sums if exact_sum(weight) < EXACT_FLOATS else int_sums)(
        member, weight, member_count
    )


def float_sums(member: np.ndarray, weight: np.ndarray, member_count: int) -> np.ndarray:
    """Return the sum of the weights of each member. The total of all weights must be below
    `EXACT_FLOATS`.
    """
    # Floats are exact up to 2 ** 53, and ten times as fast.
    return np.bincount(member, weight, member_count).astype(np.int64)


def int_sums(member: np.ndarray, weight: np.ndarray, member_count: int) -> np.ndarray:
    """Return the sum of the weights of each member, for weights of any size."""
    total = np.zeros(member_count, dtype=np.int64)
    np.add.at(total, member, weight)
    return total


def descending(size: np.ndarray) -> np.ndarray:
    """Return the positions of the sizes (int64, not negative), largest size first. Equal sizes are
    in order of position.
    """
    return stable_order(size.max(initial=0) - size)


def exact_sum(column: np.ndarray) -> int:
    """Return the sum of int64 numbers as a Python integer, which cannot overflow."""
    return (int((column >> 32).sum()) << 32) + int((column & 0xFFFFFFFF).sum())
