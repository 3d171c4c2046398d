"""Whole columns at once, a million rows at a time: stable sort, dealing in turn, ranges of rows."""

from collections.abc import Iterable
from typing import TypeVar

import numpy as np

T = TypeVar("T")
_INT64_BITS = 63
_FEW_ROWS = 256
_RADIX_RANGE = 1 << 16
_RADIX_ROWS = 1 << 14


def stable_order(key: np.ndarray) -> np.ndarray:
    """Return the rows that sort non-negative integers; equal keys keep their order."""
    if key.size < _FEW_ROWS:
        return key.argsort(kind="stable")
    if (key[1:] >= key[:-1]).all():
        return np.arange(key.size)
    most, bits = int(key.max()), key.size.bit_length()
    # NumPy sorts 16-bit integers by radix: 16,000 rows take 0.06 ms, packed as below 0.09 ms, by
    # argsort of int64 0.9 ms.
    if most < _RADIX_RANGE and key.size < _RADIX_ROWS:
        return np.argsort(key.astype(np.uint16), kind="stable")
    if most.bit_length() + bits > _INT64_BITS:
        return np.argsort(key, kind="stable")
    # Key and row in one integer: sorting values is three times as fast as sorting rows.
    packed = key.astype(np.int64)
    packed <<= bits
    packed |= np.arange(key.size)
    packed.sort()
    packed &= (1 << bits) - 1
    return packed


def deal_in_turn(owner: np.ndarray, members: np.ndarray) -> None:
    """Write members, at least one, into `owner` in turn, from the first again after the last."""
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
    """Return the values, None if one of them is unknown."""
    values = list(values)
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else None
