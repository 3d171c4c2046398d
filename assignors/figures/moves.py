"""Moves: the difference of two assignments of one group."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from assignors.assignment import UNASSIGNED, Assignment
from assignors.figures.load import Load, lag_at, load_by
from assignors.figures.owner_pairs import owner_pairs
from assignors.group import GroupSnapshot
from assignors.group.lag import UNKNOWN_LAG, summable, total_lag


class Flows(NamedTuple):
    """Who gives to whom, one row for each pair that does: int32 members, `UNASSIGNED` for nobody, and what goes between them."""

    from_member: np.ndarray
    to_member: np.ndarray
    load: Load


@dataclass(frozen=True, eq=False)
class Moves:
    """What changes owner, one row for each change, by topic and partition.

    A row is moved (member to member), added (nobody to member) or revoked (member to nobody). For each member: load after = load before + added -
    revoked, where what moves counts as revoked from one and added to the other; load before = retained + revoked.

    Parameters
    ----------
    topic, partition : int32 (E,)
        The partition may lie beyond the topic's size, where an assignment has such ones.
    from_member, to_member : int32 (E,)
        `UNASSIGNED` for nobody.
    lag : int64 (E,)
        The page's lag of the partition, `UNKNOWN_LAG` where it is not known, and everywhere where the lags of the group add up to more than int64 holds.
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
        """Records behind of what moves, the unknown left out; None where something moves and the lag of none of it is known."""
        return total_lag(self.lag[self.is_moved])

    @property
    def moved_lag_is_partial(self) -> bool:
        """Whether the lag of something that moves is not known."""
        return bool((self.lag[self.is_moved] == UNKNOWN_LAG).any())

    @cached_property
    def added(self) -> Load:
        """What each member gets, from another or from nobody."""
        return self._load(self.to_member)

    @cached_property
    def revoked(self) -> Load:
        """What each member loses, to another or to nobody."""
        return self._load(self.from_member)

    def flows(self) -> Flows:
        """Add the moves up by pair of members."""
        width = self.retained.lag.size + 1
        pair, row = np.unique((self.from_member + 1) * np.int64(width) + self.to_member + 1, return_inverse=True)
        return Flows((pair // width - 1).astype(np.int32), (pair % width - 1).astype(np.int32), load_by(row, self.lag, pair.size))

    def matrix(self) -> tuple[np.ndarray, np.ndarray]:
        """Return partitions and known lag by (from, to), int64 (M + 1, M + 1), for groups that fit on a screen.

        Nobody is the last row and column, the diagonal is what members keep.
        """
        flows = self.flows()
        counts, lags = (np.diag(np.append(kept, 0)) for kept in self.retained[:2])
        # UNASSIGNED is -1, which is also the index of the last row and column.
        counts[flows.from_member, flows.to_member], lags[flows.from_member, flows.to_member] = flows.load[:2]
        return counts, lags

    def _load(self, member: np.ndarray) -> Load:
        somebody = member != UNASSIGNED
        return load_by(member[somebody], self.lag[somebody], self.retained.lag.size)


def moves_between(owned: Assignment, assigned: Assignment, group: GroupSnapshot, lag: np.ndarray) -> Moves:
    """Compare two assignments, before and after; `lag` int64 (P,) is the page's."""
    pairs = owner_pairs(group, owned, assigned)
    lags = summable(lag_at(group, lag, pairs.topic, pairs.partition))
    kept = pairs.from_member == pairs.to_member
    retained, changed = load_by(pairs.from_member[kept], lags[kept], group.member_count), ~kept
    return Moves(*(column[changed] for column in pairs), lags[changed], retained)
