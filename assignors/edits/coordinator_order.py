"""The place that a new member of a classic group gets among the members that the coordinator reports.

`org.apache.kafka.coordinator.group.classic.ClassicGroup` keeps its members in a HashMap, which never shrinks.
"""

import numpy as np

from assignors.group import GroupSnapshot
from assignors.java import capacity, hash_map, strings

_LARGEST = 1 << 20
"""Buckets of the largest table that is tried."""


def order_with_last_inserted(group: GroupSnapshot, listed: int) -> np.ndarray:
    """Return int32 (M,): the rows in the order that the coordinator would report after the last ones were inserted.

    The first `listed` members stand as the coordinator reported them. Their order tells the least number of buckets that its table has;
    where it is the order of no table, new members stay last.
    """
    rows = np.arange(group.member_count, dtype=np.int32)
    spread = hash_map.spread_bits(strings.hashes(group.member_id))
    buckets = capacity.FIRST_CAPACITY
    while capacity.threshold(buckets) < group.member_count:
        buckets *= 2
    while buckets <= _LARGEST:
        bucket = (spread & np.uint32(buckets - 1)).astype(np.int64)
        if (np.diff(bucket[:listed]) >= 0).all():
            return rows[np.argsort(bucket, kind="stable")]
        buckets *= 2
    return rows
