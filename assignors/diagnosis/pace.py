"""Pace: records/s that arrived between two readings, and that members read."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.diagnosis.reading import Earlier
from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.drain import drain

_CLEARLY = 1.05
"""Commits and readings at other moments explain a smaller difference."""


class Pace(NamedTuple):
    """Records/s: `arrives` (P,), NaN if unknown; `reads` and `capacity` (M,); `intake`: of all
    partitions with an owner.

    The capacity is the read rate of a member that was behind at both readings, else NaN: such a
    member could read more.
    """

    arrives: np.ndarray
    reads: np.ndarray
    capacity: np.ndarray
    intake: float

    @property
    def is_short(self) -> bool:
        """Whether no assignment drains the group: all members are busy, and together they read
        clearly less than arrives.
        """
        are_busy = self.reads.size > 0 and not np.isnan(self.capacity).any()
        return are_busy and self.intake > _CLEARLY * float(self.reads.sum())

    @property
    def mean(self) -> float:
        """Records/s that a busy member reads, NaN without one."""
        busy = self.capacity[~np.isnan(self.capacity)]
        return float(busy.mean()) if busy.size else np.nan

    def drained_in(
        self, lag: np.ndarray, owner: np.ndarray, capacity: np.ndarray | None = None
    ) -> float:
        """Return the seconds until the last member is drained under these owners, int32 (P,): inf
        for never, NaN if unknown. `capacity`: of other members, (M,).
        """
        if capacity is not None:
            return float(drain(lag, self.arrives, owner, capacity).group)
        return float(drain(lag, self.arrives, owner, self.capacity, proven=self.reads).group)


def pace_of(
    group: GroupSnapshot,
    earlier: Earlier,
    held: np.ndarray,
    owner: np.ndarray,
    lag: np.ndarray,
    least: int,
) -> Pace:
    """Return the pace of owners that are the same at both readings.

    Parameters
    ----------
    held : int64 (H,)
        Rows of owned partitions with known lag.
    lag : int64 (P,)
    least : int
        Records of a member beyond which it is behind.
    """
    has_ends = (earlier.end != UNKNOWN) & (group.end_offset != UNKNOWN)
    arrived = np.maximum(group.end_offset - earlier.end, 0) / earlier.seconds
    has_commits = (earlier.committed != UNKNOWN) & (group.committed_offset > earlier.committed)
    read = np.where(has_commits, group.committed_offset - earlier.committed, 0)

    def by_member(values: np.ndarray) -> np.ndarray:
        return np.bincount(owner[held], weights=values[held], minlength=len(group.member_id))

    reads = by_member(read) / earlier.seconds
    was_behind = by_member(np.maximum(earlier.lag, 0)) > least
    is_busy = was_behind & (by_member(lag) > least) & (reads > 0)
    arrives = np.where(has_ends, arrived, np.nan)
    capacity = np.where(is_busy, reads, np.nan)
    return Pace(arrives, reads, capacity, float(arrives[held].sum()))
