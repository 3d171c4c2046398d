"""Drains: how long a group takes under each assignor's answer, with rates in and busy rates of its
history.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.drain import Band, Drain, at_least, band, drain, middle_alone
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.assignors.timeline.draws import Draws
from evenkeel.assignors.timeline.series import Series
from evenkeel.assignors.timeline.speed import (
    behind,
    capacities_of,
    in_rates_of,
    known_of_members,
    rows_in,
)
from evenkeel.assignors.timeline.stuck import OTHER, Stuck, blocked, none_stuck

_CLEARLY, _CLEARLY_SECONDS = 1.1, 10
"""Times and seconds later: below that nobody would choose another assignor for it."""


class Endless(NamedTuple):
    """Why a group never drains: `members` that read less than comes in, the worst first, and
    `partitions` that nobody reads.

    `stuck`: partitions that have an owner and make no progress, the most lag first.
    """

    members: tuple[str, ...] = ()
    partitions: tuple[str, ...] = ()
    stuck: tuple[str, ...] = ()


class GroupDrain(NamedTuple):
    """Seconds until nothing of the group is behind, as a band; of which only the low end is known
    where some lags are not.

    Of too few readings for a band only its middle is.

    `excess`: records/s that come in beyond what is read, 0 where it drains, NaN where unknown; of
    one that never drains, beyond what the named members read. `missing`: the same with what comes
    into partitions that nobody reads. `even`: members that read about as much as comes in, where
    two readings do not tell whether that drains. `assumed`: members whose rate is the group's
    median, and decides the time. `is_between`: unknown, because a rebalance goes on. `endless`,
    `even` and `assumed` are empty also where a band was read back, of which no names are kept.
    """

    band: Band
    excess: float
    endless: Endless = Endless()
    even: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    missing: float = np.nan
    is_between: bool = False

    @property
    def is_never(self) -> bool:
        """Whether most draws never end."""
        return bool(np.isinf(self.band.middle))

    @property
    def is_single(self) -> bool:
        """Whether there is a time and no band: the readings are too few."""
        return bool(np.isnan(self.band.low) and np.isfinite(self.band.middle))


class Drains:
    """How long answers take; one for each group and history."""

    def __init__(
        self,
        group: GroupSnapshot,
        series: Series,
        drawn: Draws,
        listed: GroupSnapshot | None = None,
        former: Mapping[str, str] | None = None,
    ):
        """Bring the rates of a history into the order of the group, which may lie some slots or
        steps beyond it.

        `listed`: the group before steps made its topics grow; `former`: the ids of restarted
        members before.
        """
        self._group, self._lag = group, page_lag(group)
        if drawn.on_the_way is not None:
            self._lag = behind(self._lag, in_rates_of(group, series, drawn.on_the_way))
        self._in_rate = in_rates_of(group, series, drawn.in_rate, listed)
        self._capacity = capacities_of(group, series, drawn.busy_rate, former)
        self._spread, self._proven = (
            None if one is None else known_of_members(group, series, one, former)
            for one in (drawn.spread, drawn.proven)
        )
        self._stuck = _stuck_of(group, series, drawn)
        assumed = np.zeros(drawn.busy_rate.shape[-1]) if drawn.assumed is None else drawn.assumed
        self._assumed, self._rounding = (
            known_of_members(group, series, assumed, former) > 0,
            drawn.rounding,
        )

    @property
    def unknown_rate_count(self) -> int:
        """Partitions into which it is unknown what comes."""
        return int(np.count_nonzero(np.isnan(self._in_rate).all(axis=0)))

    @property
    def unknown_capacity_count(self) -> int:
        """Members of which it is unknown what they can read."""
        return int(np.count_nonzero(np.isnan(self._capacity).all(axis=0)))

    def of(self, assignment: Assignment) -> GroupDrain:
        """Return the band of one answer; what it keeps back in a first round counts as
        handed out.
        """
        owner = assignment.handed_out().owner
        held = blocked(self._stuck, owner)
        found = drain(
            self._lag,
            self._in_rate,
            owner,
            self._capacity,
            self._spread,
            self._proven,
            self._rounding,
            held,
        )
        is_between = bool((held.unknown & (owner == UNASSIGNED)).any())
        # Nothing is left to drain, whatever its members could read.
        seconds = (
            np.where(np.isnan(found.group), 0.0, found.group)
            if not self._lag.any() and not is_between
            else found.group
        )
        whole = at_least(band(seconds), bool((self._lag == UNKNOWN_LAG).any()))
        told = GroupDrain(
            whole if len(self._in_rate) > 1 else middle_alone(whole),
            _excess(found),
            missing=_excess(found),
        )
        told = self._never(told, found, owner, held.never) if told.is_never else told
        even = () if told.is_never else self._names(found.is_even.any(axis=0))
        assumed = self._names(self._assumed & _decides(found, told.is_never))
        return told._replace(
            is_between=is_between and not told.is_never, even=even, assumed=assumed
        )

    def _names(self, members: np.ndarray) -> tuple[str, ...]:
        return tuple(self._group.member_id[member] for member in np.flatnonzero(members).tolist())

    def _never(
        self, told: GroupDrain, found: Drain, owner: np.ndarray, is_stuck: np.ndarray
    ) -> GroupDrain:
        """Return it with who is the cause; the excess is then that of the named members, without
        what nobody is there to read.
        """
        excess = np.median(found.excess, axis=0)
        is_endless = np.isinf(band(found.by_member).middle)
        is_endless[owner[is_stuck & (owner != UNASSIGNED) & (self._lag > 0)]] = False
        members = np.flatnonzero(is_endless)
        members = members[np.argsort(-excess[members], kind="stable")]
        of_members = (
            float(np.median(found.excess[:, members].sum(axis=1))) if members.size else told.excess
        )
        return told._replace(
            endless=self._endless(members, owner, is_stuck),
            excess=of_members,
            missing=_missing(found),
        )

    def _endless(self, members: np.ndarray, owner: np.ndarray, is_stuck: np.ndarray) -> Endless:
        group = self._group
        unread = np.flatnonzero(owner == UNASSIGNED)
        unread = unread[
            (self._lag[unread] > 0) | (np.nan_to_num(self._in_rate[:, unread]) > 0).any(axis=0)
        ]
        still = np.flatnonzero(is_stuck & (owner != UNASSIGNED) & (self._lag > 0))
        return Endless(
            tuple(group.member_id[member] for member in members.tolist()),
            self._partition_names(unread),
            self._partition_names(still),
        )

    def _partition_names(self, tps: np.ndarray) -> tuple[str, ...]:
        group, tps = self._group, tps[np.argsort(-self._lag[tps], kind="stable")]
        return tuple(tp_name(group, tp) for tp in tps.tolist())

    def of_all(self, answers: Iterable[tuple[str, Assignment | None]]) -> dict[str, GroupDrain]:
        """Return the band of each answer by name; without one where the assignor throws."""
        return {name: self.of(one) for name, one in answers if one is not None}


def _stuck_of(group: GroupSnapshot, series: Series, drawn: Draws) -> Stuck:
    """Return the partitions that are stuck, in the order of the group; a member that has restarted
    is another owner.
    """
    if drawn.stuck is None:
        return none_stuck(group.tp_count)
    rows = rows_in(group, series, {})
    row_of = np.full(len(series.member_id) + 2, OTHER, dtype=np.int32)
    row_of[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
    row_of[-1] = UNASSIGNED
    is_stuck, is_paused = (
        in_rates_of(group, series, one.astype(np.float64)) == 1 for one in drawn.stuck[:2]
    )
    owner = in_rates_of(group, series, row_of[drawn.stuck.owner].astype(np.float64))
    return Stuck(is_stuck, is_paused, np.where(np.isnan(owner), UNASSIGNED, owner).astype(np.int32))


def _decides(found: Drain, is_never: bool) -> np.ndarray:
    """Tell, bool (M,), which members the time of the group is made of: those that never drain, else
    all that have something to drain.
    """
    seconds = band(found.by_member).middle
    return np.isinf(seconds) if is_never else seconds > 0


def is_later(found: GroupDrain | None, now: GroupDrain | None) -> bool:
    """Tell whether an answer never drains, or clearly later than the owners of now; False where a
    time is unknown.

    One that reads about as much as comes in takes very long at best.
    """
    if found is None or found.is_never or now is None:
        return found is not None and found.is_never
    if found.even:
        return bool(np.isfinite(now.band.middle))
    first, last = (
        (found.band.middle, now.band.middle)
        if found.is_single or now.is_single
        else (found.band.low, now.band.high)
    )
    return bool(first > last * _CLEARLY and first > last + _CLEARLY_SECONDS)


def _missing(found: Drain) -> float:
    """Return the median of everything that is not read, where the group never drains; unknown where
    a rate in without reader is.

    A member of unknown capacity that gets no more than it was seen to read lacks nothing. One that
    gets more makes the sum unknown, unless the capacity of another is known.
    """
    is_known = ~np.isnan(found.excess)
    is_unknown = (~is_known & ~found.keeps_up).any(axis=-1) & ~is_known.any(axis=-1)
    return float(
        np.median(np.where(is_unknown, np.nan, np.nansum(found.excess, axis=-1)) + found.unassigned)
    )


def _excess(found: Drain) -> float:
    """Return the median of what comes in beyond what is read; a member of unknown capacity is not
    one that is proven to be too slow.
    """
    is_unknown = np.isnan(found.excess).all(axis=-1) & (found.excess.shape[-1] > 0)
    return float(
        np.median(
            np.where(is_unknown, np.nan, np.nansum(found.excess, axis=-1))
            + np.nan_to_num(found.unassigned)
        )
    )
