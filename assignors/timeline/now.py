"""Now: facts of a history's last slot, and the cause of a slow group."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.series import Restarts, Series
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
    SLOW,
    STALL,
    Verdicts,
    breaks,
    group_verdict,
    lasting,
    verdicts,
)

# Findings: ours, beyond Burrow's rules


MEMBER, PARTITION, GROUP, UNSTABLE = (
    "member",
    "partition",
    "group too small",
    "unstable member",
)
HOT = 3
"""Times the median of its topic."""
POLL_SECONDS = 300
"""Kafka's default of max.poll.interval.ms; snapshots do not show that of a group."""


class Finding(NamedTuple):
    """`what`: `MEMBER`, `UNSTABLE`, `PARTITION` or `GROUP`; `row`: of the member or the
    partition, -1 for the group.

    `figure`: of a partition, its rate in / the median of its topic; of the group, rate in minus
    rate read, records/s; of an unstable member, the longest time in seconds for which it had the
    same partitions. Where members leave and come back, only they are unstable: whom that disturbs
    is not. `restarts`: the run of restarts of such a member, one finding each.
    """

    what: str
    row: int
    figure: float = 0.0
    restarts: Restarts | None = None


def findings(
    series: Series,
    verdict: np.ndarray,
    in_rate: np.ndarray,
    out_rate: np.ndarray,
    is_busy: np.ndarray,
    at: int = -1,
) -> list[Finding]:
    """Return the common findings of the partitions at a row of slots.

    Parameters
    ----------
    verdict : int8 (P,)
    in_rate, out_rate : float64 (P,)
        Records/s, NaN if unknown.
    is_busy : bool (M,)
        Members that had lag at both ends of the last window.
    """
    owner, is_bad = series.owner[at], (verdict == SLOW) | (verdict == STALL)
    return [
        *_members(series.topic, owner, is_bad, verdict == OK, len(series.member_id)),
        *_hot_partitions(series, in_rate),
        *_group(in_rate, out_rate, is_busy[np.unique(owner[owner != UNASSIGNED])]),
        *_unstable(series, at),
    ]


def _unstable(series: Series, at: int) -> list[Finding]:
    unstable = unstable_members(series, POLL_SECONDS)
    leave = [
        Finding(UNSTABLE, restarts.member, unstable.get(restarts.member, 0.0), restarts)
        for restarts in series.restarts
        if restarts.is_unstable
    ]
    if leave:
        return leave
    return [
        Finding(UNSTABLE, row, stay) for row, stay in unstable.items() if series.is_member[at, row]
    ]


def _members(
    topic: np.ndarray, owner: np.ndarray, is_bad: np.ndarray, is_ok: np.ndarray, member_count: int
) -> list[Finding]:
    """Name members of which every partition is slow or stalled, while the same topics are OK at
    other members.
    """
    findings = []
    for member in range(member_count):
        mine = owner == member
        if mine.any() and is_bad[mine].all():
            others = (owner != UNASSIGNED) & ~mine & np.isin(topic, topic[mine])
            if others.any() and is_ok[others].all():
                findings.append(Finding(MEMBER, member))
    return findings


def _hot_partitions(series: Series, in_rate: np.ndarray) -> list[Finding]:
    findings = []
    for topic in range(len(series.topic_name)):
        tps = np.flatnonzero((series.topic == topic) & ~np.isnan(in_rate))
        median = float(np.median(in_rate[tps])) if tps.size else 0.0
        if median > 0:
            findings += [
                Finding(PARTITION, tp, float(in_rate[tp]) / median)
                for tp in tps[in_rate[tps] > HOT * median].tolist()
            ]
    return findings


def _group(in_rate: np.ndarray, out_rate: np.ndarray, is_busy: np.ndarray) -> list[Finding]:
    known = ~np.isnan(in_rate) & ~np.isnan(out_rate)
    excess = float((in_rate - out_rate)[known].sum())
    return (
        [Finding(GROUP, -1, excess)]
        if is_busy.size and is_busy.all() and known.any() and excess > 0
        else []
    )


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
    def findings(self) -> list[Finding]:
        is_busy = (
            ~np.isnan(self.busy[-1])
            if self.busy.size
            else np.zeros(len(self.series.member_id), dtype=bool)
        )
        return findings(self.series, self.verdict, self.in_rate, self.out_rate, is_busy)

    @property
    def lag_change(self) -> float:
        """Records/s by which the total lag grows, NaN if a rate of a partition of the last slot
        is unknown.
        """
        listed = self.series.is_listed[-1]
        return float((self.in_rate - self.out_rate)[listed].sum()) if listed.any() else np.nan

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
    busy = busy_rates(series, window)
    known = capacity(busy, group_of_member)
    known = known._replace(rate=possible(known.rate, series, on_the_way(series, window), incoming))
    return Now(series, verdicts(series), incoming, outgoing, seconds, method, busy, known)
