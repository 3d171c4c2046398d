"""Moves: the difference of two assignments of one group."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.figures.load import Load, lag_at, load_by
from evenkeel.assignors.figures.owner_pairs import owner_pairs
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG, summable, total_lag


class Flows(NamedTuple):
    """Partitions that go from one member to another, one row for each pair: int32 members or `UNASSIGNED`, and their load."""

    from_member: np.ndarray
    to_member: np.ndarray
    load: Load


@dataclass(frozen=True, eq=False)
class Moves:
    """Changes of owner, one row each, by topic and partition.

    A row is moved (member to member), added (unassigned to member) or revoked (member to unassigned). For each member:
    load before = retained + revoked, and load after = retained + added. A moved row counts as revoked and as added.

    Parameters
    ----------
    topic, partition : int32 (E,)
        The partition may lie beyond the topic's size.
    from_member, to_member : int32 (E,)
        Member or `UNASSIGNED`.
    lag : int64 (E,)
        The page's lag of the partition. `UNKNOWN_LAG` where unknown, and everywhere if the sum of the group's lags exceeds int64.
    retained : Load
        What each member keeps.
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
        """Records behind of moved partitions, unknown lags left out; None where something moves and none of its lags is known."""
        return total_lag(self.lag[self.is_moved])

    @property
    def moved_lag_is_partial(self) -> bool:
        """Whether the lag of a moved partition is unknown."""
        return bool((self.lag[self.is_moved] == UNKNOWN_LAG).any())

    @cached_property
    def added(self) -> Load:
        """What each member gets: moved or added partitions."""
        return self._load(self.to_member)

    @cached_property
    def revoked(self) -> Load:
        """What each member loses: moved or revoked partitions."""
        return self._load(self.from_member)

    def flows(self) -> Flows:
        """Sum the changes by pair of members."""
        width = self.retained.lag.size + 1
        # int64: from 46,340 members on, the number of a pair does not fit into int32.
        pair, row = np.unique((self.from_member + 1) * np.int64(width) + self.to_member + 1, return_inverse=True)
        return Flows((pair // width - 1).astype(np.int32), (pair % width - 1).astype(np.int32), load_by(row, self.lag, pair.size))

    def matrix(self) -> tuple[np.ndarray, np.ndarray]:
        """Return partitions and known lag by (from, to), int64 (M + 1, M + 1), for groups that fit on a screen.

        The last row and column stand for unassigned; the diagonal is what members keep.
        """
        flows = self.flows()
        counts, lags = (np.diag(np.append(kept, 0)) for kept in self.retained[:2])
        # UNASSIGNED is -1, which is also the index of the last row and column.
        counts[flows.from_member, flows.to_member], lags[flows.from_member, flows.to_member] = flows.load[:2]
        return counts, lags

    def _load(self, member: np.ndarray) -> Load:
        has_member = member != UNASSIGNED
        return load_by(member[has_member], self.lag[has_member], self.retained.lag.size)


def moves_between(owned: Assignment, assigned: Assignment, group: GroupSnapshot, lag: np.ndarray) -> Moves:
    """Compare two assignments, before and after; `lag` int64 (P,) is the page's."""
    pairs = owner_pairs(group, owned, assigned)
    lags = summable(lag_at(group, lag, pairs.topic, pairs.partition))
    kept = pairs.from_member == pairs.to_member
    retained, changed = load_by(pairs.from_member[kept], lags[kept], group.member_count), ~kept
    return Moves(*(column[changed] for column in pairs), lags[changed], retained)
