"""Time until a group has no lag, for each answer, from measured incoming and reading rates."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.drain import Band, Drain, at_least, band, drain, middle_alone
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.assignors.group.snapshot_order import (
    capacities_of,
    in_rates_of,
    known_of_members,
    rows_in,
)
from evenkeel.assignors.group.speed import behind
from evenkeel.assignors.timeline.draws import Draws
from evenkeel.assignors.timeline.stuck import OTHER, Stuck, blocked

_CLEARLY, _CLEARLY_SECONDS = 1.1, 10
"""A drain is clearly later if it is later by this factor and by this number of seconds."""


class Endless(NamedTuple):
    """Why the lag of a group never becomes 0.

    `members`: members that read too slowly, slowest first. `partitions`: partitions without an
    owner. `stuck`: partitions whose owner makes no progress, most lag first.
    """

    members: tuple[str, ...] = ()
    partitions: tuple[str, ...] = ()
    stuck: tuple[str, ...] = ()


class GroupDrain(NamedTuple):
    """The time until the group has no lag, as a band of seconds (low, middle, high).

    If some lags are unknown, only the low end is known. If there are too few readings, only the
    middle is known.

    `excess`: records/s written minus records/s read; 0 if the group drains, NaN if unknown. If the
    group never drains, only the members in `endless` count. `missing`: like `excess`, but for all
    members and for partitions without an owner. `even`: members that read about as fast as
    producers write, so it is unclear whether they ever drain. `assumed`: members that decide the
    time, and for which the group's median rate is assumed. `is_between`: the time is unknown
    because a rebalance is running.

    In a stored band, `endless`, `even` and `assumed` are empty.
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
        """Whether the group never drains in at least half of the random draws."""
        return bool(np.isinf(self.band.middle))

    @property
    def is_single(self) -> bool:
        """Whether only the middle of the band is known, because there are too few readings."""
        return bool(np.isnan(self.band.low) and np.isfinite(self.band.middle))


class Drains:
    """Computes the time to drain for each answer; one object for a group and its history."""

    def __init__(
        self,
        group: GroupSnapshot,
        series: Series,
        drawn: Draws,
        listed: GroupSnapshot | None = None,
        former: Mapping[str, str] | None = None,
    ):
        """Put the rates of a history into the order of the group's partitions and members.

        `group`: the group, maybe later than the history. `listed`: the group before steps added
        partitions. `former`: former ids of restarted members.
        """
        self._group, self._lag = group, page_lag(group)
        if drawn.on_the_way is not None:
            self._lag = behind(self._lag, in_rates_of(group, series, drawn.on_the_way))
        self._in_rate = in_rates_of(group, series, drawn.in_rate, listed)
        self._capacity = capacities_of(group, series, drawn.busy_rate, former)
        self._spread, self._proven = (
            None if estimate is None else known_of_members(group, series, estimate, former)
            for estimate in (drawn.spread, drawn.proven)
        )
        self._stuck = _stuck_of(group, series, drawn)
        assumed = np.zeros(drawn.busy_rate.shape[-1]) if drawn.assumed is None else drawn.assumed
        self._assumed, self._rounding = (
            known_of_members(group, series, assumed, former) > 0,
            drawn.rounding,
        )

    @property
    def unknown_rate_count(self) -> int:
        """Number of partitions with an unknown incoming rate."""
        return int(np.count_nonzero(np.isnan(self._in_rate).all(axis=0)))

    @property
    def unknown_capacity_count(self) -> int:
        """Number of members with an unknown reading rate."""
        return int(np.count_nonzero(np.isnan(self._capacity).all(axis=0)))

    def of(self, assignment: Assignment) -> GroupDrain:
        """Return the time to drain under one answer.

        Partitions that are withheld in the first round count as assigned.
        """
        owner = assignment.handed_out().owner
        held = blocked(self._stuck, owner)
        drained = drain(
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
        # Without lag there is nothing to drain: the time is 0 also for unknown rates.
        seconds = (
            np.where(np.isnan(drained.group), 0.0, drained.group)
            if not self._lag.any() and not is_between
            else drained.group
        )
        whole = at_least(band(seconds), bool((self._lag == UNKNOWN_LAG).any()))
        of_group = GroupDrain(
            whole if len(self._in_rate) > 1 else middle_alone(whole),
            _excess(drained),
            missing=_excess(drained),
        )
        of_group = (
            self._never(of_group, drained, owner, held.never) if of_group.is_never else of_group
        )
        even = () if of_group.is_never else self._names(np.any(drained.is_even, axis=0))
        assumed = self._names(self._assumed & _decides(drained, of_group.is_never))
        return of_group._replace(
            is_between=is_between and not of_group.is_never, even=even, assumed=assumed
        )

    def _names(self, members: np.ndarray) -> tuple[str, ...]:
        return tuple(self._group.member_id[member] for member in np.flatnonzero(members).tolist())

    def _never(
        self, of_group: GroupDrain, drained: Drain, owner: np.ndarray, is_stuck: np.ndarray
    ) -> GroupDrain:
        """Return the result for a group that never drains, with the cause. `excess` counts only
        members that never drain.
        """
        excess = np.median(drained.excess, axis=0)
        is_endless = np.isinf(band(drained.by_member).middle)
        is_endless[owner[is_stuck & (owner != UNASSIGNED) & (self._lag > 0)]] = False
        members = np.flatnonzero(is_endless)
        members = members[np.argsort(-excess[members], kind="stable")]
        of_members = (
            float(np.median(drained.excess[:, members].sum(axis=1)))
            if members.size
            else of_group.excess
        )
        return of_group._replace(
            endless=self._endless(members, owner, is_stuck),
            excess=of_members,
            missing=_missing(drained),
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
        """Return the time to drain by name of the answer; failed answers are left out."""
        return {
            name: self.of(answer_of_name)
            for name, answer_of_name in answers
            if answer_of_name is not None
        }


def _stuck_of(group: GroupSnapshot, series: Series, drawn: Draws) -> Stuck:
    """Return the stuck partitions in the order of the group.

    A restarted member counts as a new owner.
    """
    if drawn.stuck is None:
        return Stuck.none(group.tp_count)
    rows = rows_in(group, series, {})
    row_of = np.full(len(series.member_id) + 2, OTHER, dtype=np.int32)
    row_of[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
    row_of[-1] = UNASSIGNED
    is_stuck, is_paused = (
        in_rates_of(group, series, share.astype(np.float64)) == 1 for share in drawn.stuck[:2]
    )
    owner = in_rates_of(group, series, row_of[drawn.stuck.owner].astype(np.float64))
    return Stuck(is_stuck, is_paused, np.where(np.isnan(owner), UNASSIGNED, owner).astype(np.int32))


def _decides(drained: Drain, is_never: bool) -> np.ndarray:
    """Return for each member whether the time to drain depends on this member, bool (M,).

    True for members with lag; if the group never drains, for members that never drain.
    """
    seconds = band(drained.by_member).middle
    return np.isinf(seconds) if is_never else seconds > 0


def is_later(later: GroupDrain | None, now: GroupDrain | None) -> bool:
    """Return whether the group drains clearly later under an answer than it does now.

    `later`: the drain under the answer. `now`: the present drain. True if `later` never ends, or if
    `later` has `even` members and `now` is finite. Otherwise False if `later` or `now` is unknown.
    """
    if later is None or later.is_never or now is None:
        return later is not None and later.is_never
    if later.even:
        return bool(np.isfinite(now.band.middle))
    first, last = (
        (later.band.middle, now.band.middle)
        if later.is_single or now.is_single
        else (later.band.low, now.band.high)
    )
    return bool(first > last * _CLEARLY and first > last + _CLEARLY_SECONDS)


def _missing(drained: Drain) -> float:
    """Return records/s by which a group that never drains falls behind: the median of all draws.

    Members of unknown capacity add 0. NaN if the rate into a partition without an owner is unknown,
    or if no capacity is known and some member may read too slowly.
    """
    is_known = ~np.isnan(drained.excess)
    is_unknown = (~is_known & ~drained.keeps_up).any(axis=-1) & ~is_known.any(axis=-1)
    return float(
        np.median(
            np.where(is_unknown, np.nan, np.nansum(drained.excess, axis=-1)) + drained.unassigned
        )
    )


def _excess(drained: Drain) -> float:
    """Return records/s written minus records/s read: the median of all draws.

    Members of unknown capacity add 0; NaN if every capacity is unknown.
    """
    is_unknown = np.isnan(drained.excess).all(axis=-1) & (drained.excess.shape[-1] > 0)
    return float(
        np.median(
            np.where(is_unknown, np.nan, np.nansum(drained.excess, axis=-1))
            + np.nan_to_num(drained.unassigned)
        )
    )
