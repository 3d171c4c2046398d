"""Verdicts: Burrow's rules over the last observations of a partition, restated for snapshots.

A snapshot cannot see a commit that repeats an offset. Burrow decides by commits, this code by
ownership: a partition that does not move stalls if it has an owner, has stopped if it has none, and
is stuck if owners are not recorded. Source: Burrow, `core/internal/evaluator/caching.go`.

One more verdict has its place in `VERDICTS`, its rule in `RULES` and its words in
`data/timeline/words.py`: lists, the Timeline, commands and gauges ask these.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.series import Series

VERDICTS = ["OK", "SLOW", "REWIND", "STALL", "STUCK", "STOP"]
"""By number; the larger is the worse."""

OK, SLOW, REWIND, STALL, STUCK, STOP = range(6)

OBSERVATIONS = 10

_LONG_AGO = 60


class Verdicts(NamedTuple):
    """int8 (S, P): row of `VERDICTS` as of each slot, and from how many observations, 0 to
    `OBSERVATIONS`.

    If a slot has no observation of a partition, both come from its last observation.
    """

    verdict: np.ndarray
    observation_count: np.ndarray

    def within(self, first: int) -> "Verdicts":
        """Return those from a row on."""
        return Verdicts(self.verdict[first:], self.observation_count[first:])


class Window(NamedTuple):
    """What a rule sees of the last observations of each partition, as of each, (N, P).

    `width`: how many observations before it belong to the window. `advanced`, `rewound`, `fell`,
    `was_empty`: how many observations ago the committed offset grew or went back, the lag fell, the
    lag was 0; more than `width` if that is not within the window. `is_stuck`: the committed
    offset did not grow, or not for longer than it had been seen to grow. `is_owned`, `has_owners`
    (owners are recorded), `committed`, `lag`: at the observation.
    """

    width: np.ndarray
    advanced: np.ndarray
    rewound: np.ndarray
    fell: np.ndarray
    was_empty: np.ndarray
    is_stuck: np.ndarray
    is_owned: np.ndarray
    has_owners: np.ndarray
    committed: np.ndarray
    lag: np.ndarray


RULES: list[tuple[str, Callable[[Window], np.ndarray]]] = [
    ("OK", lambda seen: seen.was_empty <= seen.width),
    # The oldest observation has no neighbour inside the window: a change at it is none.
    ("REWIND", lambda seen: seen.rewound < seen.width),
    ("STUCK", lambda seen: seen.is_stuck & ~seen.has_owners),
    ("STOP", lambda seen: seen.is_stuck & ~seen.is_owned),
    ("STALL", lambda seen: seen.is_stuck),
    ("SLOW", lambda seen: seen.fell >= seen.width),
]
"""Verdict and where it fits, bool (N, P): the first that fits counts, OK if none does."""


def verdicts(series: Series, observations: int = OBSERVATIONS) -> Verdicts:
    """Return the verdict of each partition as of each slot, over the last observations of its
    series up to there.
    """
    if series.has_owners is not None:
        if series.is_sparse:
            nothing = np.zeros(series.lag.shape, dtype=np.int8)
            return Verdicts(nothing, nothing)
        observations = series.window(observations)
    if series.is_observed.all():
        return Verdicts(*_of_observations(_all_observed(series), observations))
    number = np.cumsum(series.is_observed, axis=0, dtype=np.int32) - 1
    columns, place = (
        _of_observations(_observed(series, number), observations),
        np.maximum(number, 0),
    )
    return Verdicts(
        *(
            np.where(number >= 0, np.take_along_axis(column, place, axis=0), np.int8(0))
            for column in columns
        )
    )


class _Observations(NamedTuple):
    """The observations of each partition at the top of its column, (N, P), or (N, 1) and (1, 1)
    where all are alike.

    `first`: row at which the series of each begins.
    """

    committed: np.ndarray
    lag: np.ndarray
    time: np.ndarray
    is_owned: np.ndarray
    has_owners: np.ndarray
    first: np.ndarray


def _of_observations(seen: _Observations, observations: int) -> tuple[np.ndarray, np.ndarray]:
    """Return verdict and number of observations as of each observation, int8 (N, P)."""
    rows = np.arange(seen.lag.shape[0], dtype=np.int32)[:, None]
    # How many observations back the window begins.
    width = np.minimum(rows - seen.first, observations - 1).astype(np.int8)
    answer = np.where(width > 0, _judged(seen, rows, width, observations), np.int8(OK))
    return answer, np.broadcast_to(width + np.int8(1), answer.shape)


def _judged(
    seen: _Observations, rows: np.ndarray, width: np.ndarray, observations: int
) -> np.ndarray:
    """Return the verdict of each window, of two observations or more."""
    window = _window(seen, rows, width, observations)
    return np.select(
        [fits(window) for _, fits in RULES],
        [np.int8(VERDICTS.index(name)) for name, _ in RULES],
        np.int8(OK),
    )


def _window(seen: _Observations, rows: np.ndarray, width: np.ndarray, observations: int) -> Window:
    moved, relieved = _changes(seen.committed), _changes(seen.lag)
    advanced, rewound = _age(moved > 0, observations), _age(moved < 0, observations)
    fell, was_empty = _age(relieved < 0, observations), _age(seen.lag == 0, observations)
    passed = _at(seen.time, rows) - _at(seen.time, rows - np.minimum(advanced, width))
    before = _at(seen.time, rows - np.minimum(advanced, width)) - _at(seen.time, rows - width)
    is_stuck = (advanced >= width) | (passed > before)
    return Window(
        width=width,
        advanced=advanced,
        rewound=rewound,
        fell=fell,
        was_empty=was_empty,
        is_stuck=is_stuck,
        is_owned=seen.is_owned,
        has_owners=seen.has_owners,
        committed=seen.committed,
        lag=seen.lag,
    )


def _all_observed(series: Series) -> _Observations:
    first = series.first_slot if series.first_slot.any() else np.zeros((1, 1), dtype=np.int32)
    return _Observations(
        series.committed_offset,
        series.lag,
        series.time[:, None],
        series.owner != UNASSIGNED,
        _has_owners(series),
        first,
    )


def _observed(series: Series, number: np.ndarray) -> _Observations:
    """Bring the observations of each partition together; `number` (S, P) counts them from 0."""
    # The observations before the series began are those up to the slot before its first.
    before = np.take_along_axis(number, np.maximum(series.first_slot - 1, 0), axis=0) + 1
    first = np.where(series.first_slot > 0, before, np.int32(0))
    time = np.broadcast_to(series.time[:, None], first.shape)
    order = np.argsort(~series.is_observed, axis=0, kind="stable")
    has_owners = np.broadcast_to(_has_owners(series), first.shape)
    is_owned = series.owner != UNASSIGNED
    columns = series.committed_offset, series.lag, time, is_owned, has_owners, first
    return _Observations(*(np.take_along_axis(column, order, axis=0) for column in columns))


def _has_owners(series: Series) -> np.ndarray:
    """bool (S, 1)."""
    if series.has_owners is None:
        return np.ones((series.slot_count, 1), dtype=bool)
    return series.has_owners[:, None]


def _changes(values: np.ndarray) -> np.ndarray:
    """Return the difference of each value from the previous value; the first is 0."""
    return np.diff(values, axis=0, prepend=values[:1])


def _age(happened: np.ndarray, most: int) -> np.ndarray:
    """Return how many rows ago something happened last, int8; a larger number than `most` if
    that is longer ago.
    """
    age = np.where(happened, np.int8(0), np.int8(_LONG_AGO))
    step = 1
    while step < most:
        # Twice as far with every step: a minimum that runs over all rows takes five times as long.
        np.minimum(age[step:], age[:-step] + np.int8(step), out=age[step:])
        step *= 2
    return age


def _at(time: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the time at some rows of each partition's column, or of the column that all share."""
    return (
        time[:, 0][rows]
        if time.shape[1] == 1
        else np.take_along_axis(time, np.broadcast_to(rows, time.shape), axis=0)
    )


# The verdict of a group


def group_verdict(series: Series, verdicts: Verdicts) -> np.ndarray:
    """Return the worst verdict of the partitions that the group has as of each slot, int8 (S,)."""
    return of_partitions_there(verdicts.verdict, series.is_listed, series.is_there[:, None]).max(
        axis=1, initial=OK
    )


def of_partitions_there(
    verdict: np.ndarray, is_listed: np.ndarray, is_group_there: np.ndarray
) -> np.ndarray:
    """Return verdicts, int8 (S, P), with OK for partitions that the group has no more: a topic that
    was deleted is no trouble.

    `is_group_there` bool (S, P) or (S, 1): a slot that does not have the group at all changes
    nothing.
    """
    if is_listed.all():
        return verdict
    rows = np.arange(is_listed.shape[0])[:, None]
    last = np.maximum.accumulate(np.where(is_group_there, rows, 0), axis=0)
    return np.where(
        np.take_along_axis(is_listed, np.broadcast_to(last, is_listed.shape), axis=0),
        verdict,
        np.int8(OK),
    )


def lasting(verdict: np.ndarray, least: int = OBSERVATIONS) -> np.ndarray:
    """Return verdicts, int8 (S,) or (S, G), with OK in place of SLOW that lasts fewer slots.

    A group that keeps up is SLOW for some slots again and again: a few records more than before are
    not worth a line. So SLOW counts once it has lasted `least` slots, and then from its first.
    """
    return np.where((verdict == SLOW) & (_lengths(verdict) < least), np.int8(OK), verdict)


def breaks(is_there: np.ndarray, least: int = OBSERVATIONS) -> np.ndarray:
    """Return whether, bool as `is_there` (S,) or (S, G), a group is absent for `least` slots or
    more: it was deleted, and begins again.

    A group that was unreadable for fewer slots continues. Before a group was there for the first
    time is a break too.
    """
    return (~is_there & (_lengths(is_there) >= least)) | ~np.maximum.accumulate(is_there, axis=0)


def _lengths(values: np.ndarray) -> np.ndarray:
    """Return how many slots each value lasts, (S, ...)."""
    if not values.size:
        return np.zeros(values.shape, dtype=np.int64)
    change = values[1:] != values[:-1]
    edge = np.ones((1, *values.shape[1:]), dtype=bool)
    rows = np.arange(values.shape[0]).reshape(-1, *[1] * (values.ndim - 1))
    first = np.maximum.accumulate(np.where(np.concatenate([edge, change]), rows, 0), axis=0)
    last = np.minimum.accumulate(
        np.where(np.concatenate([change, edge]), rows, rows[-1])[::-1], axis=0
    )[::-1]
    return last - first + 1
