"""Forecast: the lag of a group after its last slot, and the drain time of each member and partition
if the owners do not change.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.drain import (
    UNKNOWN_DRAIN,
    Band,
    band,
    drain_by_partition,
    lag_ahead,
    sums_by_owner,
)
from evenkeel.assignors.group.speed import behind, keeps_up
from evenkeel.assignors.timeline.draws import Draws
from evenkeel.assignors.timeline.now import Now
from evenkeel.assignors.timeline.stuck import blocked

_TIMES = 41


class Forecast(NamedTuple):
    """Total lag of the group as a band (T,). `seconds` (T,): time after the last slot; the first
    value is 0.
    """

    seconds: np.ndarray
    lag: Band


def forecast(now: Now, drawn: Draws, seconds: float) -> Forecast | None:
    """Return the forecast up to `seconds` after the last slot. None if the last slot does not list
    the group or has no owners, or if an incoming rate or a busy rate is unknown.

    If a member keeps up and its capacity is unknown, its lag is assumed to stay constant.
    """
    if not now.has_owners:
        return None
    listed = np.flatnonzero(now.series.is_listed[-1])
    times = np.linspace(0, seconds, _TIMES)
    later = lag_ahead(
        now.lag[listed], drawn.in_rate[:, listed], now.owner[listed], _able(now, drawn), times
    )
    return Forecast(times, band(later)) if listed.size and not np.isnan(later).any() else None


def _able(now: Now, drawn: Draws) -> np.ndarray:
    if drawn.on_the_way is None:
        return drawn.busy_rate
    member_count = drawn.busy_rate.shape[-1]
    stays = np.isnan(drawn.busy_rate) & keeps_up(now.lag, now.owner, drawn.on_the_way, member_count)
    return np.where(
        stays, sums_by_owner(drawn.in_rate, now.owner, member_count)[..., :-1], drawn.busy_rate
    )


# Drain times if the owners do not change


class CurrentDrain(NamedTuple):
    """Seconds until lag 0, float64: of each partition (P,), and of each member (M,). A member's
    time is the time of its slowest partition.

    `NEVER` if more records arrive than are read. `UNKNOWN_DRAIN` if a lag or a rate is unknown. 0
    for a member without partitions.
    """

    by_partition: np.ndarray
    by_member: np.ndarray


def current_drain(now: Now, drawn: Draws) -> CurrentDrain:
    """Return the drain times at the median of each rate's draws. Each time is a single number, even
    if the group's time is a band.

    If owners are unknown, only partitions have drain times, from their observed rates.
    """
    in_rate, busy_rate = np.median(drawn.in_rate, axis=0), np.median(drawn.busy_rate, axis=0)
    if not now.has_owners:
        return CurrentDrain(_at_seen_rates(now), np.zeros(busy_rate.size))
    lag = now.lag if drawn.on_the_way is None else behind(now.lag, drawn.on_the_way)
    held = None if drawn.stuck is None else blocked(drawn.stuck, now.owner)
    seconds = drain_by_partition(lag, in_rate, now.owner, busy_rate, drawn.rounding, held)
    return CurrentDrain(
        seconds,
        np.array([_slowest(seconds[now.owner == member]) for member in range(busy_rate.size)]),
    )


def _at_seen_rates(now: Now) -> np.ndarray:
    """Return the seconds until the lag of each partition is 0 at its observed rates, (P,). Unknown
    if the lag does not fall.
    """
    excess = now.out_rate - now.in_rate
    falls = (now.lag > 0) & (excess > 0)
    seconds = np.where(falls, now.lag / np.where(falls, excess, 1.0), UNKNOWN_DRAIN)
    return np.where(now.lag == 0, 0.0, seconds)


def _slowest(seconds: np.ndarray) -> float:
    """Return the largest time: `NEVER` if any time is `NEVER`, else unknown if any time is
    unknown.
    """
    return float(np.inf if np.isinf(seconds).any() else seconds.max(initial=0))
