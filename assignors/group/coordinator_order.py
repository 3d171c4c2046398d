"""The place that a member gets among the members that the coordinator reports.

`org.apache.kafka.coordinator.group.classic.ClassicGroup` keeps its members in a HashMap, a broker's group (`ModernGroup`) in a
TimelineHashMap. Neither table ever shrinks.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.snapshot import GroupSnapshot
from evenkeel.assignors.java.collections import least_timeline_slots, spread_bits, timeline_slots
from evenkeel.assignors.java.hashing import FIRST_CAPACITY, string_hashes, threshold

_LARGEST = 1 << 20
"""Buckets of the largest table that is tried."""


def order_with_inserted(group: GroupSnapshot, is_new: np.ndarray, *, is_classic: bool) -> np.ndarray:
    """Return int32 (M,): the rows in the order that the coordinator reports after the new ones were inserted, in the order of their rows.

    The other members stand as the coordinator reported them. Their order tells the least number of buckets that its table has; where it is
    the order of no table, new members come last.

    Parameters
    ----------
    is_new : bool (M,)
    """
    table = _HASH_MAP if is_classic else _TIMELINE
    former, new = np.flatnonzero(~is_new), np.flatnonzero(is_new)
    hashes = string_hashes(group.member_id)
    buckets = _buckets_of(table, hashes[former])
    if buckets > _LARGEST:
        return np.concatenate((former, new)).astype(np.int32)
    bucket = table.bucket(hashes, max(buckets, table.least(group.member_count)))
    # A HashMap's chain is walked from the oldest member on, a slot of a TimelineHashMap from the youngest on; doubling keeps both.
    walked = np.concatenate((former, new) if is_classic else (new[::-1], former))
    return walked[np.argsort(bucket[walked], kind="stable")].astype(np.int32)


def _buckets_of(table: "_Table", hashes: np.ndarray) -> int:
    """Return the least number of buckets for which keys stand in the order of the table, more than `_LARGEST` where there is none."""
    buckets = table.least(hashes.size)
    while buckets <= _LARGEST and (np.diff(table.bucket(hashes, buckets)) < 0).any():
        buckets *= 2
    return buckets


class _Table(NamedTuple):
    """`least`: the buckets that so many members need. `bucket`: of each hash code, in so many buckets."""

    least: Callable[[int], int]
    bucket: Callable[[np.ndarray, int], np.ndarray]


def _least_buckets(count: int) -> int:
    buckets = FIRST_CAPACITY
    while threshold(buckets) < count:
        buckets *= 2
    return buckets


def _bucket(hashes: np.ndarray, buckets: int) -> np.ndarray:
    return (spread_bits(hashes) & np.uint32(buckets - 1)).astype(np.int64)


_HASH_MAP = _Table(_least_buckets, _bucket)
_TIMELINE = _Table(least_timeline_slots, timeline_slots)
