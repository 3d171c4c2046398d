"""Draws: how uncertain rates in and busy rates are, by what differs between the steps and windows that were seen."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.drain import DRAWS
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.history.series import UNKNOWN_RATE, Series
from evenkeel.assignors.history.speed.busy_windows import windows
from evenkeel.assignors.history.speed.capacity import are_medians, with_medians
from evenkeel.assignors.history.speed.mean_draws import mean_draws, standing_still
from evenkeel.assignors.history.speed.rates import WINDOW
from evenkeel.assignors.history.speed.records_on_the_way import kept_up_with, on_the_way, possible
from evenkeel.assignors.history.speed.stuck import Stuck, stuck

_ROUNDING = 0.01
"""Rates of two readings are no more exact."""


class Draws(NamedTuple):
    """Records/s, float64: rates in (B, P), busy rates (B, M), `UNKNOWN_RATE` where unknown.

    `busy_rate`: what members that are behind read on average. `spread` (B, M): a stretch of time may differ from it by `spread` / sqrt(its
    seconds). `on_the_way`: int64 (P,), records that count as none behind. `proven` (B, M): what members have read for a window, and what
    those read now that keep up; it tells little of what more they can. By default there is none of these. `assumed`: bool (M,), whether a
    busy rate is the median of the group. `stuck`: partitions without progress, None where that was not looked at.
    """

    in_rate: np.ndarray
    busy_rate: np.ndarray
    spread: np.ndarray | None = None
    on_the_way: np.ndarray | None = None
    proven: np.ndarray | None = None
    assumed: np.ndarray | None = None
    stuck: Stuck | None = None

    @property
    def rounding(self) -> float:
        """By which part of what comes in more of it than is read proves nothing: one draw has no band that would tell."""
        return _ROUNDING if len(self.in_rate) == 1 else 0.0


def draws(
    series: Series, chance: np.random.Generator, number: int = DRAWS, window: int = WINDOW, group_of_member: np.ndarray | None = None
) -> Draws:
    """Draw the rates in of the last window, and what members read in their busy windows; `group_of_member` as in `capacity`.

    A member that was busy in the last two windows and read nothing has a busy rate of 0, also where it was busy in no other.
    """
    waiting, in_rate = on_the_way(series, window), _in_rates(series, chance, number, window)
    rate, is_busy = windows(series, window)
    busy = np.where(is_busy, rate, UNKNOWN_RATE)
    found = mean_draws(busy, window * _slot_seconds(series), chance, number, group_of_member)
    # Two short windows may lie between two commits.
    is_still = standing_still(busy) & (window >= WINDOW)
    mean = np.where(is_still & np.isnan(found.mean), 0.0, found.mean)
    busy_rate = possible(with_medians(mean, group_of_member), series, waiting, in_rate)
    proven = np.maximum(kept_up_with(series, waiting, in_rate), rate.max(axis=0, initial=0))
    return Draws(in_rate, busy_rate, np.nan_to_num(found.spread), waiting, proven, are_medians(mean, busy_rate), stuck(series, waiting))


def _slot_seconds(series: Series) -> float:
    return float(np.median(np.diff(series.time) / np.diff(series.slot))) if series.slot_count > 1 else 0.0


def _in_rates(series: Series, chance: np.random.Generator, number: int, window: int) -> np.ndarray:
    rows = np.flatnonzero(series.slot > series.slot[-1:].max(initial=0) - window)
    if rows.size < 2:
        return np.full((number, series.tp_count), UNKNOWN_RATE)
    end = series.end_offset[rows]
    known = (end[1:] != UNKNOWN) & (end[:-1] != UNKNOWN) & (rows[:-1, None] >= series.first_slot[-1])
    records, seconds = np.diff(end, axis=0) * known, np.diff(series.time[rows])[:, None] * known
    # Random weights of steps, so that no rate falls below 0: uneven enough for what few steps leave open, and the time to come.
    weights = chance.gamma(max(rows.size - 4, 1) / (2 * rows.size), size=(number, rows.size - 1)) + 1e-9
    # Where every step is known, all partitions share its seconds.
    passed = weights @ (seconds[:, :1] if known.all() else seconds)
    rate = weights @ records.astype(np.float64)
    rate /= np.where(passed > 0, passed, UNKNOWN_RATE)
    return rate
