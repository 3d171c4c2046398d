"""Drain times of groups, if every member reads its partitions in turn and at a constant rate.

    drain(lag, in_rate, owner, capacity).group

Kafka's fetcher is fair among partitions with data: a member divides its capacity equally among its
partitions with lag. If a partition needs less than its part, the other partitions share the rest.
The calculation goes from each moment at which a partition becomes empty to the next such moment.
Between two such moments all lags change linearly, so the results are exact for constant rates.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG

NEVER = np.inf
UNKNOWN_DRAIN = np.nan
_ROUNDING = 1 + 1e-6

_LEAST_EXCESS = 0.05
"""A smaller excess, in records/s, would be shown as 0.0."""

DRAWS = 200
_PERCENTILES = (5, 50, 95)

EMPTY = 1e-6
"""A smaller lag, in records, counts as 0, because it may be a rounding error."""


class Drain(NamedTuple):
    """Seconds until the lag is 0, float64: `by_member` (..., M) and `group` (...,).

    `NEVER` if the lag never becomes 0. `UNKNOWN_DRAIN` if a rate is unknown.

    `excess` (..., M): incoming records/s minus the member's capacity, at least 0. `unassigned`
    (...,): incoming records/s of partitions without an owner. `is_even` (..., M): whether capacity
    and incoming rate are almost equal, so that the drain time is unknown. `keeps_up` (..., M):
    whether the capacity is unknown, but the incoming rate is not higher than a rate that the member
    has already reached.
    """

    by_member: np.ndarray
    group: np.ndarray
    excess: np.ndarray
    unassigned: np.ndarray
    is_even: np.ndarray
    keeps_up: np.ndarray


class Blockage(NamedTuple):
    """Partitions that may never drain, bool (P,) each.

    `never`: the owner makes no progress. `unknown`: it is unknown whether the owner makes progress.
    """

    never: np.ndarray
    unknown: np.ndarray


def drain(
    lag: np.ndarray,
    in_rate: np.ndarray,
    owner: np.ndarray,
    capacity: np.ndarray,
    spread: np.ndarray | None = None,
    proven: np.ndarray | None = None,
    rounding: float = 0.0,
    blocked: Blockage | None = None,
) -> Drain:
    """Return each member's drain time.

    A member with lag reads at its full capacity. Its total lag falls by its capacity minus the
    incoming rates of its partitions.

    Parameters
    ----------
    lag : int64 (P,)
        `UNKNOWN_LAG` if unknown. Unknown lags are left out. If all lags of a member are unknown,
        its drain time is `UNKNOWN_DRAIN`.
    in_rate : float64 (..., P)
        Records/s, NaN if unknown.
    owner : int32 (P,)
        Owners, for example an assignor's answer.
    capacity : float64 (..., M)
        Records/s, NaN if unknown.
    spread : float64 (..., M) or None
        If given, a member reads capacity x seconds + spread x sqrt(seconds) records, otherwise
        capacity x seconds.
    proven : float64 (..., M) or None
        Records/s that each member has already reached. If a member's capacity is unknown and its
        incoming rate is higher than this rate, its drain time is unknown, even at lag 0.
    rounding : float
        Relative error of the rates. If a member's incoming rate exceeds its capacity by no more
        than this error, its drain time is unknown.
    blocked : Blockage or None
        Partitions without progress. If such a partition has lag, its owner's drain time is `NEVER`
        or unknown. If such a partition has no owner, the group's drain time is unknown.
    """
    behind = np.where(lag == UNKNOWN_LAG, 0, lag).astype(np.float64)
    member_count = capacity.shape[-1]
    paused = (
        np.zeros(lag.size, dtype=bool)
        if blocked is None
        else blocked.unknown & (owner == UNASSIGNED)
    )
    if paused.any():
        behind, in_rate = np.where(paused, 0, behind), np.where(paused, 0, in_rate)
    total, rate = (
        sums_by_owner(behind, owner, member_count),
        sums_by_owner(in_rate, owner, member_count),
    )
    lags, comes = total[..., :-1], rate[..., :-1]
    excess = np.maximum(comes - capacity, 0)
    seconds = _seconds(lags, capacity - comes, spread)
    is_even = _is_even(comes, capacity, rounding)
    seconds = np.where(np.isnan(capacity) | np.isnan(comes) | is_even, UNKNOWN_DRAIN, seconds)
    is_unknown = _is_blind(lag, owner, member_count)
    keeps_up = np.zeros(excess.shape, dtype=bool)
    if proven is not None:
        is_unknown = is_unknown | np.isnan(capacity) & (comes > proven * _ROUNDING)
        keeps_up = np.isnan(capacity) & (comes <= proven * _ROUNDING)
    seconds = np.where(
        (lags == 0) & ~(excess > 0), np.where(is_unknown, UNKNOWN_DRAIN, 0.0), seconds
    )
    if blocked is not None:
        seconds, excess = _with_blocked(seconds, excess, blocked, behind, in_rate, owner)
    alone = np.where(total[..., -1] + np.nan_to_num(rate[..., -1]) > 0, NEVER, 0.0)
    # numpy's maximum is NaN if any time is unknown. But if one member never drains, the group never
    # drains.
    worst = np.maximum(
        np.where((seconds == NEVER).any(axis=-1), NEVER, seconds.max(axis=-1, initial=0)), 0
    )
    worst = np.where((worst != NEVER) & paused.any(), UNKNOWN_DRAIN, worst)
    return Drain(
        seconds,
        np.where(alone == NEVER, NEVER, worst),
        excess,
        rate[..., -1],
        is_even & (lags > 0),
        keeps_up,
    )


def _with_blocked(
    seconds: np.ndarray,
    excess: np.ndarray,
    blocked: Blockage,
    behind: np.ndarray,
    in_rate: np.ndarray,
    owner: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the members' seconds and excess, (..., M), corrected for blocked partitions.

    All incoming records of a partition that never progresses are excess.
    """
    count = seconds.shape[-1]
    never, unknown = ((rows & (behind > 0) & (owner != UNASSIGNED)) for rows in blocked)
    is_never, is_unknown = (
        np.bincount(owner[rows], minlength=count) > 0 for rows in (never, unknown)
    )
    seconds = np.where(
        is_never, NEVER, np.where(is_unknown & (seconds != NEVER), UNKNOWN_DRAIN, seconds)
    )
    if not is_never.any():
        return seconds, excess
    unread = sums_by_owner(np.where(never, in_rate, 0), owner, count)[..., :-1]
    return seconds, np.where(is_never, np.fmax(excess, unread), excess)


def drain_by_partition(
    lag: np.ndarray,
    in_rate: np.ndarray,
    owner: np.ndarray,
    capacity: np.ndarray,
    rounding: float = 0.0,
    blocked: Blockage | None = None,
) -> np.ndarray:
    """Return the seconds until each partition's lag is 0, float64 (P,).

    `UNKNOWN_DRAIN` if the partition's lag is unknown, or a rate of its owner is unknown.
    `rounding`, `blocked`: as in `drain`.
    """
    seconds = np.where((lag > 0) | (in_rate > 0), NEVER, 0.0)
    for member in np.unique(owner[owner != UNASSIGNED]).tolist():
        tps = np.flatnonzero(owner == member)
        known = tps[lag[tps] != UNKNOWN_LAG]
        if np.isnan(capacity[member]) or np.isnan(in_rate[known]).any():
            seconds[tps] = np.where(lag[tps] == 0, 0.0, UNKNOWN_DRAIN)
        else:
            seconds[known] = empty_after(
                lag[known].astype(np.float64), in_rate[known], float(capacity[member])
            )
            if _is_even(in_rate[known].sum(), capacity[member], rounding):
                seconds[known] = np.where(seconds[known] == NEVER, UNKNOWN_DRAIN, seconds[known])
    if blocked is not None:
        seconds = np.where(
            blocked.never & (lag > 0),
            NEVER,
            np.where(blocked.unknown & (seconds > 0), UNKNOWN_DRAIN, seconds),
        )
    seconds[lag == UNKNOWN_LAG] = UNKNOWN_DRAIN
    return seconds


def sums_by_owner(values: np.ndarray, owner: np.ndarray, member_count: int) -> np.ndarray:
    """Sum the values (..., P) by owner, float64 (..., M + 1).

    The last sum is for partitions without an owner.
    """
    key = np.where(owner == UNASSIGNED, member_count, owner)
    if (key[1:] < key[:-1]).any():
        order = np.argsort(key, kind="stable")
        key, values = key[order], values[..., order]
    result = np.zeros((*values.shape[:-1], member_count + 1))
    present, starts = np.unique(key, return_index=True)
    if present.size:
        result[..., present] = np.add.reduceat(values, starts, axis=-1)
    return result


def _seconds(lags: np.ndarray, falls: np.ndarray, spread: np.ndarray | None) -> np.ndarray:
    """Return the seconds t for which `falls * t + spread * sqrt(t) == lags`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if spread is None:
            return np.where(falls > 0, lags / falls, NEVER)
        root = (np.sqrt(spread**2 + 4 * falls * lags) - spread) / (2 * falls)
        return np.where(falls > 0, root**2, NEVER)


def _is_even(comes: np.ndarray, capacity: np.ndarray, rounding: float) -> np.ndarray:
    """Return whether each member's capacity and incoming rate may be equal, bool (..., M).

    They may be equal if they differ only by a possible rounding error. False for a member without
    incoming records.
    """
    excess = comes - capacity
    return (
        (rounding > 0)
        & (comes > 0)
        & (excess >= comes * (1 - _ROUNDING))
        & (excess <= np.maximum(comes * rounding, _LEAST_EXCESS))
    )


def _is_blind(lag: np.ndarray, owner: np.ndarray, member_count: int) -> np.ndarray:
    """Return whether each member has partitions, but all their lags are unknown, bool (M,)."""
    has, knows = (
        np.bincount(owner[mask], minlength=member_count)
        for mask in (owner != UNASSIGNED, (owner != UNASSIGNED) & (lag != UNKNOWN_LAG))
    )
    return (has > 0) & (knows == 0)


def lag_ahead(
    lag: np.ndarray,
    in_rate: np.ndarray,
    owner: np.ndarray,
    capacity: np.ndarray,
    seconds: np.ndarray,
) -> np.ndarray:
    """Return the group's total lag after each time in `seconds` (T,), float64 (..., T).

    A member's lag changes by its incoming rates minus its capacity, until the lag is 0. The lag
    then remains 0 if the member can read all incoming records. Unknown lags are left out of the
    total, but the incoming rates of their partitions count. The total is NaN if any incoming rate
    or the capacity of a member with partitions is unknown. Other parameters: as in `drain`.
    """
    member_count = capacity.shape[-1]
    total = sums_by_owner(
        np.where(lag == UNKNOWN_LAG, 0, lag).astype(np.float64), owner, member_count
    )
    # No member reads partitions without an owner.
    able = np.concatenate([capacity, np.zeros((*capacity.shape[:-1], 1))], axis=-1)
    grows = sums_by_owner(in_rate, owner, member_count) - able
    has_some = (
        np.bincount(np.where(owner == UNASSIGNED, member_count, owner), minlength=member_count + 1)
        > 0
    )
    later = np.maximum(total[has_some, None] + grows[..., has_some, None] * seconds, 0)
    return later.sum(axis=-2)


# Bands of draws of incoming rates and members' rates


class Band(NamedTuple):
    """A drain time with its uncertainty: three values in seconds, float64 (...,) each.

    90 % of the simulated times are between `low` and `high`. Infinite means never, NaN unknown. If
    only `low` is known, it is a lower bound. If only `middle` is known, there were too few readings
    for `low` and `high`.
    """

    low: np.ndarray
    middle: np.ndarray
    high: np.ndarray


def band(seconds: np.ndarray) -> Band:
    """Return the band of simulated drain times. `seconds`: B simulations, (B, ...)."""
    # Each result is one of the simulated times. A value between a time and never would have no
    # meaning.
    return Band(*np.percentile(seconds, _PERCENTILES, axis=0, method="inverted_cdf"))


def at_least(band: Band, is_partial: np.ndarray | bool) -> Band:
    """Keep only `low`, as a lower bound, if lags were left out.

    `is_partial`: whether lags were left out. A `low` of 0 becomes unknown. If `middle` is `NEVER`,
    the band does not change.
    """
    is_open = is_partial & ~np.isinf(band.middle)
    low = np.where(is_open & (band.low == 0), np.nan, band.low)
    return Band(low, np.where(is_open, np.nan, band.middle), np.where(is_open, np.nan, band.high))


def middle_alone(band: Band) -> Band:
    """Make `low` and `high` unknown, because the band is from a single simulation.

    If `middle` is `NEVER` or 0, the band does not change.
    """
    is_time = np.isfinite(band.middle) & (band.middle > 0)
    return Band(
        np.where(is_time, np.nan, band.low), band.middle, np.where(is_time, np.nan, band.high)
    )


# One member's partitions


class _Phase(NamedTuple):
    """A time span in which no partition becomes empty.

    `begin`: its start, in seconds. `length`: in seconds. `behind`: the lags at the start. `falls`:
    records/s by which each lag falls.
    """

    begin: float
    behind: np.ndarray
    falls: np.ndarray
    length: float


def lags_after(
    behind: np.ndarray, in_rate: np.ndarray, capacity: float, seconds: float
) -> np.ndarray:
    """Return the lags of one member's partitions after `seconds`, float64."""
    for phase in _phases(behind, in_rate, capacity):
        if seconds <= phase.begin + phase.length:
            return np.maximum(phase.behind - phase.falls * (seconds - phase.begin), 0)
    return behind.copy()


def empty_after(behind: np.ndarray, in_rate: np.ndarray, capacity: float) -> np.ndarray:
    """Return the seconds until each partition of one member is empty and remains empty, float64.

    Infinite if this never happens.
    """
    seconds = np.full(behind.size, np.inf)
    for phase in _phases(behind, in_rate, capacity):
        # Shares only grow, so a partition that keeps up once always keeps up afterwards.
        seconds[(phase.behind <= EMPTY) & (phase.falls >= -EMPTY) & np.isinf(seconds)] = phase.begin
    return seconds


def _phases(behind: np.ndarray, in_rate: np.ndarray, capacity: float) -> Iterator[_Phase]:
    begin, behind, length = 0.0, behind.astype(np.float64), 0.0
    while np.isfinite(length):
        is_behind = behind > EMPTY
        falls = shares(np.where(is_behind, np.inf, in_rate), capacity) - in_rate
        emptied = is_behind & (falls > 0)
        length = float((behind[emptied] / falls[emptied]).min(initial=np.inf))
        yield _Phase(begin, behind, falls, length)
        if np.isfinite(length):
            begin, behind = begin + length, np.maximum(behind - falls * length, 0)


def shares(needs: np.ndarray, capacity: float) -> np.ndarray:
    """Return the records/s that one member reads from each partition.

    `needs`: records/s that the member could read from each partition, infinite if it has lag. If a
    need is less than an equal part of `capacity`, the other partitions share the rest.
    """
    order = np.argsort(needs, kind="stable")
    in_order = needs[order]
    before = np.concatenate([[0.0], np.cumsum(in_order)[:-1]])
    # The part of each partition, if this partition and all partitions with larger needs share the
    # remaining capacity.
    part = np.maximum(capacity - before, 0) / np.arange(needs.size, 0, -1)
    is_served = in_order <= part
    level = part[np.argmin(is_served)] if not is_served.all() else np.inf
    return np.minimum(needs, level)
