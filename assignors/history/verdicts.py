"""Verdicts: Burrow's rules over the last observations of a partition, restated for snapshots.

A snapshot cannot see a commit that repeats an offset. What Burrow tells by commits is told by ownership: somebody who owns a partition and
does not move stalls; a partition that nobody owns has stopped. Source: Burrow, `core/internal/evaluator/caching.go`.
"""

from typing import NamedTuple

import numpy as np

from assignors.assignment import UNASSIGNED
from assignors.history.series import Series

OK, SLOW, STALL, STOP, REWIND = range(5)
VERDICTS = ("OK", "SLOW", "STALL", "STOP", "REWIND")
"""By number; the larger is the worse."""

OBSERVATIONS = 10


class Verdicts(NamedTuple):
    """int8 (S, P): row of `VERDICTS` as of each slot, and from how many observations, 0 to `OBSERVATIONS`.

    Where a slot has no observation of a partition, both are those of the last one.
    """

    verdict: np.ndarray
    observation_count: np.ndarray


class _Observations(NamedTuple):
    """The observations of each partition at the top of its column, (N, P); `first`: row at which the series of each begins."""

    committed: np.ndarray
    lag: np.ndarray
    time: np.ndarray
    is_owned: np.ndarray
    first: np.ndarray


def verdicts(series: Series, observations: int = OBSERVATIONS) -> Verdicts:
    """Return the verdict of each partition as of each slot, over the last observations of its series up to there."""
    number = np.cumsum(series.is_observed, axis=0, dtype=np.int32) - 1
    seen = _observed(series, number)
    rows = np.arange(seen.lag.shape[0], dtype=np.int32)[:, None]
    first = np.maximum(rows - np.int32(observations - 1), seen.first)
    answer = np.where(rows > first, _judged(seen, rows, first), np.int8(OK))
    place = np.maximum(number, 0)
    counts = (rows - first + 1).astype(np.int8)
    return Verdicts(*(np.where(number >= 0, np.take_along_axis(column, place, axis=0), np.int8(0)) for column in (answer, counts)))


def _judged(seen: _Observations, rows: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Return the verdict of each window from `first` to the row, of two observations or more."""
    moved, relieved = _changes(seen.committed), _changes(seen.lag)
    advanced, rewound, fell = (_last(rows, change) for change in (moved > 0, moved < 0, relieved < 0))
    started, moment = (np.take_along_axis(seen.time, np.maximum(place, 0), axis=0) for place in (first, advanced))
    is_stuck = (advanced <= first) | (seen.time - moment > moment - started)
    cases = (
        (_last(rows, seen.lag == 0) >= first, OK),
        (rewound > first, REWIND),
        (is_stuck & ~seen.is_owned, STOP),
        (is_stuck, STALL),
        (fell <= first, SLOW),
    )
    return np.select([case for case, _ in cases], [np.int8(verdict) for _, verdict in cases], np.int8(OK))


def _observed(series: Series, number: np.ndarray) -> _Observations:
    """Bring the observations of each partition together; `number` (S, P) counts them from 0."""
    is_owned = series.owner != UNASSIGNED
    # The observations before the series began are those up to the slot before its first.
    before = np.take_along_axis(number, np.maximum(series.first_slot - 1, 0), axis=0) + 1
    first = np.where(series.first_slot > 0, before, np.int32(0))
    columns = (series.committed_offset, series.lag, np.broadcast_to(series.time[:, None], is_owned.shape), is_owned, first)
    if series.is_observed.all():
        return _Observations(*columns)
    order = np.argsort(~series.is_observed, axis=0, kind="stable")
    return _Observations(*(np.take_along_axis(column, order, axis=0) for column in columns))


def _changes(values: np.ndarray) -> np.ndarray:
    """Return by how much each value differs from the one before it; the first by 0."""
    return np.diff(values, axis=0, prepend=values[:1])


def _last(rows: np.ndarray, happened: np.ndarray) -> np.ndarray:
    """Return for each row the last row up to it in which something happened, -1 for none."""
    return np.maximum.accumulate(np.where(happened, rows, np.int32(-1)), axis=0)
