"""Owner pairs: the owner of a partition before and after, one row for each partition and place among its owners."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot


class OwnerPairs(NamedTuple):
    """int32 columns. At most one of both members is `UNASSIGNED`; both are equal where the member keeps the partition."""

    topic: np.ndarray
    partition: np.ndarray
    from_member: np.ndarray
    to_member: np.ndarray


def owner_pairs(group: GroupSnapshot, owned: Assignment, assigned: Assignment) -> OwnerPairs:
    """Pair the owners of each partition before and after, by topic and partition.

    Where a partition has several owners, a member that keeps it is paired with itself; the others are paired in member order.
    """
    shared = _has_extra(group, owned) | _has_extra(group, assigned)
    tps = np.flatnonzero(~shared & ((owned.owner != UNASSIGNED) | (assigned.owner != UNASSIGNED)))
    single = OwnerPairs(group.tp_topic[tps], group.tp_partition[tps], owned.owner[tps], assigned.owner[tps])
    if not owned.extra.size and not assigned.extra.size:
        return single
    several = _pairs_of_several(group, _rows(group, owned, shared), _rows(group, assigned, shared))
    pairs = [np.concatenate(columns) for columns in zip(single, several)]
    order = np.lexsort(pairs[1::-1])
    return OwnerPairs(*(column[order] for column in pairs))


def _has_extra(group: GroupSnapshot, assignment: Assignment) -> np.ndarray:
    _, topic, partition = assignment.extra.T
    exists = partition < group.partition_count[topic]
    result = np.zeros(group.tp_count, dtype=bool)
    result[group.first_tp[topic[exists]] + partition[exists]] = True
    return result


def _rows(group: GroupSnapshot, assignment: Assignment, shared: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (topic and partition in one integer, member) of partitions with several owners."""
    tps = np.flatnonzero(shared & (assignment.owner != UNASSIGNED))
    member, topic, partition = assignment.extra.T.astype(np.int64)
    topics, partitions = np.append(group.tp_topic[tps], topic), np.append(group.tp_partition[tps], partition)
    return topics << 32 | partitions, np.append(assignment.owner[tps], member)


def _pairs_of_several(group: GroupSnapshot, before: tuple[np.ndarray, np.ndarray], after: tuple[np.ndarray, np.ndarray]) -> OwnerPairs:
    partitions, place = np.unique(np.append(before[0], after[0]), return_inverse=True)
    key = place * group.member_count + np.append(before[1], after[1])
    owned, assigned = np.unique(key[: before[0].size]), np.unique(key[before[0].size :])
    kept = np.intersect1d(owned, assigned, assume_unique=True)
    place, from_member, to_member = _side_by_side(np.setdiff1d(owned, kept), np.setdiff1d(assigned, kept), group.member_count)
    place = np.append(kept // group.member_count, place)
    kept = kept % group.member_count
    columns = partitions[place] >> 32, partitions[place] & 0xFFFFFFFF, np.append(kept, from_member), np.append(kept, to_member)
    return OwnerPairs(*(column.astype(np.int32) for column in columns))


def _side_by_side(revoked: np.ndarray, added: np.ndarray, member_count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pair the n-th member that loses a place with the n-th that gets it; both sides are sorted place * member_count + member."""
    numbered = [_numbered(side // member_count, member_count) for side in (revoked, added)]
    pair = np.union1d(*numbered)
    columns = []
    for side, number in zip((revoked, added), numbered):
        member = np.full(pair.size, UNASSIGNED, dtype=np.int64)
        member[np.searchsorted(pair, number)] = side % member_count
        columns.append(member)
    return pair // member_count, *columns


def _numbered(place: np.ndarray, member_count: int) -> np.ndarray:
    """Return place * member_count + number of the row within its place."""
    return place * member_count + np.arange(place.size) - np.searchsorted(place, place)
