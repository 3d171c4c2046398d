"""Drain times of groups: members read at constant rates and serve their partitions in turn.

    drain(lag, in_rate, owner, capacity).group

Kafka's fetcher is fair among partitions with data: a member shares its capacity in equal parts
among partitions with lag; a partition that needs less leaves the rest to the others. Time jumps
from one empty partition to the next; between them all is linear, so the answers are exact for
constant rates.
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
"""Records/s: less is told as 0.0."""

DRAWS = 200
_PERCENTILES = (5, 50, 95)

EMPTY = 1e-6
"""Records: a smaller lag is none, because of rounding."""


class Drain(NamedTuple):
    """Seconds until lag 0, float64: by member (..., M), of the group (...,); `NEVER`, or
    `UNKNOWN_DRAIN` if a rate is unknown.

    `excess` (..., M): incoming records/s beyond the member's capacity, 0 if none. `unassigned`
    (...,): records/s into partitions without reader. `is_even` (..., M): whether the member reads
    about as much as comes in, so its time is unknown. `keeps_up` (..., M): whether a member of
    unknown capacity gets at most its seen reading rate.
    """

    by_member: np.ndarray
    group: np.ndarray
    excess: np.ndarray
    unassigned: np.ndarray
    is_even: np.ndarray
    keeps_up: np.ndarray


class Blockage(NamedTuple):
    """Partitions seen without progress, bool (P,) each.

    `never`: under an owner without progress. `unknown`: under an owner whose progress was not seen.
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

    A member with lag reads at its capacity, however its partitions share it: its whole lag falls by
    capacity - in rates.

    Parameters
    ----------
    lag : int64 (P,)
        `UNKNOWN_LAG` is left out; a member without any known lag has `UNKNOWN_DRAIN`.
    in_rate : float64 (..., P)
        Records/s, NaN if unknown.
    owner : int32 (P,)
        Owners in any assignor's answer.
    capacity : float64 (..., M)
        Records/s, NaN if unknown.
    spread : float64 (..., M) or None
        A member reads capacity x seconds + spread x sqrt(seconds) records; by default only its
        capacity.
    proven : float64 (..., M) or None
        Records/s that a member was seen to read. A member of unknown capacity that gets more is
        unknown, even with lag 0.
    rounding : float
        `rounding` of Draws: a member is unknown if its rate in exceeds its capacity by at most this
        part.
    blocked : Blockage or None
        A member with lag in such a partition never ends, or is unknown; a group with such a
        partition without owner too.
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
    # The maximum of numpy keeps NaN; one member that never ends decides all the same.
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
    """Return times and excess of members (..., M); all incoming records of partitions without
    progress are excess.
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
    """Return the seconds until each partition's lag is 0, float64 (P,); `rounding` and `blocked` as
    in `drain`.

    `UNKNOWN_DRAIN` if its lag, or a rate of its member, is unknown.
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
    """Sum (..., P) by owner, float64 (..., M + 1); the last sum is for partitions without owner."""
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
    """Return the time at which falls x seconds + spread x sqrt(seconds) equals the lags."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if spread is None:
            return np.where(falls > 0, lags / falls, NEVER)
        root = (np.sqrt(spread**2 + 4 * falls * lags) - spread) / (2 * falls)
        return np.where(falls > 0, root**2, NEVER)


def _is_even(comes: np.ndarray, capacity: np.ndarray, rounding: float) -> np.ndarray:
    """Return the members for which only rounding decides whether they ever drain; none if no
    records come in.
    """
    excess = comes - capacity
    return (
        (rounding > 0)
        & (comes > 0)
        & (excess >= comes * (1 - _ROUNDING))
        & (excess <= np.maximum(comes * rounding, _LEAST_EXCESS))
    )


def _is_blind(lag: np.ndarray, owner: np.ndarray, member_count: int) -> np.ndarray:
    """Return which members have partitions but no known lag, bool (M,)."""
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
    """Return the sum of known lags after each of `seconds` (T,), float64 (..., T), NaN if one of
    its rates is unknown.

    A member's lag changes by its in rates minus its capacity until it is 0, and stays 0 if it can
    read all incoming records. Parameters as for `drain`; partitions whose lag is unknown are left
    out, but their member reads them too.
    """
    member_count = capacity.shape[-1]
    total = sums_by_owner(
        np.where(lag == UNKNOWN_LAG, 0, lag).astype(np.float64), owner, member_count
    )
    # Partitions without owner are not read.
    able = np.concatenate([capacity, np.zeros((*capacity.shape[:-1], 1))], axis=-1)
    grows = sums_by_owner(in_rate, owner, member_count) - able
    has_some = (
        np.bincount(np.where(owner == UNASSIGNED, member_count, owner), minlength=member_count + 1)
        > 0
    )
    later = np.maximum(total[has_some, None] + grows[..., has_some, None] * seconds, 0)
    return later.sum(axis=-2)


# Bands: of draws of arriving records and of members' rates


class Band(NamedTuple):
    """Seconds, float64 (...,) each: 90 % of the draws are between `low` and `high`. Infinite for
    never, NaN if unknown.

    If only `low` is known, it is a lower bound. If only `middle` is known, there were too few
    readings for a band.
    """

    low: np.ndarray
    middle: np.ndarray
    high: np.ndarray


def band(seconds: np.ndarray) -> Band:
    """Return the band of draws (B, ...)."""
    # Of the draws themselves: there is nothing between a time and never.
    return Band(*np.percentile(seconds, _PERCENTILES, axis=0, method="inverted_cdf"))


def at_least(band: Band, is_partial: np.ndarray | bool) -> Band:
    """Return the band, or only its low end if unknown lags are left out, because they may take
    longer. Never remains never, 0 becomes unknown.
    """
    is_open = is_partial & ~np.isinf(band.middle)
    low = np.where(is_open & (band.low == 0), np.nan, band.low)
    return Band(low, np.where(is_open, np.nan, band.middle), np.where(is_open, np.nan, band.high))


def middle_alone(band: Band) -> Band:
    """Return the band of one draw: its ends are unknown if it has a time. Never remains never, and
    0 remains 0.
    """
    is_time = np.isfinite(band.middle) & (band.middle > 0)
    return Band(
        np.where(is_time, np.nan, band.low), band.middle, np.where(is_time, np.nan, band.high)
    )


# One member's partitions


class _Phase(NamedTuple):
    """The time between two events: its start, the lags then, how fast they fall (records/s), its
    length (s).
    """

    begin: float
    behind: np.ndarray
    falls: np.ndarray
    length: float


def lags_after(
    behind: np.ndarray, in_rate: np.ndarray, capacity: float, seconds: float
) -> np.ndarray:
    """Return the lags of one member's partitions after some seconds, float64."""
    for phase in _phases(behind, in_rate, capacity):
        if seconds <= phase.begin + phase.length:
            return np.maximum(phase.behind - phase.falls * (seconds - phase.begin), 0)
    return behind.copy()


def empty_after(behind: np.ndarray, in_rate: np.ndarray, capacity: float) -> np.ndarray:
    """Return when each of one member's partitions is empty and stays empty, seconds, float64,
    infinite for never.
    """
    seconds = np.full(behind.size, np.inf)
    for phase in _phases(behind, in_rate, capacity):
        # Shares only grow: a partition that keeps up once keeps up for ever.
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
    """Return each partition's records/s: its need, or an equal part of the capacity left by smaller
    needs.
    """
    order = np.argsort(needs, kind="stable")
    in_order = needs[order]
    before = np.concatenate([[0.0], np.cumsum(in_order)[:-1]])
    # The part of each, if it and all larger needs shared the rest.
    part = np.maximum(capacity - before, 0) / np.arange(needs.size, 0, -1)
    is_served = in_order <= part
    level = part[np.argmin(is_served)] if not is_served.all() else np.inf
    return np.minimum(needs, level)
