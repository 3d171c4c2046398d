"""Rates: how fast records come in and are read, by least squares over a window of slots."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.history.series import UNKNOWN_RATE, Series

WINDOW = 10
"""Slots."""


class Rates(NamedTuple):
    """Records/s, float64 (E, P), `UNKNOWN_RATE` with fewer than two known offsets: slopes of end offset and committed offset."""

    incoming: np.ndarray
    outgoing: np.ndarray


def rates(series: Series, ends: np.ndarray | None = None, window: int = WINDOW) -> Rates:
    """Return the rates of the windows that end with these rows of slots; by default with every slot.

    A window is `window` slots long also where some are missing, and does not reach beyond the start of the partition's series.
    """
    ends = np.arange(series.slot_count) if ends is None else ends
    return Rates(*(_slopes(series, offset, ends, window) for offset in (series.end_offset, series.committed_offset)))


def _slopes(series: Series, offset: np.ndarray, ends: np.ndarray, window: int) -> np.ndarray:
    shape = ends.size, series.tp_count
    count, times, records, squares, products = (np.zeros(shape) for _ in range(5))
    # Counted from a value of the window itself: sums of whole offsets would lose records.
    zero = np.zeros(shape, dtype=np.int64)
    is_empty = np.ones(shape, dtype=bool)
    for back in range(min(window, series.slot_count)):
        rows = np.maximum(ends - back, 0)
        is_in_window = (ends >= back) & (series.slot[rows] > series.slot[ends] - window)
        found = offset[rows]
        known = (found != UNKNOWN) & is_in_window[:, None] & (rows[:, None] >= series.first_slot[ends])
        np.copyto(zero, found, where=known & is_empty)
        is_empty &= ~known
        time = (series.time[rows] - series.time[ends])[:, None] * known
        grown = (found - zero) * known
        count += known
        times += time
        records += grown
        squares += time * time
        products += time * grown
    spread = count * squares - times * times
    enough = (count >= 2) & (spread > 0)
    return np.where(enough, (count * products - times * records) / np.where(enough, spread, 1), UNKNOWN_RATE)
