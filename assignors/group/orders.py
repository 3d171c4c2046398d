"""Orders of a group's members in Kafka's classes, and the place of a new member in the
coordinator's list.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import HASH_COLLISIONS, Assumption
from evenkeel.assignors.java.collections import (
    least_timeline_slots,
    put_order,
    spread_bits,
    timeline_slots,
)
from evenkeel.assignors.java.hashing import FIRST_CAPACITY, sorted_rows, string_hashes, threshold


class MemberOrder(NamedTuple):
    """An order of the members.

    `rows`: member numbers in this order, int32 (M,). `assumed`: unknown inputs on which Java's real
    order depends, as in Assignment.
    """

    rows: np.ndarray
    assumed: tuple[Assumption, ...]

    @property
    def places(self) -> np.ndarray:
        """int64 (M,): each member's place in the order."""
        places = np.empty(self.rows.size, dtype=np.int64)
        places[self.rows] = np.arange(self.rows.size)
        return places


def map_order(member_id: Sequence[str]) -> MemberOrder:
    """Return the members in the iteration order of a HashMap of member ids.

    The map is filled in the order that the coordinator reported, which is the iteration order of
    the coordinator's own map. A KIP-848 broker uses a TimelineHashMap.
    """
    walked = put_order(string_hashes(member_id))
    return MemberOrder(walked.rows.astype(np.int32), (HASH_COLLISIONS,) if walked.tree_bin else ())


def refilled_order(member_id: Sequence[str], walked: MemberOrder) -> MemberOrder:
    """Return the members in the iteration order of a second HashMap, filled in the order `walked`.

    `walked`: the iteration order of the first map. The result differs from `walked` only if nine
    ids are in one bucket of a small map: the insertion order then decides how early the map grows.
    """
    again = put_order(string_hashes(member_id)[walked.rows])
    return MemberOrder(
        walked.rows[again.rows], (HASH_COLLISIONS,) if again.tree_bin else walked.assumed
    )


def member_info_order(member_id: Sequence[str], instance_id: Sequence[str | None]) -> MemberOrder:
    """Sort members as `AbstractPartitionAssignor.MemberInfo` does.

    Static members come first, by instance id. Dynamic members follow, by member id. Static members
    with the same instance id stay in the iteration order of the map of subscriptions.
    """
    if instance_id.count(None) == len(instance_id):
        return MemberOrder(sorted_rows(member_id), ())
    static = [row for row, instance in enumerate(instance_id) if instance is not None]
    dynamic = [row for row, instance in enumerate(instance_id) if instance is None]
    assumed: tuple[Assumption, ...] = ()
    if len({instance_id[row] for row in static}) < len(static):
        walked, assumed = map_order(member_id)
        static = [row for row in walked.tolist() if instance_id[row] is not None]
    by_instance = sorted_rows([instance_id[row] or "" for row in static])
    by_id = sorted_rows([member_id[row] for row in dynamic])
    rows = np.concatenate(
        (np.array(static, dtype=np.int32)[by_instance], np.array(dynamic, dtype=np.int32)[by_id])
    )
    return MemberOrder(rows, assumed)


# The place of a new member in the coordinator's report.
# `org.apache.kafka.coordinator.group.classic.ClassicGroup` has its members in a HashMap, a KIP-848
# group (`ModernGroup`) in a TimelineHashMap. Neither table ever shrinks.


_LARGEST = 1 << 20
"""Number of buckets of the largest table that is tried."""


def order_with_inserted(
    member_id: Sequence[str], is_new: np.ndarray, *, is_classic: bool
) -> np.ndarray:
    """Return the member numbers in the order in which the coordinator lists them, int32 (M,).

    New members were inserted into the coordinator's map in the order of their numbers. Other
    members keep their reported order: the map is assumed to have the smallest bucket count that
    gives them this order. If no bucket count does, new members are last.

    Parameters
    ----------
    is_new : bool (M,)
        Whether the member is new.
    """
    table = _HASH_MAP if is_classic else _TIMELINE
    former, new = np.flatnonzero(~is_new), np.flatnonzero(is_new)
    hashes = string_hashes(member_id)
    buckets = _buckets_of(table, hashes[former])
    if buckets > _LARGEST:
        return np.concatenate((former, new)).astype(np.int32)
    bucket = table.bucket(hashes, max(buckets, table.least(len(member_id))))
    # The iteration of a HashMap's chain starts at the oldest member. The iteration of a
    # TimelineHashMap's slot starts at the youngest. Doubling the table changes neither order.
    walked = np.concatenate((former, new) if is_classic else (new[::-1], former))
    return walked[np.argsort(bucket[walked], kind="stable")].astype(np.int32)


def _buckets_of(table: "_Table", hashes: np.ndarray) -> int:
    """Return the smallest bucket count with which a table has the keys in the order of `hashes`.

    More than `_LARGEST` if there is no such count.
    """
    buckets = table.least(hashes.size)
    while buckets <= _LARGEST and (np.diff(table.bucket(hashes, buckets)) < 0).any():
        buckets *= 2
    return buckets


class _Table(NamedTuple):
    """A kind of hash table.

    `least`: function that returns the number of buckets of a table with N members. `bucket`:
    function that returns the bucket of each hash code, for a given number of buckets.
    """

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
