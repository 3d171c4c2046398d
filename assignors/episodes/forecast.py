"""Forecast: when the next unread record of a partition is deleted, by its topic's settings and by
the stairs of its begin offset.
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
"""Steps after which a partition is safe."""

_RATE_SLOTS = 10
_GUESS = METHODS.index("extrapolated")


@dataclass(frozen=True, eq=False)
class Forecast:
    """Seconds since 1970 at each slot, float64 (S, P), NaN if unknown: `not_before` and `latest`
    are bounds, `expected` comes from the stairs, `band` either side of it, in seconds.

    `is_guess`: the bounds come from a time outside the slots.
    """

    not_before: np.ndarray
    latest: np.ndarray
    expected: np.ndarray
    band: np.ndarray
    is_guess: np.ndarray

    @property
    def nearest(self) -> np.ndarray:
        """The expected time, else the latest."""
        return np.where(np.isnan(self.expected), self.latest, self.expected)


def forecast(
    evidence: Evidence, is_wanted: np.ndarray, is_slow: np.ndarray, skips: np.ndarray
) -> Forecast:
    """Foretell the cells `is_wanted`, bool (S, P); `skips`: cells whose owner jumps over deleted
    records; `is_slow`: other cells whose owner reads too slowly.
    """
    shape = is_wanted.shape
    result = Forecast(*(np.full(shape, np.nan) for _ in range(4)), np.zeros(shape, dtype=bool))
    ages = age(evidence, is_wanted)
    for tp in np.flatnonzero(is_wanted.any(axis=0)).tolist():
        retention = evidence.retention[evidence.series.topic[tp]]
        if retention is not None and not retention.is_asked:
            continue
        rows = np.flatnonzero(is_wanted[:, tp])
        if retention is not None:
            _bounds(evidence, result, retention, ages, tp, rows)
        _by_stairs(evidence, result, tp, rows, is_slow[rows, tp], skips[rows, tp])
    return result


class Ages(NamedTuple):
    """Time lags in seconds, NaN if unknown, and which are outside the slots, both (S, P)."""

    seconds: np.ndarray
    is_guess: np.ndarray


def age(evidence: Evidence, is_wanted: np.ndarray) -> Ages:
    """Return the time lags of the cells asked; unknown of the others."""
    shape = is_wanted.shape
    seconds, is_guess = np.full(shape, np.nan), np.zeros(shape, dtype=bool)
    rows, tps = np.flatnonzero(is_wanted.any(axis=1)), np.flatnonzero(is_wanted.any(axis=0))
    if rows.size:
        part = time_lag(_of_partitions(evidence, tps), rows)
        cells = np.ix_(rows, tps)
        seconds[cells] = np.where(part.seconds >= 0, part.seconds, np.nan)
        is_guess[cells] = part.method == _GUESS
    return Ages(seconds, is_guess)


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


def _bounds(
    evidence: Evidence,
    result: Forecast,
    retention: Retention,
    ages: Ages,
    tp: int,
    rows: np.ndarray,
) -> None:
    if retention.retention_seconds < 0:
        return
    series = evidence.series
    written = series.time[rows] - ages.seconds[rows, tp]
    not_before = written + retention.retention_seconds
    result.not_before[rows, tp] = not_before
    result.is_guess[rows, tp] = ages.is_guess[rows, tp]
    # A segment ends when the next record comes, so nothing bounds a topic without records.
    end = np.maximum.accumulate(series.end_offset[:, tp])
    gets_records = end[rows] > end[np.maximum(rows - _RATE_SLOTS, 0)]
    if retention.retention_bytes < 0:
        latest = not_before + retention.segment_seconds + retention.check_seconds
        result.latest[rows, tp] = np.where(gets_records, latest, np.nan)


def _by_stairs(
    evidence: Evidence,
    result: Forecast,
    tp: int,
    rows: np.ndarray,
    is_slow: np.ndarray,
    skips: np.ndarray,
) -> None:
    series = evidence.series
    begin = series.begin_offset[:, tp]
    known = np.flatnonzero(begin != UNKNOWN)
    grows = np.diff(begin[known], prepend=begin[known[:1]]) > 0
    at = known[grows]
    if at.size < _LEAST_STEPS:
        return
    height = np.diff(begin[known], prepend=begin[known[:1]])[grows]
    # A topic made anew has stairs of its own.
    falls = known[np.flatnonzero(np.diff(begin[known]) < 0) + 1]
    last = np.searchsorted(at, rows, side="right") - 1
    for step in np.unique(last[last >= 0]).tolist():
        is_mine = last == step
        origin = falls[falls <= at[step]].max(initial=0)
        first = max(step + 1 - _MOST_STEPS, int(np.searchsorted(at, origin, side="right")))
        stairs = slice(first, step + 1)
        _foretell(
            evidence,
            result,
            tp,
            rows[is_mine],
            at[stairs],
            height[stairs],
            is_slow[is_mine],
            skips[is_mine],
        )


def _foretell(
    evidence: Evidence,
    result: Forecast,
    tp: int,
    rows: np.ndarray,
    at: np.ndarray,
    height: np.ndarray,
    is_slow: np.ndarray,
    skips: np.ndarray,
) -> None:
    """Foretell slots that have the same stairs before them."""
    series = evidence.series
    committed = series.committed_offset[:, tp]
    recent = series.time[at] >= series.time[rows[0]] - _DAY
    at, height = at[recent], height[recent]
    if at.size < _LEAST_STEPS:
        return
    begin = series.begin_offset[at, tp]
    margin = committed[at] - begin
    if ((margin >= 0) & ((margin < height) | np.isin(begin, committed[: at[-1] + 1]))).all():
        # An application deletes what it has read, or its reader is at the first record each time.
        rows, is_slow = rows[skips], is_slow[skips]
    if not rows.size:
        return
    tread, rise = float(np.median(np.diff(series.time[at]))), float(np.median(height))
    now = series.time[rows]
    is_alive = now - series.time[at[-1]] <= 3 * tread
    reads = np.array(
        [
            _rate(evidence, tp, int(row)) if slow else 0.0
            for row, slow in zip(rows, is_slow, strict=True)
        ]
    )
    next_offset = np.maximum(committed[rows], series.begin_offset[rows, tp])
    count = _steps_until(next_offset - begin[-1], rise, tread, reads, now - series.time[at[-1]])
    expected = np.maximum(series.time[at[-1]] + count * tread, now)
    is_told = is_alive & (count <= _SAFE)
    result.expected[rows, tp] = np.where(is_told, expected, np.nan)
    result.band[rows, tp] = np.where(is_told, tread, np.nan)


def _rate(evidence: Evidence, tp: int, row: int) -> float:
    series = evidence.series
    rows = slice(max(row + 1 - _RATE_SLOTS, 0), row + 1)
    return float(slope(series.time[rows], series.committed_offset[rows, tp]))


def _steps_until(
    above: np.ndarray, rise: float, tread: float, reads: np.ndarray, passed: np.ndarray
) -> np.ndarray:
    """Return the least number of steps, from 1 on, after which the begin offset is past an offset
    that is `above` the last step and moves on by `reads` records/s; infinite if never.
    """
    now = np.maximum(np.floor(above / rise) + 1, 1)
    pace = rise - reads * tread
    ahead = np.floor((above - reads * passed) / np.where(pace > 0, pace, 1)) + 1
    first_ahead = np.floor(passed / tread) + 1
    later = np.where(pace > 0, np.maximum(ahead, np.maximum(first_ahead, 1)), np.inf)
    return np.where(now * tread <= passed, now, later)
