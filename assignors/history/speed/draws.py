"""Draws: how uncertain rates and capacities are; the steps and windows behind them are drawn anew, with replacement (bootstrap)."""

from typing import NamedTuple

import numpy as np

from assignors.drain.band import DRAWS
from assignors.group.snapshot import UNKNOWN
from assignors.history.series import UNKNOWN_RATE, Series
from assignors.history.speed.capacity import busy_rates, capacity
from assignors.history.speed.rates import WINDOW


class Draws(NamedTuple):
    """Records/s, float64: rates in (B, P), capacities (B, M), `UNKNOWN_RATE` where unknown."""

    in_rate: np.ndarray
    capacity: np.ndarray


def draws(
    series: Series, chance: np.random.Generator, number: int = DRAWS, window: int = WINDOW, group_of_member: np.ndarray | None = None
) -> Draws:
    """Draw the slots of the last window, and the busy windows of each member, with replacement; `group_of_member` as in `capacity`."""
    windows = _drawn_windows(busy_rates(series, window), chance, number)
    return Draws(_in_rates(series, chance, number, window), capacity(windows, group_of_member).rate)


def _in_rates(series: Series, chance: np.random.Generator, number: int, window: int) -> np.ndarray:
    rows = np.flatnonzero(series.slot > series.slot[-1:].max(initial=0) - window)
    if rows.size < 2:
        return np.full((number, series.tp_count), UNKNOWN_RATE)
    end = series.end_offset[rows]
    known = (end[1:] != UNKNOWN) & (end[:-1] != UNKNOWN) & (rows[:-1, None] >= series.first_slot[-1])
    records, seconds = np.diff(end, axis=0) * known, np.diff(series.time[rows])[:, None] * known
    times = chance.multinomial(rows.size - 1, np.full(rows.size - 1, 1 / (rows.size - 1)), size=number).astype(np.float64)
    passed, whole = times @ seconds, seconds.sum(axis=0)
    # A draw may leave out every step that is known: then all of them count.
    mean = np.where(whole > 0, records.sum(axis=0) / np.where(whole > 0, whole, 1), UNKNOWN_RATE)
    return np.where(passed > 0, (times @ records) / np.where(passed > 0, passed, 1), mean)


def _drawn_windows(busy: np.ndarray, chance: np.random.Generator, number: int) -> np.ndarray:
    """Return (B, W, M): of each member as many of its busy windows as it has, drawn again."""
    in_order = np.sort(busy, axis=0)
    count = np.count_nonzero(~np.isnan(busy), axis=0)
    if not busy.size:
        return np.full((number, *busy.shape), UNKNOWN_RATE)
    place = (chance.random((number, *busy.shape)) * np.maximum(count, 1)).astype(np.int64)
    drawn = np.take_along_axis(np.broadcast_to(in_order, place.shape), place, axis=1)
    return np.where(np.arange(busy.shape[0])[:, None] < count, drawn, UNKNOWN_RATE)
