"""Forecast: when the next unread record of a partition will be deleted. It uses the settings of the
topic and the earlier steps of the begin offset.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.episodes.evidence import Evidence, Retention
from evenkeel.assignors.episodes.slow import slope
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.timeline.time_lag import METHODS, time_lag

_LEAST_STEPS = 3
_MOST_STEPS = 60
_DAY = 86_400.0
_SAFE = 10_000
"""A partition is safe if the deletion is more than this many steps away."""

_RATE_SLOTS = 10
_GUESS = METHODS.index("extrapolated")


@dataclass(frozen=True, eq=False)
class Forecast:
    """The times at which unread records will be deleted, float64 (S, P), in seconds since 1970. NaN
    if unknown.

    `not_before`, `latest`: earliest and latest time by the settings of the topic. `expected`:
    time by the earlier steps of the begin offset. `band`: seconds by which `expected` may be too
    early or too late. `is_guess`: whether it is only guessed when the record was written, because
    this was before the first slot.
    """

    not_before: np.ndarray
    latest: np.ndarray
    expected: np.ndarray
    band: np.ndarray
    is_guess: np.ndarray

    @property
    def nearest(self) -> np.ndarray:
        """The expected time. If unknown, the latest time."""
        return np.where(np.isnan(self.expected), self.latest, self.expected)


def forecast(
    evidence: Evidence, is_wanted: np.ndarray, is_slow: np.ndarray, skips: np.ndarray
) -> Forecast:
    """Forecast the deletions. `is_wanted`, bool (S, P): slots and partitions to forecast.

    `skips`: whether the owner jumps over deleted records. `is_slow`: whether the owner reads too
    slowly without such jumps.
    """
    shape = is_wanted.shape
    result = Forecast(*(np.full(shape, np.nan) for _ in range(4)), np.zeros(shape, dtype=bool))
    ages = age(evidence, is_wanted)
    for tp in np.flatnonzero(is_wanted.any(axis=0)).tolist():
        retention = evidence.retention[evidence.series.topic[tp]]
        if retention is not None and not retention.is_asked:
            continue
        partition = _Partition(evidence.series, tp, result)
        rows = np.flatnonzero(is_wanted[:, tp])
        if retention is not None:
            partition.add_bounds(retention, ages, rows)
        partition.add_expected(rows, is_slow[rows, tp], skips[rows, tp])
    return result


class Ages(NamedTuple):
    """Time lags in seconds, (S, P), NaN if unknown. `method`, (S, P): how each time lag was
    computed, as a position in `METHODS`.
    """

    seconds: np.ndarray
    method: np.ndarray

    @property
    def is_guess(self) -> np.ndarray:
        """Whether the time lag is a guess, because the next record to read was written before the
        first slot, bool (S, P).
        """
        return self.method == _GUESS

    def method_of(self, slot: int, tp: int) -> str | None:
        """Return the method by which a time lag was computed. None if the time lag is unknown."""
        return METHODS[self.method[slot, tp]]


def age(evidence: Evidence, is_wanted: np.ndarray) -> Ages:
    """Return the time lags for the slots and partitions `is_wanted`, bool (S, P). Other time lags
    are unknown.
    """
    shape = is_wanted.shape
    seconds, method = np.full(shape, np.nan), np.zeros(shape, dtype=np.int8)
    rows, tps = np.flatnonzero(is_wanted.any(axis=1)), np.flatnonzero(is_wanted.any(axis=0))
    if rows.size:
        part = time_lag(_of_partitions(evidence, tps), rows)
        cells = np.ix_(rows, tps)
        seconds[cells] = np.where(part.seconds >= 0, part.seconds, np.nan)
        method[cells] = part.method
    return Ages(seconds, method)


def _of_partitions(evidence: Evidence, tps: np.ndarray) -> Series:
    series = evidence.series
    cells = ("begin_offset", "committed_offset", "end_offset", "lag", "owner", "is_listed")
    return replace(
        series,
        topic=series.topic[tps],
        partition=series.partition[tps],
        read_seconds=None if series.read_seconds is None else series.read_seconds[:, tps],
        **{name: getattr(series, name)[:, tps] for name in cells},
    )


class _Partition:
    """The columns of one partition, each (S,). It writes the partition's forecast to `result`."""

    def __init__(self, series: Series, tp: int, result: Forecast):
        self._tp, self._result = tp, result
        self._time = series.time
        self._begin, self._committed, self._end = (
            column[:, tp]
            for column in (series.begin_offset, series.committed_offset, series.end_offset)
        )

    def add_bounds(self, retention: Retention, ages: Ages, rows: np.ndarray) -> None:
        if retention.retention_seconds < 0:
            return
        cells = rows, self._tp
        not_before = self._time[rows] - ages.seconds[cells] + retention.retention_seconds
        self._result.not_before[cells] = not_before
        self._result.is_guess[cells] = ages.is_guess[cells]
        # A segment ends only when a new record arrives, so without new records there is no upper
        # bound.
        end = np.maximum.accumulate(self._end)
        gets_records = end[rows] > end[np.maximum(rows - _RATE_SLOTS, 0)]
        if retention.retention_bytes < 0:
            latest = not_before + retention.segment_seconds + retention.check_seconds
            self._result.latest[cells] = np.where(gets_records, latest, np.nan)

    def add_expected(self, rows: np.ndarray, is_slow: np.ndarray, skips: np.ndarray) -> None:
        known = np.flatnonzero(self._begin != UNKNOWN)
        begin = self._begin[known]
        rise = np.diff(begin, prepend=begin[:1])
        at, height = known[rise > 0], rise[rise > 0]
        if at.size < _LEAST_STEPS:
            return
        # A topic that was created again starts with new steps.
        falls = known[rise < 0]
        last = np.searchsorted(at, rows, side="right") - 1
        for step in np.unique(last[last >= 0]).tolist():
            is_mine = last == step
            origin = falls[falls <= at[step]].max(initial=0)
            first = max(step + 1 - _MOST_STEPS, int(np.searchsorted(at, origin, side="right")))
            stairs = slice(first, step + 1)
            self._foretell(
                rows[is_mine], at[stairs], height[stairs], is_slow[is_mine], skips[is_mine]
            )

    def _foretell(
        self,
        rows: np.ndarray,
        at: np.ndarray,
        height: np.ndarray,
        is_slow: np.ndarray,
        skips: np.ndarray,
    ) -> None:
        """Forecast the slots `rows`, which all come after the same steps of the begin offset (`at`
        and `height`).
        """
        time, committed = self._time, self._committed
        recent = time[at] >= time[rows[0]] - _DAY
        at, height = at[recent], height[recent]
        if at.size < _LEAST_STEPS:
            return
        begin = self._begin[at]
        margin = committed[at] - begin
        is_at_first = (margin < height) | np.isin(begin, committed[: at[-1] + 1])
        if ((margin >= 0) & is_at_first).all():
            # The application deletes the records that it has read, or its reader is always at the
            # first record. So only readers that skip records are forecast.
            rows, is_slow = rows[skips], is_slow[skips]
        if not rows.size:
            return
        tread, rise = float(np.median(np.diff(time[at]))), float(np.median(height))
        now, passed = time[rows], time[rows] - time[at[-1]]
        reads = np.zeros(rows.size)
        reads[is_slow] = [self._rate(row) for row in rows[is_slow].tolist()]
        above = np.maximum(committed[rows], self._begin[rows]) - begin[-1]
        count = _steps_until(above, rise, tread, reads, passed)
        expected = np.maximum(time[at[-1]] + count * tread, now)
        is_known = (passed <= 3 * tread) & (count <= _SAFE)
        cells = rows[is_known], self._tp
        self._result.expected[cells] = expected[is_known]
        self._result.band[cells] = tread

    def _rate(self, row: int) -> float:
        rows = slice(max(row + 1 - _RATE_SLOTS, 0), row + 1)
        return float(slope(self._time[rows], self._committed[rows]))


def _steps_until(
    above: np.ndarray, rise: float, tread: float, reads: np.ndarray, passed: np.ndarray
) -> np.ndarray:
    """Return the number of steps, at least 1, after which the begin offset is past the commit.
    Infinite if the reader stays ahead.

    `above`: records between the last step and the commit. `rise`, `tread`: records and seconds of a
    step. `reads`: records/s that the reader reads. `passed`: seconds since the last step.
    """
    now = np.maximum(np.floor(above / rise) + 1, 1)
    pace = rise - reads * tread
    ahead = np.floor((above - reads * passed) / np.where(pace > 0, pace, 1)) + 1
    first_ahead = np.floor(passed / tread) + 1
    later = np.where(pace > 0, np.maximum(ahead, np.maximum(first_ahead, 1)), np.inf)
    return np.where(now * tread <= passed, now, later)
