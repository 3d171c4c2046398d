"""Time lag: seconds since the record at the committed offset was written, told from when the end offset was there."""

from typing import NamedTuple

import numpy as np

from assignors.group.snapshot import UNKNOWN
from assignors.history.series import Series, last_known

UNKNOWN_SECONDS = -1.0
UNKNOWN_METHOD, EXACT, INTERPOLATED, EXTRAPOLATED, TIMESTAMP = range(5)
METHODS = (None, "exact", "interpolated", "extrapolated", "timestamp")
"""Names by number. `exact`: nothing is behind, the time lag is 0."""


class TimeLag(NamedTuple):
    """float64 (E, P) seconds, `UNKNOWN_SECONDS` where unknown; int8 (E, P) rows of `METHODS`."""

    seconds: np.ndarray
    method: np.ndarray


def time_lag(series: Series, ends: np.ndarray | None = None) -> TimeLag:
    """Return the time lag of each partition at these rows of slots, by default at every slot.

    0 where committed = end, or lies past it. Interpolated between the slots of its series up to that slot, with the last slot that did not
    have the record yet. Before the first: extrapolated by the slope from the first slot of the series to this one. Unknown where the
    end offset never moved.
    """
    ends = np.arange(series.slot_count) if ends is None else ends
    seconds = np.full((ends.size, series.tp_count), UNKNOWN_SECONDS)
    method = np.zeros(seconds.shape, dtype=np.int8)
    end = last_known(series.end_offset, series.end_offset != UNKNOWN)
    # Offsets ascend only within a partition's series, so each is searched alone.
    for tp in range(series.tp_count):
        _fill(series, end[:, tp], tp, ends, seconds[:, tp], method[:, tp])
    return TimeLag(seconds, method)


def _fill(series: Series, end: np.ndarray, tp: int, ends: np.ndarray, seconds: np.ndarray, method: np.ndarray) -> None:
    """Fill in one partition's column."""
    committed = np.maximum(series.committed_offset[ends, tp], series.begin_offset[ends, tp])
    known = (series.committed_offset[ends, tp] != UNKNOWN) & (series.end_offset[ends, tp] != UNKNOWN)
    starts = series.first_slot[ends, tp]
    for start in np.unique(starts[known]).tolist():
        of_series = np.flatnonzero(known & (starts == start))
        rows = np.arange(start, int(ends[of_series].max()) + 1)
        rows = rows[series.end_offset[rows, tp] != UNKNOWN]
        _fill_series(
            series.time[rows],
            end[rows],
            series.time[ends[of_series]],
            end[ends[of_series]],
            committed[of_series],
            of_series,
            seconds,
            method,
        )


def _fill_series(time, end, now, end_now, committed, places, seconds, method):
    """Fill in the rows `places` of one series: `end` at `time` ascends, and `committed` is what is committed `now`."""
    after = np.searchsorted(end, committed, side="right")
    is_exact = committed >= end_now
    is_inside = ~is_exact & (after > 0)
    before, behind = np.maximum(after - 1, 0), np.minimum(after, end.size - 1)
    step = np.where(end[behind] > end[before], end[behind] - end[before], 1)
    written = time[before] + (committed - end[before]) / step * (time[behind] - time[before])
    moved, passed = end_now - end[0], now - time[0]
    is_outside = ~is_exact & (after == 0) & (moved > 0) & (passed > 0)
    slope = np.where(is_outside, moved, 1) / np.where(is_outside, passed, 1)
    before_first = time[0] - (end[0] - committed) / slope
    seconds[places] = np.select([is_exact, is_inside, is_outside], [0.0, now - written, now - before_first], UNKNOWN_SECONDS)
    method[places] = np.select([is_exact, is_inside, is_outside], [EXACT, INTERPOLATED, EXTRAPOLATED], UNKNOWN_METHOD)
