"""Verdicts: Burrow's rules for the last observations of a partition, changed for snapshots.

A snapshot does not show a commit that repeats an offset. Burrow's rules use commits; these rules
use owners instead. A partition without progress has the verdict STALL if it has an owner, STOP if
it has no owner, and STUCK if owners are not recorded. Source: Burrow,
`core/internal/evaluator/caching.go`.

A new verdict needs its place in `VERDICTS`, its rule in `RULES` and its words in
`data/timeline/words.py`. Lists, the Timeline, commands and gauges then show the new verdict.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.series import Series

VERDICTS = ["OK", "SLOW", "REWIND", "STALL", "STUCK", "STOP"]
"""Verdicts by number, mildest first."""

OK, SLOW, REWIND, STALL, STUCK, STOP = range(6)

OBSERVATIONS = 10

_LONG_AGO = 60


class Verdicts(NamedTuple):
    """`verdict`: verdict of each partition at each slot, as an index in `VERDICTS`.
    `observation_count`: number of observations in its window, 0 to `OBSERVATIONS`. int8 (S, P)
    each.

    If a slot has no observation of a partition, both values come from the previous observation.
    """

    verdict: np.ndarray
    observation_count: np.ndarray

    def within(self, first: int) -> "Verdicts":
        """Return the verdicts from the slot with row number `first` on."""
        return Verdicts(self.verdict[first:], self.observation_count[first:])


class Window(NamedTuple):
    """The input of a rule: facts about the window of each partition at each observation, (N, P).
    The window has the last observations of the partition.

    `width`: number of earlier observations in the window. Number of observations since the
    committed offset last grew (`advanced`) and last fell (`rewound`), since the lag last fell
    (`fell`), and since the lag was last 0 (`was_empty`); more than `width` if this did not happen
    in the window. `is_stuck`: the committed offset did not grow in the window, or has not grown for
    longer than it grew before. Values at the observation: `is_owned`, `has_owners` (whether owners
    are recorded), `committed`, `lag`.
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
    # The oldest observation has no neighbour in the window, so a change at it does not count.
    ("REWIND", lambda seen: seen.rewound < seen.width),
    ("STUCK", lambda seen: seen.is_stuck & ~seen.has_owners),
    ("STOP", lambda seen: seen.is_stuck & ~seen.is_owned),
    ("STALL", lambda seen: seen.is_stuck),
    ("SLOW", lambda seen: seen.fell >= seen.width),
]
"""Verdict, and function that returns the observations that fit, bool (N, P). The first fitting
verdict counts; OK if no verdict fits.
"""


def verdicts(series: Series, observations: int = OBSERVATIONS) -> Verdicts:
    """Return the verdict of each partition at each slot. A verdict is based on the partition's
    latest observations up to the slot.
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
    """The observations of each partition, in rows 0, 1, 2 and so on: (N, P). Slots without an
    observation are left out. If all columns are equal, there is only one column: (N, 1) or (1, 1).

    `first`: row number of the first observation of each partition's series.
    """

    committed: np.ndarray
    lag: np.ndarray
    time: np.ndarray
    is_owned: np.ndarray
    has_owners: np.ndarray
    first: np.ndarray


def _of_observations(seen: _Observations, observations: int) -> tuple[np.ndarray, np.ndarray]:
    """Return verdict and number of observations at each observation, int8 (N, P)."""
    rows = np.arange(seen.lag.shape[0], dtype=np.int32)[:, None]
    # Number of observations from the start of the window to the present observation.
    width = np.minimum(rows - seen.first, observations - 1).astype(np.int8)
    answer = np.where(width > 0, _judged(seen, rows, width, observations), np.int8(OK))
    return answer, np.broadcast_to(width + np.int8(1), answer.shape)


def _judged(
    seen: _Observations, rows: np.ndarray, width: np.ndarray, observations: int
) -> np.ndarray:
    """Return the verdict of each window. A window needs at least two observations."""
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
    """Return the observations without the slots between them. `number`: (S, P), number of each
    observation, counted from 0.
    """
    # An observation is before the series if it is at or before the slot in front of the series'
    # first slot.
    before = np.take_along_axis(number, np.maximum(series.first_slot - 1, 0), axis=0) + 1
    first = np.where(series.first_slot > 0, before, np.int32(0))
    time = np.broadcast_to(series.time[:, None], first.shape)
    order = np.argsort(~series.is_observed, axis=0, kind="stable")
    has_owners = np.broadcast_to(_has_owners(series), first.shape)
    is_owned = series.owner != UNASSIGNED
    columns = series.committed_offset, series.lag, time, is_owned, has_owners, first
    return _Observations(*(np.take_along_axis(column, order, axis=0) for column in columns))


def _has_owners(series: Series) -> np.ndarray:
    """Whether the slot's source records owners, bool (S, 1)."""
    if series.has_owners is None:
        return np.ones((series.slot_count, 1), dtype=bool)
    return series.has_owners[:, None]


def _changes(values: np.ndarray) -> np.ndarray:
    """Return the difference between each value and the previous value. The first difference
    is 0.
    """
    return np.diff(values, axis=0, prepend=values[:1])


def _age(happened: np.ndarray, most: int) -> np.ndarray:
    """Return the number of rows since `happened` was last True, int8. If this was more than `most`
    rows ago, the result is any number above `most`.
    """
    age = np.where(happened, np.int8(0), np.int8(_LONG_AGO))
    step = 1
    while step < most:
        # Each step doubles the distance. A running minimum over all rows would take five times as
        # long.
        np.minimum(age[step:], age[:-step] + np.int8(step), out=age[step:])
        step *= 2
    return age


def _at(time: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the times of each partition at row numbers `rows`. `time` has a column for each
    partition, or a single column for all partitions.
    """
    return (
        time[:, 0][rows]
        if time.shape[1] == 1
        else np.take_along_axis(time, np.broadcast_to(rows, time.shape), axis=0)
    )


# The verdict of a group


def group_verdict(series: Series, verdicts: Verdicts) -> np.ndarray:
    """Return the worst verdict of the group's present partitions at each slot, int8 (S,)."""
    return of_partitions_there(verdicts.verdict, series.is_listed, series.is_there[:, None]).max(
        axis=1, initial=OK
    )


def of_partitions_there(
    verdict: np.ndarray, is_listed: np.ndarray, is_group_there: np.ndarray
) -> np.ndarray:
    """Return verdicts, int8 (S, P), with OK for partitions that the group no longer has, because a
    deleted topic is not a problem.

    `is_group_there`: bool (S, P) or (S, 1), whether the slot has the whole group. If not, the
    partitions of the slot before are used.
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
    """Return verdicts, int8 (S,) or (S, G), with OK instead of SLOW if SLOW lasts fewer than
    `least` slots.

    A group that keeps up is often SLOW for a few slots, when slightly more records arrive. If SLOW
    lasts at least `least` slots, all these slots keep it.
    """
    return np.where((verdict == SLOW) & (_lengths(verdict) < least), np.int8(OK), verdict)


def breaks(is_there: np.ndarray, least: int = OBSERVATIONS) -> np.ndarray:
    """Return the slots at which a group is absent for `least` slots or more. bool, in the shape of
    `is_there`: (S,) or (S, G). The group was then deleted: if it appears again, it is a new group.

    A group that is absent for fewer slots was only unreadable, and is the same group afterwards.
    The slots before a group's first appearance count as absent too.
    """
    return (~is_there & (_lengths(is_there) >= least)) | ~np.maximum.accumulate(is_there, axis=0)


def _lengths(values: np.ndarray) -> np.ndarray:
    """Return for each slot the length of its run of equal values, (S, ...)."""
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
