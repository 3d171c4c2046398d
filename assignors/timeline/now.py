"""Now: facts of a history's last slot."""

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
"""Kafka's default of max.poll.interval.ms; snapshots do not show that of a group."""


class Unstable(NamedTuple):
    """A member that never keeps its partitions: its row, and the longest time in seconds for which
    it had the same ones. `restarts`: the run of restarts of a member that leaves and comes back.
    """

    member: int
    longest: float
    restarts: Restarts | None = None


def _unstable(series: Series) -> list[Unstable]:
    """Return the unstable members of the last slot; if some leave and come back, only these: the
    members that they disturb are stable.
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
        Of one slot or more.
    verdicts : Verdicts
        As of every slot.
    in_rate, out_rate : float64 (P,)
        Records/s, `UNKNOWN_RATE` if unknown.
    seconds : float64 (P,)
        Time lag, `UNKNOWN_SECONDS` if unknown; `method` int8 (P,) says how it was found.
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
        """int8 (P,)."""
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
        """The group's verdict without SLOW that has not lasted yet."""
        return int(self._lasting[-1])

    @property
    def lasting_since(self) -> int:
        """Row of the slot since which `lasting_verdict` is true without a break."""
        is_other = (self._lasting != self.lasting_verdict) | breaks(self.series.is_there)
        return int(np.flatnonzero(is_other)[-1]) + 1 if is_other[:-1].any() else 0

    @property
    def may_be_older(self) -> bool:
        """Whether that may have been true before the first slot.

        With fewer than ten observations OK is found less often, and the others more often, but for
        the first slot, which is always OK.
        """
        return bool(
            self.lasting_since < (OBSERVATIONS if self.lasting_verdict == OK else 2)
            and self.series.is_there[0]
        )

    @property
    def lag(self) -> np.ndarray:
        """int64 (P,), `UNKNOWN_LAG` if unknown."""
        return self.series.lag[-1]

    @property
    def owner(self) -> np.ndarray:
        """int32 (P,)."""
        return self.series.owner[-1]

    @property
    def has_owners(self) -> bool:
        """Whether the source of the last slot records owners."""
        return self.series.has_owners is None or bool(self.series.has_owners[-1])

    @property
    def tps(self) -> np.ndarray:
        """int64: rows of the partitions that the last slot lists."""
        return np.flatnonzero(self.series.is_listed[-1])

    @property
    def is_unobserved(self) -> np.ndarray:
        """bool (P,): the last slot lists the partition, and no observation says anything of it."""
        return self.series.is_listed[-1] & (self.verdicts.observation_count[-1] == 0)

    @property
    def members(self) -> np.ndarray:
        """int64: rows of the members that the last slot names."""
        return np.flatnonzero(self.series.is_member[-1])

    @cached_property
    def unstable(self) -> list[Unstable]:
        return _unstable(self.series)

    @property
    def is_losing(self) -> bool:
        """Whether unread records of partitions without progress are deleted: the retention then
        decides how many are left.
        """
        begin, committed = self.series.begin_offset[-1], self.series.committed_offset[-1]
        return bool(((committed >= 0) & (begin > committed) & (self.verdict >= STALL)).any())

    @property
    def lag_change(self) -> float:
        """Records/s by which the total lag grows, NaN if a rate of a partition of the last slot
        is unknown, or unread records are deleted.
        """
        if self.is_losing:
            return np.nan
        listed = self.series.is_listed[-1]
        return float((self.in_rate - self.out_rate)[listed].sum()) if listed.any() else np.nan

    @property
    def change_seconds(self) -> float:
        """The seconds over which rates are measured."""
        time = self.series.time[-WINDOW:]
        return float(time[-1] - time[0])

    @property
    def worst_seconds(self) -> float:
        """The largest time lag of a partition, `UNKNOWN_SECONDS` if none is known."""
        return float(self.seconds.max(initial=UNKNOWN_SECONDS))

    @property
    def worst_method(self) -> str | None:
        """How that was found, None if none is known."""
        return METHODS[self.method[np.argmax(self.seconds)]] if self.seconds.size else None

    def member_verdict(self, member: int) -> int:
        """Return the worst verdict of a member's partitions, OK without any."""
        return int(self.verdict[self.owner == member].max(initial=OK))

    def unknown_count(self, member: int = UNASSIGNED) -> int:
        """Return how many partitions have an unknown lag: of a member, or of the group."""
        is_unknown = (self.lag == UNKNOWN_LAG) & self.series.is_listed[-1]
        return int(np.count_nonzero(is_unknown & ((member == UNASSIGNED) | (self.owner == member))))


def now(series: Series, window: int = WINDOW, group_of_member: np.ndarray | None = None) -> Now:
    """Look at the last slot of a series; `group_of_member` int64 (M,) distinguishes members if the
    series is of many groups.
    """
    last, window = np.array([series.slot_count - 1]), series.window(window)
    incoming, outgoing = (column[0] for column in rates(series, last, window))
    seconds, method = (column[0] for column in time_lag(series, last))
    known = capacity(busy_rates(series, window), group_of_member)
    known = known._replace(rate=possible(known.rate, series, on_the_way(series, window), incoming))
    return Now(series, verdicts(series), incoming, outgoing, seconds, method, known)
