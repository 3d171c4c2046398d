"""Functions for whole columns that are fast for a million rows: stable sort, dealing in turn,
ranges of row numbers.
"""

from collections.abc import Iterable
from typing import TypeVar

import numpy as np

T = TypeVar("T")
_INT64_BITS = 63
_FEW_ROWS = 256
_RADIX_RANGE = 1 << 16
_RADIX_ROWS = 1 << 14


def stable_order(key: np.ndarray) -> np.ndarray:
    """Return the row numbers in the order of their keys, which are non-negative integers. Equal
    keys keep their order.
    """
    if key.size < _FEW_ROWS:
        return key.argsort(kind="stable")
    if (key[1:] >= key[:-1]).all():
        return np.arange(key.size)
    most, bits = int(key.max()), key.size.bit_length()
    # NumPy sorts 16-bit integers by radix. Time for 16,000 rows: radix 0.06 ms, the packed sort
    # below 0.09 ms, argsort of int64 0.9 ms.
    if most < _RADIX_RANGE and key.size < _RADIX_ROWS:
        return np.argsort(key.astype(np.uint16), kind="stable")
    if most.bit_length() + bits > _INT64_BITS:
        return np.argsort(key, kind="stable")
    # Key and row in one integer, because sort is three times as fast as argsort.
    packed = key.astype(np.int64)
    packed <<= bits
    packed |= np.arange(key.size)
    packed.sort()
    packed &= (1 << bits) - 1
    return packed


def deal_in_turn(owner: np.ndarray, members: np.ndarray) -> None:
    """Fill `owner` with the members in turn, again and again. `members` must not be empty."""
    whole = owner.size // members.size * members.size
    owner[:whole].reshape(-1, members.size)[:] = members
    owner[whole:] = members[: owner.size - whole]


def row_ranges(first: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Return `first[0], ... stop[0] - 1, first[1], ... stop[1] - 1, ...`, int64."""
    sizes = stop - first
    ends = np.cumsum(sizes)
    rows = np.repeat(first - ends + sizes, sizes)
    rows += np.arange(rows.size)
    return rows


def all_known(values: Iterable[T | None]) -> list[T] | None:
    """Return the values as a list. None if one of them is None."""
    values = list(values)
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else None
