"""Moves: the difference between two assignments of a group. Also the owners of each partition
before and after.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.compare.balance import Load, lag_at, load_by
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG, summable, total_lag


class Flows(NamedTuple):
    """The load (partitions and lag) that changes owner, for each pair of old and new owner. Owners
    are int32 members or `UNASSIGNED`.
    """

    from_member: np.ndarray
    to_member: np.ndarray
    load: Load


@dataclass(frozen=True, eq=False)
class Moves:
    """The partitions that change owner, one row for each change, sorted by topic and partition.

    A partition is moved (from a member to a member), added (it had no owner) or revoked (it has no
    owner afterwards). The load of a member before is `retained` + `revoked`, and its load after is
    `retained` + `added`. A moved partition counts as revoked and as added.

    Parameters
    ----------
    topic, partition : int32 (E,)
        Claimed partitions that the topic does not have are included.
    from_member, to_member : int32 (E,)
        Member or `UNASSIGNED`.
    lag : int64 (E,)
        The lag of each partition from `page_lag`. `UNKNOWN_LAG` if unknown. If the sum of the
        group's lags exceeds int64, all lags are unknown.
    retained : Load
        Load that each member keeps.
    """

    topic: np.ndarray
    partition: np.ndarray
    from_member: np.ndarray
    to_member: np.ndarray
    lag: np.ndarray
    retained: Load

    @cached_property
    def is_moved(self) -> np.ndarray:
        return (self.from_member != UNASSIGNED) & (self.to_member != UNASSIGNED)

    @cached_property
    def is_added(self) -> np.ndarray:
        return self.from_member == UNASSIGNED

    @cached_property
    def is_revoked(self) -> np.ndarray:
        return self.to_member == UNASSIGNED

    @property
    def retained_count(self) -> int:
        return int(self.retained.partition_count.sum())

    @property
    def moved_count(self) -> int:
        return int(np.count_nonzero(self.is_moved))

    @property
    def added_count(self) -> int:
        return int(np.count_nonzero(self.is_added))

    @property
    def revoked_count(self) -> int:
        return int(np.count_nonzero(self.is_revoked))

    @property
    def moved_lag(self) -> int | None:
        """Lag of the moved partitions; unknown lags are left out. None if partitions move but all
        their lags are unknown.
        """
        return total_lag(self.lag[self.is_moved])

    @property
    def moved_lag_is_partial(self) -> bool:
        """Whether the lag of a moved partition is unknown."""
        return bool((self.lag[self.is_moved] == UNKNOWN_LAG).any())

    @cached_property
    def added(self) -> Load:
        """Load that each member gets: partitions that are moved to it or added."""
        return self._load(self.to_member)

    @cached_property
    def revoked(self) -> Load:
        """Load that each member loses: partitions that are moved away from it or revoked."""
        return self._load(self.from_member)

    def flows(self) -> Flows:
        """Return the changes, summed for each pair of old and new owner."""
        width = self.retained.lag.size + 1
        # int64, because with 46,340 or more members the number of a pair does not fit int32.
        pair, row = np.unique(
            (self.from_member + 1) * np.int64(width) + self.to_member + 1, return_inverse=True
        )
        return Flows(
            (pair // width - 1).astype(np.int32),
            (pair % width - 1).astype(np.int32),
            load_by(row, self.lag, pair.size),
        )

    def matrix(self) -> tuple[np.ndarray, np.ndarray]:
        """Return two tables by (old owner, new owner): number of partitions, and known lag, int64
        (M + 1, M + 1). Only for groups that fit on a screen.

        The last row and the last column are for partitions without owner. The diagonal has the
        retained partitions.
        """
        flows = self.flows()
        counts, lags = (np.diag(np.append(retained, 0)) for retained in self.retained[:2])
        # UNASSIGNED is -1, which is also the index of the last row and column.
        counts[flows.from_member, flows.to_member], lags[flows.from_member, flows.to_member] = (
            flows.load[:2]
        )
        return counts, lags

    def _load(self, member: np.ndarray) -> Load:
        has_member = member != UNASSIGNED
        return load_by(member[has_member], self.lag[has_member], self.retained.lag.size)


def moves_between(
    owned: Assignment, assigned: Assignment, group: GroupSnapshot, lag: np.ndarray
) -> Moves:
    """Return the changes from the assignment `owned` to the assignment `assigned`. `lag`: from
    `page_lag`, int64 (P,).
    """
    pairs = owner_pairs(group, owned, assigned)
    lags = summable(lag_at(group, lag, pairs.topic, pairs.partition))
    is_retained = pairs.from_member == pairs.to_member
    retained, changed = (
        load_by(pairs.from_member[is_retained], lags[is_retained], group.member_count),
        ~is_retained,
    )
    return Moves(*(column[changed] for column in pairs), lags[changed], retained)


# Owners of a partition before and after


class OwnerPairs(NamedTuple):
    """The old and the new owner of each partition, int32. At most one of the two is `UNASSIGNED`.
    If the member keeps the partition, both are the same.
    """

    topic: np.ndarray
    partition: np.ndarray
    from_member: np.ndarray
    to_member: np.ndarray


def owner_pairs(group: GroupSnapshot, owned: Assignment, assigned: Assignment) -> OwnerPairs:
    """Return the old and the new owner of each partition, sorted by topic and partition.

    If a partition has several owners, there are several pairs. A member that keeps the partition is
    paired with itself; the other old and new owners are paired in member order.
    """
    has_owner = (owned.owner != UNASSIGNED) | (assigned.owner != UNASSIGNED)
    if not owned.extra.size and not assigned.extra.size:
        return _single(group, owned, assigned, np.flatnonzero(has_owner))
    shared = _has_extra(group, owned) | _has_extra(group, assigned)
    single = _single(group, owned, assigned, np.flatnonzero(~shared & has_owner))
    several = _pairs_of_several(group, _rows(group, owned, shared), _rows(group, assigned, shared))
    pairs = [np.concatenate(columns) for columns in zip(single, several, strict=False)]
    order = np.lexsort(pairs[1::-1])
    return OwnerPairs(*(column[order] for column in pairs))


def _single(
    group: GroupSnapshot, owned: Assignment, assigned: Assignment, tps: np.ndarray
) -> OwnerPairs:
    return OwnerPairs(
        group.tp_topic[tps], group.tp_partition[tps], owned.owner[tps], assigned.owner[tps]
    )


def _has_extra(group: GroupSnapshot, assignment: Assignment) -> np.ndarray:
    _, topic, partition = assignment.extra.T
    exists = partition < group.partition_count[topic]
    result = np.zeros(group.tp_count, dtype=bool)
    result[group.first_tp[topic[exists]] + partition[exists]] = True
    return result


def _rows(
    group: GroupSnapshot, assignment: Assignment, shared: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (topic and partition in one integer, owner) for each owner of the partitions that
    several members own.
    """
    tps = np.flatnonzero(shared & (assignment.owner != UNASSIGNED))
    member, topic, partition = assignment.extra.T.astype(np.int64)
    topics, partitions = (
        np.append(group.tp_topic[tps], topic),
        np.append(group.tp_partition[tps], partition),
    )
    return topics << 32 | partitions, np.append(assignment.owner[tps], member)


def _pairs_of_several(
    group: GroupSnapshot,
    before: tuple[np.ndarray, np.ndarray],
    after: tuple[np.ndarray, np.ndarray],
) -> OwnerPairs:
    partitions, place = np.unique(np.append(before[0], after[0]), return_inverse=True)
    key = place * group.member_count + np.append(before[1], after[1])
    owned, assigned = np.unique(key[: before[0].size]), np.unique(key[before[0].size :])
    retained = np.intersect1d(owned, assigned, assume_unique=True)
    place, from_member, to_member = _side_by_side(
        np.setdiff1d(owned, retained), np.setdiff1d(assigned, retained), group.member_count
    )
    place = np.append(retained // group.member_count, place)
    retained = retained % group.member_count
    columns = (
        partitions[place] >> 32,
        partitions[place] & 0xFFFFFFFF,
        np.append(retained, from_member),
        np.append(retained, to_member),
    )
    return OwnerPairs(*(column.astype(np.int32) for column in columns))


def _side_by_side(
    revoked: np.ndarray, added: np.ndarray, member_count: int
) -> tuple[np.ndarray, ...]:
    """Pair the n-th member that loses a partition with the n-th member that gets the same
    partition.

    `revoked`, `added`: place * member_count + member, ascending. `place`: number of the
    partition.
    """
    numbered = [_numbered(side // member_count, member_count) for side in (revoked, added)]
    pair = np.union1d(*numbered)
    columns = []
    for side, number in zip((revoked, added), numbered, strict=False):
        member = np.full(pair.size, UNASSIGNED, dtype=np.int64)
        member[np.searchsorted(pair, number)] = side % member_count
        columns.append(member)
    return pair // member_count, *columns


def _numbered(place: np.ndarray, member_count: int) -> np.ndarray:
    """Return place * member_count + n for each entry. n is the number of the entry (from 0) among
    the entries with the same place.
    """
    return place * member_count + np.arange(place.size) - np.searchsorted(place, place)
