"""Now: what a history says of its last slot."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.history.findings import Finding, findings
from evenkeel.assignors.history.series import Series
from evenkeel.assignors.history.speed.busy_windows import busy_rates
from evenkeel.assignors.history.speed.capacity import Capacity, capacity
from evenkeel.assignors.history.speed.rates import WINDOW, rates
from evenkeel.assignors.history.speed.records_on_the_way import on_the_way, possible
from evenkeel.assignors.history.speed.time_lag import METHODS, UNKNOWN_SECONDS, time_lag
from evenkeel.assignors.history.verdicts import OBSERVATIONS, OK, Verdicts, breaks, group_verdict, lasting, verdicts


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
        Records/s, `UNKNOWN_RATE` where unknown.
    seconds : float64 (P,)
        Time lag, `UNKNOWN_SECONDS` where unknown; `method` int8 (P,) says how it was found.
    busy : float64 (W, M)
        What `capacity` is made of.
    """

    series: Series
    verdicts: Verdicts
    in_rate: np.ndarray
    out_rate: np.ndarray
    seconds: np.ndarray
    method: np.ndarray
    busy: np.ndarray
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
        """Row of the first slot of which `lasting_verdict` is true without a break."""
        is_other = (self._lasting != self.lasting_verdict) | breaks(self.series.is_there)
        return int(np.flatnonzero(is_other)[-1]) + 1 if is_other[:-1].any() else 0

    @property
    def may_be_older(self) -> bool:
        """Whether that may have been true before the first slot.

        With fewer than ten observations OK is found less often, and the others more often, but for the first slot, which is always OK.
        """
        return bool(self.lasting_since < (OBSERVATIONS if self.lasting_verdict == OK else 2) and self.series.is_there[0])

    @property
    def lag(self) -> np.ndarray:
        """int64 (P,), `UNKNOWN_LAG` where unknown."""
        return self.series.lag[-1]

    @property
    def owner(self) -> np.ndarray:
        """int32 (P,)."""
        return self.series.owner[-1]

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
    def findings(self) -> list[Finding]:
        is_busy = ~np.isnan(self.busy[-1]) if self.busy.size else np.zeros(len(self.series.member_id), dtype=bool)
        return findings(self.series, self.verdict, self.in_rate, self.out_rate, is_busy)

    @property
    def lag_change(self) -> float:
        """Records/s by which the total lag grows, NaN where a rate of a partition of the last slot is unknown."""
        listed = self.series.is_listed[-1]
        return float((self.in_rate - self.out_rate)[listed].sum()) if listed.any() else np.nan

    @property
    def worst_seconds(self) -> float:
        """The largest time lag of a partition, `UNKNOWN_SECONDS` where none is known."""
        return float(self.seconds.max(initial=UNKNOWN_SECONDS))

    @property
    def worst_method(self) -> str | None:
        """How that was found, None where none is known."""
        return METHODS[self.method[np.argmax(self.seconds)]] if self.seconds.size else None

    def member_verdict(self, member: int) -> int:
        """Return the worst verdict of a member's partitions, OK without any."""
        return int(self.verdict[self.owner == member].max(initial=OK))

    def unknown_count(self, member: int = UNASSIGNED) -> int:
        """Return how many partitions have an unknown lag: of a member, or of the group."""
        is_unknown = (self.lag == UNKNOWN_LAG) & self.series.is_listed[-1]
        return int(np.count_nonzero(is_unknown & ((member == UNASSIGNED) | (self.owner == member))))


def now(series: Series, window: int = WINDOW, group_of_member: np.ndarray | None = None) -> Now:
    """Look at the last slot of a series; `group_of_member` int64 (M,) tells members apart where the series is of many groups."""
    last = np.array([series.slot_count - 1])
    incoming, outgoing = (column[0] for column in rates(series, last, window))
    seconds, method = (column[0] for column in time_lag(series, last))
    busy = busy_rates(series, window)
    known = capacity(busy, group_of_member)
    known = known._replace(rate=possible(known.rate, series, on_the_way(series, window), incoming))
    return Now(series, verdicts(series), incoming, outgoing, seconds, method, busy, known)
