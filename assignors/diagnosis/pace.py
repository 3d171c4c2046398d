"""Pace: the records/s that arrived between two readings, and the records/s that each member
read.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.diagnosis.reading import Earlier
from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.drain import Drain, drain

_CLEARLY = 1.05
"""Two rates with a smaller ratio may be equal, because commits and readings are not at the same
moments.
"""


class Flow(NamedTuple):
    """Records/s of each partition, (P,): arriving and read. NaN if unknown, or if an offset
    fell.
    """

    arrives: np.ndarray
    reads: np.ndarray


class Pace(NamedTuple):
    """Records/s of the members between two readings.

    `reads`: records/s that each member read, (M,). `capacity`: records/s that each member can read,
    (M,): its read rate if it was behind at both readings, else NaN. `intake`: records/s that arrive
    in all partitions with an owner. `counts`: bool (P,), whether a partition has an owner or a
    subscriber; records that arrive in other partitions are ignored.
    """

    counts: np.ndarray
    flow: Flow
    reads: np.ndarray
    capacity: np.ndarray
    intake: float

    @property
    def _are_busy(self) -> bool:
        return self.reads.size > 0 and not np.isnan(self.capacity).any()

    @property
    def is_short(self) -> bool:
        """Whether every member was behind at both readings, and together they read clearly fewer
        records/s than arrive.
        """
        return self._are_busy and self.intake > _CLEARLY * float(self.reads.sum())

    @property
    def never_drains(self) -> bool:
        """Whether the lag would never drain, whatever the assignment. Either the group is short
        (`is_short`), or clearly more records/s arrive in one partition than any member can read.
        """
        if self.is_short or not self._are_busy:
            return self.is_short
        most = float(np.nanmax(self.flow.arrives, initial=0.0))
        return most > _CLEARLY * float(self.capacity.max())

    @property
    def mean(self) -> float:
        """Mean capacity of the members with a known capacity, in records/s. NaN if there
        are none.
        """
        busy = self.capacity[~np.isnan(self.capacity)]
        return float(busy.mean()) if busy.size else np.nan

    def drained(
        self, lag: np.ndarray, owner: np.ndarray, capacity: np.ndarray | None = None
    ) -> Drain:
        """Return the seconds until each member's lag drains if these are the owners, int32 (P,).
        `capacity`: (M,), needed only for other members than in the readings.
        """
        lag = np.where(self.counts, lag, 0)
        if capacity is not None:
            return drain(lag, self.flow.arrives, owner, capacity)
        proven = np.nan_to_num(self.reads)
        return drain(lag, self.flow.arrives, owner, self.capacity, proven=proven)


def flow_of(group: GroupSnapshot, earlier: Earlier) -> Flow:
    """Return the records/s that arrived in each partition, and the records/s that were read from
    it.
    """

    def grown(before: np.ndarray, now: np.ndarray) -> np.ndarray:
        is_known = (before != UNKNOWN) & (now >= before)
        return np.where(is_known, (now - before) / earlier.seconds, np.nan)

    reads = grown(earlier.committed, group.committed_offset)
    is_uncommitted = (earlier.committed == UNKNOWN) & (group.end_offset != UNKNOWN)
    return Flow(grown(earlier.end, group.end_offset), np.where(is_uncommitted, 0, reads))


def pace_of(
    flow: Flow,
    counts: np.ndarray,
    member_count: int,
    earlier: Earlier,
    held: np.ndarray,
    owner: np.ndarray,
    lag: np.ndarray,
    least: int,
) -> Pace:
    """Return the pace. The owners must be the same at both readings.

    Parameters
    ----------
    counts : bool (P,)
        As in `Pace`.
    held : int64 (H,)
        Row numbers of the partitions with an owner and a known lag.
    lag : int64 (P,)
    least : int
        A member is behind if it has more lag than this.
    """

    def by_member(values: np.ndarray) -> np.ndarray:
        return np.bincount(owner[held], weights=values[held], minlength=member_count)

    reads = by_member(flow.reads)
    was_behind = by_member(np.maximum(earlier.lag, 0)) > least
    is_busy = was_behind & (by_member(lag) > least) & (reads > 0)
    capacity = np.where(is_busy, reads, np.nan)
    flow = Flow(np.where(counts, flow.arrives, 0), flow.reads)
    return Pace(counts, flow, reads, capacity, float(flow.arrives[held].sum()))
