"""Now: facts about the last slot of a history."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.restarts import Restarts
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.speed import (
    WINDOW,
    Capacity,
    busy_rates,
    capacity,
    on_the_way,
    possible,
    rates,
)
from evenkeel.assignors.timeline.ownership import unstable_members
from evenkeel.assignors.timeline.time_lag import METHODS, UNKNOWN_SECONDS, time_lag
from evenkeel.assignors.timeline.verdicts import (
    OBSERVATIONS,
    OK,
    STALL,
    Verdicts,
    breaks,
    group_verdict,
    lasting,
    verdicts,
)

POLL_SECONDS = 300
"""Kafka's default of max.poll.interval.ms. Snapshots do not show a group's own setting."""


class Unstable(NamedTuple):
    """An unstable member. `member`: its row number. `longest`: the longest time in seconds without
    a change of its partitions.

    `restarts`: its run of restarts, if it is unstable because it leaves and comes back; else None.
    """

    member: int
    longest: float
    restarts: Restarts | None = None


def _unstable(series: Series) -> list[Unstable]:
    """Return the unstable members of the last slot.

    If some members leave and come back, return only these members, because they cause the changes
    of the other members' partitions.
    """
    longest = unstable_members(series, POLL_SECONDS)
    leave = [
        Unstable(restarts.member, longest.get(restarts.member, 0.0), restarts)
        for restarts in series.restarts
        if restarts.is_unstable
    ]
    return leave or [
        Unstable(row, stay) for row, stay in longest.items() if series.is_member[-1, row]
    ]


# The last slot


@dataclass(frozen=True, eq=False)
class Now:
    """A group at the last slot of its series.

    Parameters
    ----------
    series : Series
        Series with at least one slot.
    verdicts : Verdicts
        Verdicts at every slot.
    in_rate, out_rate : float64 (P,)
        Rates in records/s, `UNKNOWN_RATE` if unknown.
    seconds : float64 (P,)
        Time lag, `UNKNOWN_SECONDS` if unknown. `method`, int8 (P,): the method that computed
        `seconds`.
    """

    series: Series
    verdicts: Verdicts
    in_rate: np.ndarray
    out_rate: np.ndarray
    seconds: np.ndarray
    method: np.ndarray
    capacity: Capacity

    @property
    def verdict(self) -> np.ndarray:
        """Verdict of each partition, int8 (P,)."""
        return self.verdicts.verdict[-1]

    @property
    def group_verdict(self) -> int:
        return int(self._group_verdicts[-1])

    @cached_property
    def _group_verdicts(self) -> np.ndarray:
        return group_verdict(self.series, self.verdicts)

    @cached_property
    def _lasting(self) -> np.ndarray:
        return lasting(self._group_verdicts)

    @property
    def lasting_verdict(self) -> int:
        """The group's verdict. SLOW counts only if it has lasted long enough."""
        return int(self._lasting[-1])

    @property
    def lasting_since(self) -> int:
        """Row number of the first slot from which `lasting_verdict` holds without a break."""
        is_other = (self._lasting != self.lasting_verdict) | breaks(self.series.is_there)
        return int(np.flatnonzero(is_other)[-1]) + 1 if is_other[:-1].any() else 0

    @property
    def may_be_older(self) -> bool:
        """Whether `lasting_verdict` may have held before the first slot.

        OK may be older if it starts within the first ten observations, which give OK too rarely.
        Other verdicts may be older if they start at the second slot, because the first slot always
        gives OK.
        """
        return bool(
            self.lasting_since < (OBSERVATIONS if self.lasting_verdict == OK else 2)
            and self.series.is_there[0]
        )

    @property
    def lag(self) -> np.ndarray:
        """Lag of each partition, int64 (P,), `UNKNOWN_LAG` if unknown."""
        return self.series.lag[-1]

    @property
    def owner(self) -> np.ndarray:
        """Owner of each partition, int32 (P,)."""
        return self.series.owner[-1]

    @property
    def has_owners(self) -> bool:
        """Whether the source of the last slot records owners."""
        return self.series.has_owners is None or bool(self.series.has_owners[-1])

    @property
    def tps(self) -> np.ndarray:
        """Row numbers (int64) of the partitions in the last slot."""
        return np.flatnonzero(self.series.is_listed[-1])

    @property
    def is_unobserved(self) -> np.ndarray:
        """bool (P,): whether the last slot has the partition, but no observation of it exists."""
        return self.series.is_listed[-1] & (self.verdicts.observation_count[-1] == 0)

    @property
    def members(self) -> np.ndarray:
        """Row numbers (int64) of the group's members in the last slot."""
        return np.flatnonzero(self.series.is_member[-1])

    @cached_property
    def unstable(self) -> list[Unstable]:
        return _unstable(self.series)

    @property
    def is_losing(self) -> bool:
        """Whether retention is deleting unread records of partitions without progress. The lag of
        these partitions then depends on the retention.
        """
        begin, committed = self.series.begin_offset[-1], self.series.committed_offset[-1]
        return bool(((committed >= 0) & (begin > committed) & (self.verdict >= STALL)).any())

    @property
    def lag_change(self) -> float:
        """Growth of the total lag in records/s. NaN if a rate of a partition in the last slot is
        unknown, or if unread records are being deleted.
        """
        if self.is_losing:
            return np.nan
        listed = self.series.is_listed[-1]
        return float((self.in_rate - self.out_rate)[listed].sum()) if listed.any() else np.nan

    @property
    def change_seconds(self) -> float:
        """Number of seconds over which rates are measured."""
        time = self.series.time[-WINDOW:]
        return float(time[-1] - time[0])

    @property
    def worst_seconds(self) -> float:
        """The largest time lag of a partition. `UNKNOWN_SECONDS` if no time lag is known."""
        return float(self.seconds.max(initial=UNKNOWN_SECONDS))

    @property
    def worst_method(self) -> str | None:
        """The method that computed `worst_seconds`. None if no time lag is known."""
        return METHODS[self.method[np.argmax(self.seconds)]] if self.seconds.size else None

    def member_verdict(self, member: int) -> int:
        """Return the worst verdict of a member's partitions. OK if the member has no partitions."""
        return int(self.verdict[self.owner == member].max(initial=OK))

    def unknown_count(self, member: int = UNASSIGNED) -> int:
        """Return the number of partitions with unknown lag: partitions of `member`, or by default
        of the group.
        """
        is_unknown = (self.lag == UNKNOWN_LAG) & self.series.is_listed[-1]
        return int(np.count_nonzero(is_unknown & ((member == UNASSIGNED) | (self.owner == member))))


def now(series: Series, window: int = WINDOW, group_of_member: np.ndarray | None = None) -> Now:
    """Return the facts of a series' last slot. `group_of_member`: int64 (M,), the group of each
    member if the series has several groups.
    """
    last, window = np.array([series.slot_count - 1]), series.window(window)
    incoming, outgoing = (column[0] for column in rates(series, last, window))
    seconds, method = (column[0] for column in time_lag(series, last))
    known = capacity(busy_rates(series, window), group_of_member)
    known = known._replace(rate=possible(known.rate, series, on_the_way(series, window), incoming))
    return Now(series, verdicts(series), incoming, outgoing, seconds, method, known)
