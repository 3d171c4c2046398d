"""Time lag: seconds since the record at the committed offset was written.

If this record was read, its timestamp is the time of writing. Otherwise the time of writing is the
time at which the end offset was equal to the committed offset.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.series import UNKNOWN_SECONDS, Series
from evenkeel.assignors.group.snapshot import UNKNOWN

UNKNOWN_METHOD, EXACT, INTERPOLATED, EXTRAPOLATED, TIMESTAMP = range(5)
METHODS = (None, "exact", "interpolated", "extrapolated", "timestamp")
"""Names of methods by number. `exact`: there is no lag, so the time lag is 0. `timestamp`: from the
record's timestamp.
"""


class TimeLag(NamedTuple):
    """`seconds`: time lags, float64 (E, P), `UNKNOWN_SECONDS` if unknown. `method`: the method of
    each time lag, as an index in `METHODS`, int8 (E, P).
    """

    seconds: np.ndarray
    method: np.ndarray


def time_lag(series: Series, ends: np.ndarray | None = None) -> TimeLag:
    """Return the time lag of each partition at the slots with the row numbers `ends`, by default at
    every slot.

    The time lag is 0 if the committed offset is at or beyond the end offset. If the record at the
    committed offset was read at the slot, its timestamp counts. Otherwise the time of writing is
    interpolated between two slots of the series: the last slot without the record, and the next
    slot. For a record older than the series, the time of writing is extrapolated by the growth of
    the end offset since the first slot. If the end offset never grew, the time lag is unknown.
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
    """Return the first row number, from `first` to `ends`, with an end offset above the committed
    offset, (E, P). If there is none, return `ends` + 1.
    """
    low, high = first.astype(np.int64), np.broadcast_to(ends + 1, first.shape).copy()
    # Bisection for all partitions at once, because offsets ascend within a series.
    for _ in range(int(end.shape[0]).bit_length()):
        middle = (low + high) // 2
        is_above = end[np.minimum(middle, ends), tps] > committed
        is_open = low < high
        high = np.where(is_open & is_above, middle, high)
        low = np.where(is_open & ~is_above, middle + 1, low)
    return low


def without_holes(series: Series) -> tuple[np.ndarray, np.ndarray]:
    """Return the end offsets, with unknown offsets interpolated. Also return for each partition the
    row number of the first slot with a known end offset.
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
    """Return values without gaps. Unknown values are on a line between their known neighbours, and
    constant before the first and after the last known value.
    """
    rows, last_row = np.arange(time.size)[:, None], time.size - 1
    before = np.maximum.accumulate(np.where(known, rows, -1), axis=0)
    after = np.minimum.accumulate(np.where(known, rows, time.size)[::-1], axis=0)[::-1]
    first, last = np.where(before < 0, after, before), np.where(after > last_row, before, after)
    low, high = (np.take_along_axis(values, place, axis=0) for place in (first, last))
    passed = time[last] - time[first]
    share = np.where(passed > 0, (time[:, None] - time[first]) / np.where(passed > 0, passed, 1), 0)
    return low + (share * (high - low)).astype(np.int64)


# The highest time lag of a group, and its slot


_MOST_ROWS = 3000
"""Up to this number of slots (more than a day has), every slot is checked. With more slots, a third
of this number is checked, and then every slot near the highest time lag, because checking every
slot of a week would take a second.
"""


class HighestTimeLag(NamedTuple):
    """The highest time lag. `row`: row number of its slot. `is_least`: a higher time lag is
    possible, because not all slots were checked.
    """

    seconds: float
    row: int
    is_least: bool


def highest_time_lag(
    series: Series, most_rows: int = _MOST_ROWS, first: int = 0
) -> HighestTimeLag | None:
    """Return the highest time lag of a partition, from the slot with row number `first` on. None if
    no time lag is known.

    Extrapolated time lags do not count, because they are guesses about the time before the first
    slot.
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
