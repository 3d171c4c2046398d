"""Verdicts: Burrow's rules over the last observations of a partition, restated for snapshots.

A snapshot cannot see a commit that repeats an offset. What Burrow tells by commits is told by ownership: a partition that
does not move stalls if it has an owner, and has stopped if it has none. Source: Burrow, `core/internal/evaluator/caching.go`.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.history.series import Series

OK, SLOW, STALL, STOP, REWIND = range(5)
VERDICTS = ("OK", "SLOW", "STALL", "STOP", "REWIND")
"""By number; the larger is the worse."""

OBSERVATIONS = 10

_LONG_AGO = 60


class Verdicts(NamedTuple):
    """int8 (S, P): row of `VERDICTS` as of each slot, and from how many observations, 0 to `OBSERVATIONS`.

    Where a slot has no observation of a partition, both are those of the last one.
    """

    verdict: np.ndarray
    observation_count: np.ndarray

    def within(self, first: int) -> "Verdicts":
        """Return those from a row on."""
        return Verdicts(self.verdict[first:], self.observation_count[first:])


class _Observations(NamedTuple):
    """The observations of each partition at the top of its column, (N, P), or (N, 1) and (1, 1) where all are alike.

    `first`: row at which the series of each begins.
    """

    committed: np.ndarray
    lag: np.ndarray
    time: np.ndarray
    is_owned: np.ndarray
    first: np.ndarray


def verdicts(series: Series, observations: int = OBSERVATIONS) -> Verdicts:
    """Return the verdict of each partition as of each slot, over the last observations of its series up to there."""
    if series.is_observed.all():
        return Verdicts(*_of_observations(_all_observed(series), observations))
    number = np.cumsum(series.is_observed, axis=0, dtype=np.int32) - 1
    columns, place = _of_observations(_observed(series, number), observations), np.maximum(number, 0)
    return Verdicts(*(np.where(number >= 0, np.take_along_axis(column, place, axis=0), np.int8(0)) for column in columns))


def _of_observations(seen: _Observations, observations: int) -> tuple[np.ndarray, np.ndarray]:
    """Return verdict and number of observations as of each observation, int8 (N, P)."""
    rows = np.arange(seen.lag.shape[0], dtype=np.int32)[:, None]
    # How many observations back the window begins.
    width = np.minimum(rows - seen.first, observations - 1).astype(np.int8)
    answer = np.where(width > 0, _judged(seen, rows, width, observations), np.int8(OK))
    return answer, np.broadcast_to(width + np.int8(1), answer.shape)


def _judged(seen: _Observations, rows: np.ndarray, width: np.ndarray, observations: int) -> np.ndarray:
    """Return the verdict of each window, of two observations or more."""
    moved, relieved = _changes(seen.committed), _changes(seen.lag)
    advanced, rewound, fell, empty = (_age(one, observations) for one in (moved > 0, moved < 0, relieved < 0, seen.lag == 0))
    passed = _at(seen.time, rows) - _at(seen.time, rows - np.minimum(advanced, width))
    before = _at(seen.time, rows - np.minimum(advanced, width)) - _at(seen.time, rows - width)
    # The oldest observation has no neighbour inside the window: a change at it is none.
    is_stuck = (advanced >= width) | (passed > before)
    cases = (
        (empty <= width, OK),
        (rewound < width, REWIND),
        (is_stuck & ~seen.is_owned, STOP),
        (is_stuck, STALL),
        (fell >= width, SLOW),
    )
    return np.select([case for case, _ in cases], [np.int8(verdict) for _, verdict in cases], np.int8(OK))


def _all_observed(series: Series) -> _Observations:
    first = series.first_slot if series.first_slot.any() else np.zeros((1, 1), dtype=np.int32)
    return _Observations(series.committed_offset, series.lag, series.time[:, None], series.owner != UNASSIGNED, first)


def _observed(series: Series, number: np.ndarray) -> _Observations:
    """Bring the observations of each partition together; `number` (S, P) counts them from 0."""
    # The observations before the series began are those up to the slot before its first.
    before = np.take_along_axis(number, np.maximum(series.first_slot - 1, 0), axis=0) + 1
    first = np.where(series.first_slot > 0, before, np.int32(0))
    time = np.broadcast_to(series.time[:, None], first.shape)
    order = np.argsort(~series.is_observed, axis=0, kind="stable")
    columns = series.committed_offset, series.lag, time, series.owner != UNASSIGNED, first
    return _Observations(*(np.take_along_axis(column, order, axis=0) for column in columns))


def _changes(values: np.ndarray) -> np.ndarray:
    """Return by how much each value differs from the one before it; the first by 0."""
    return np.diff(values, axis=0, prepend=values[:1])


def _age(happened: np.ndarray, most: int) -> np.ndarray:
    """Return how many rows ago something happened last, int8; a larger number than `most` where that is longer ago."""
    age = np.where(happened, np.int8(0), np.int8(_LONG_AGO))
    step = 1
    while step < most:
        # Twice as far with every step: a minimum that runs over all rows takes five times as long.
        np.minimum(age[step:], age[:-step] + np.int8(step), out=age[step:])
        step *= 2
    return age


def _at(time: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the time at some rows of each partition's column, or of the column that all share."""
    return time[:, 0][rows] if time.shape[1] == 1 else np.take_along_axis(time, np.broadcast_to(rows, time.shape), axis=0)
