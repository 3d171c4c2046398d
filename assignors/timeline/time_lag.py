"""Time lag: seconds since the record at the committed offset was written.

The time lag comes from the record's own timestamp if it was read; else the time at which the end
offset was there.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.series import UNKNOWN_SECONDS, Series
from evenkeel.assignors.group.snapshot import UNKNOWN

UNKNOWN_METHOD, EXACT, INTERPOLATED, EXTRAPOLATED, TIMESTAMP = range(5)
METHODS = (None, "exact", "interpolated", "extrapolated", "timestamp")
"""Names by number. `exact`: nothing is behind, the time lag is 0. `timestamp`: that of the record
itself.
"""


class TimeLag(NamedTuple):
    """float64 (E, P) seconds, `UNKNOWN_SECONDS` if unknown; int8 (E, P) rows of `METHODS`."""

    seconds: np.ndarray
    method: np.ndarray


def time_lag(series: Series, ends: np.ndarray | None = None) -> TimeLag:
    """Return the time lag of each partition at these rows of slots, by default at every slot.

    0 if committed = end, or is past it. By the timestamp of the record if that was read at the
    slot. Else interpolated between the slots of its series up to that slot, with the last slot that
    did not have the record yet. Before the first: extrapolated by the slope from the first slot of
    the series to this one. Unknown if the end offset never moved.
    """
    ends = (np.arange(series.slot_count) if ends is None else ends)[:, None]
    end, first_known = without_holes(series)
    tps = np.arange(series.tp_count)[None, :]
    committed = np.maximum(series.committed_offset, series.begin_offset)[ends[:, 0]]
    known = (series.committed_offset[ends[:, 0]] != UNKNOWN) & (
        series.end_offset[ends[:, 0]] != UNKNOWN
    )
    first = np.maximum(series.first_slot[ends[:, 0]], first_known)
    after = _first_above(end, committed, first, ends, tps)
    now, end_now = series.time[ends], end[ends, tps]
    is_exact = known & (committed >= end_now)
    read = (
        np.full(known.shape, UNKNOWN_SECONDS)
        if series.read_seconds is None
        else series.read_seconds[ends[:, 0]]
    )
    is_read = known & ~is_exact & (read != UNKNOWN_SECONDS)
    is_inside = known & ~is_exact & (after > first)
    before = np.maximum(after - 1, first)
    after = np.minimum(after, ends)
    step = np.where(is_inside, end[after, tps] - end[before, tps], 1)
    written = series.time[before] + (committed - end[before, tps]) / step * (
        series.time[after] - series.time[before]
    )
    moved, passed = end_now - end[first, tps], now - series.time[first]
    is_outside = known & ~is_exact & ~is_inside & (moved > 0) & (passed > 0)
    slope = np.where(is_outside, moved, 1) / np.where(is_outside, passed, 1)
    before_first = series.time[first] - (end[first, tps] - committed) / slope
    cases = [is_exact, is_read, is_inside, is_outside]
    return TimeLag(
        np.select(cases, [0.0, read, now - written, now - before_first], UNKNOWN_SECONDS),
        np.select(
            cases,
            [np.int8(method) for method in (EXACT, TIMESTAMP, INTERPOLATED, EXTRAPOLATED)],
            np.int8(UNKNOWN_METHOD),
        ),
    )


def _first_above(
    end: np.ndarray, committed: np.ndarray, first: np.ndarray, ends: np.ndarray, tps: np.ndarray
) -> np.ndarray:
    """Return the first row from `first` to the slot whose end offset is above the committed offset,
    (E, P); one more if there is none.
    """
    low, high = first.astype(np.int64), np.broadcast_to(ends + 1, first.shape).copy()
    # Bisection, all partitions at once: within a series offsets ascend.
    for _ in range(int(end.shape[0]).bit_length()):
        middle = (low + high) // 2
        is_above = end[np.minimum(middle, ends), tps] > committed
        is_open = low < high
        high = np.where(is_open & is_above, middle, high)
        low = np.where(is_open & ~is_above, middle + 1, low)
    return low


def without_holes(series: Series) -> tuple[np.ndarray, np.ndarray]:
    """Return end offsets with unknown offsets interpolated, and the first row at which each
    partition has an offset.
    """
    known = series.end_offset != UNKNOWN
    if known.all():
        return series.end_offset, np.zeros(series.tp_count, dtype=np.int64)
    end, tps = series.end_offset.copy(), np.flatnonzero(~known.all(axis=0) & known.any(axis=0))
    end[:, tps] = _interpolated(end[:, tps], known[:, tps], series.time)
    return end, np.argmax(known, axis=0) if series.slot_count else np.zeros(
        series.tp_count, dtype=np.int64
    )


def _interpolated(values: np.ndarray, known: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Return values; unknown values are on a line between their known neighbours, and constant
    before the first and after the last.
    """
    rows, last_row = np.arange(time.size)[:, None], time.size - 1
    before = np.maximum.accumulate(np.where(known, rows, -1), axis=0)
    after = np.minimum.accumulate(np.where(known, rows, time.size)[::-1], axis=0)[::-1]
    first, last = np.where(before < 0, after, before), np.where(after > last_row, before, after)
    low, high = (np.take_along_axis(values, place, axis=0) for place in (first, last))
    passed = time[last] - time[first]
    share = np.where(passed > 0, (time[:, None] - time[first]) / np.where(passed > 0, passed, 1), 0)
    return low + (share * (high - low)).astype(np.int64)


# The highest of a group, and when


_MOST_ROWS = 3000
"""Slots that are all looked at; a day has fewer. A week takes a second: of more it is a third as
many, and all beside the highest.
"""


class HighestTimeLag(NamedTuple):
    """`row`: of the slot; `is_least`: not all slots were looked at."""

    seconds: float
    row: int
    is_least: bool


def highest_time_lag(
    series: Series, most_rows: int = _MOST_ROWS, first: int = 0
) -> HighestTimeLag | None:
    """Return the highest time lag of a partition from a row on; None if none is known.

    Extrapolated ones do not count: times before the first slot are guessed from few slots there.
    """
    count = series.slot_count - first
    step = 1 if count <= most_rows else -(-3 * count // most_rows)
    rows = np.arange(series.slot_count - 1, first - 1, -step)[::-1]
    highest = _highest(series, rows)
    if highest and step > 1:
        highest = _highest(
            series,
            np.arange(
                max(highest.row - step + 1, first), min(highest.row + step, series.slot_count)
            ),
        )
    return highest and highest._replace(is_least=step > 1)


def _highest(series: Series, rows: np.ndarray) -> HighestTimeLag | None:
    seconds = time_lag(series, rows)
    is_told = (seconds.method != EXTRAPOLATED) & (seconds.method != UNKNOWN_METHOD)
    if not is_told.any():
        return None
    worst = np.where(is_told, seconds.seconds, -1.0).max(axis=1)
    place = int(np.argmax(worst))
    return HighestTimeLag(float(worst[place]), int(rows[place]), False)
