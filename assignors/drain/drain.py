"""Drain: how long until nothing is behind under an assignment, by partition, member and group."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.drain.sharing import empty_after
from evenkeel.assignors.group.lag import UNKNOWN_LAG

NEVER = np.inf
UNKNOWN_DRAIN = np.nan

_ROUNDING = 1 + 1e-6
_LEAST_EXCESS = 0.05
"""Records/s: less is told as 0.0."""


class Drain(NamedTuple):
    """Seconds until lag 0, float64: by member (..., M), of the group (...,); `NEVER`, or `UNKNOWN_DRAIN` where a rate is unknown.

    `excess` (..., M): records/s that come in beyond what the member can read, 0 where it can.
    `unassigned` (...,): records/s into partitions that nobody reads. `is_even` (..., M): whether the member reads about as much as comes
    in, so that its time is unknown. `keeps_up` (..., M): whether a member of unknown capacity gets no more than it was seen to read.
    """

    by_member: np.ndarray
    group: np.ndarray
    excess: np.ndarray
    unassigned: np.ndarray
    is_even: np.ndarray
    keeps_up: np.ndarray


class Blocked(NamedTuple):
    """Partitions that were seen to make no progress, bool (P,) each.

    `never`: under an owner that makes none. `unknown`: whether this owner makes progress was not seen.
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
    blocked: Blocked | None = None,
) -> Drain:
    """Return how long each member takes.

    A member that is behind reads at its capacity, whatever its partitions get of it: its whole lag falls by capacity - in rates.

    Parameters
    ----------
    lag : int64 (P,)
        `UNKNOWN_LAG` is left out; a member of which every lag is unknown has `UNKNOWN_DRAIN`.
    in_rate : float64 (..., P)
        Records/s, NaN where unknown.
    owner : int32 (P,)
        Of any assignor's answer.
    capacity : float64 (..., M)
        Records/s, NaN where unknown.
    spread : float64 (..., M) or None
        A member reads capacity x seconds + spread x sqrt(seconds) records; by default just its capacity.
    proven : float64 (..., M) or None
        Records/s that a member was seen to read. One of unknown capacity that gets more is unknown also with lag 0.
    rounding : float
        `rounding` of Draws: a member is unknown where what comes in is more than it reads by no more than this part of it.
    blocked : Blocked or None
        A member with such a partition that is behind never ends, or is unknown; so is a group with one that has no owner.
    """
    behind = np.where(lag == UNKNOWN_LAG, 0, lag).astype(np.float64)
    member_count = capacity.shape[-1]
    paused = np.zeros(lag.size, dtype=bool) if blocked is None else blocked.unknown & (owner == UNASSIGNED)
    if paused.any():
        behind, in_rate = np.where(paused, 0, behind), np.where(paused, 0, in_rate)
    total, rate = sums_by_owner(behind, owner, member_count), sums_by_owner(in_rate, owner, member_count)
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
    seconds = np.where((lags == 0) & ~(excess > 0), np.where(is_unknown, UNKNOWN_DRAIN, 0.0), seconds)
    if blocked is not None:
        seconds, excess = _with_blocked(seconds, excess, blocked, behind, in_rate, owner)
    alone = np.where(total[..., -1] + np.nan_to_num(rate[..., -1]) > 0, NEVER, 0.0)
    # The maximum of numpy keeps NaN; one member that never ends decides all the same.
    worst = np.maximum(np.where((seconds == NEVER).any(axis=-1), NEVER, seconds.max(axis=-1, initial=0)), 0)
    worst = np.where((worst != NEVER) & paused.any(), UNKNOWN_DRAIN, worst)
    return Drain(seconds, np.where(alone == NEVER, NEVER, worst), excess, rate[..., -1], is_even & (lags > 0), keeps_up)


def _with_blocked(
    seconds: np.ndarray, excess: np.ndarray, blocked: Blocked, behind: np.ndarray, in_rate: np.ndarray, owner: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return times and excess of members (..., M); all that comes into partitions without progress is excess."""
    count = seconds.shape[-1]
    never, unknown = ((one & (behind > 0) & (owner != UNASSIGNED)) for one in blocked)
    is_never, is_unknown = (np.bincount(owner[one], minlength=count) > 0 for one in (never, unknown))
    seconds = np.where(is_never, NEVER, np.where(is_unknown & (seconds != NEVER), UNKNOWN_DRAIN, seconds))
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
    blocked: Blocked | None = None,
) -> np.ndarray:
    """Return the seconds until each partition's lag is 0, float64 (P,); `rounding` and `blocked` as in `drain`.

    `UNKNOWN_DRAIN` where its lag, or a rate of its member, is unknown.
    """
    seconds = np.where((lag > 0) | (in_rate > 0), NEVER, 0.0)
    for member in np.unique(owner[owner != UNASSIGNED]).tolist():
        tps = np.flatnonzero(owner == member)
        known = tps[lag[tps] != UNKNOWN_LAG]
        if np.isnan(capacity[member]) or np.isnan(in_rate[known]).any():
            seconds[tps] = np.where(lag[tps] == 0, 0.0, UNKNOWN_DRAIN)
        else:
            seconds[known] = empty_after(lag[known].astype(np.float64), in_rate[known], float(capacity[member]))
            if _is_even(in_rate[known].sum(), capacity[member], rounding):
                seconds[known] = np.where(seconds[known] == NEVER, UNKNOWN_DRAIN, seconds[known])
    if blocked is not None:
        seconds = np.where(blocked.never & (lag > 0), NEVER, np.where(blocked.unknown & (seconds > 0), UNKNOWN_DRAIN, seconds))
    seconds[lag == UNKNOWN_LAG] = UNKNOWN_DRAIN
    return seconds


def sums_by_owner(values: np.ndarray, owner: np.ndarray, member_count: int) -> np.ndarray:
    """Sum (..., P) by owner, float64 (..., M + 1); the last is of partitions without owner."""
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
    """Return when falls x seconds + spread x sqrt(seconds) has worked off the lags."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if spread is None:
            return np.where(falls > 0, lags / falls, NEVER)
        root = (np.sqrt(spread**2 + 4 * falls * lags) - spread) / (2 * falls)
        return np.where(falls > 0, root**2, NEVER)


def _is_even(comes: np.ndarray, capacity: np.ndarray, rounding: float) -> np.ndarray:
    """Tell of which members no more than a rounding decides whether they ever drain; none without one, or where nothing comes in."""
    excess = comes - capacity
    return (rounding > 0) & (comes > 0) & (excess >= comes * (1 - _ROUNDING)) & (excess <= np.maximum(comes * rounding, _LEAST_EXCESS))


def _is_blind(lag: np.ndarray, owner: np.ndarray, member_count: int) -> np.ndarray:
    """Tell, bool (M,), which members have partitions and no known lag."""
    has, knows = (
        np.bincount(owner[mask], minlength=member_count) for mask in (owner != UNASSIGNED, (owner != UNASSIGNED) & (lag != UNKNOWN_LAG))
    )
    return (has > 0) & (knows == 0)
