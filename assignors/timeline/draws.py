"""Draws: random samples of incoming rates and busy rates. Their spread is the uncertainty,
estimated from how much the rates differ over time.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.drain import DRAWS
from evenkeel.assignors.group.series import UNKNOWN_RATE, Series
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.group.speed import (
    LEAST_WINDOWS,
    WINDOW,
    are_medians,
    busy_rates,
    kept_up_with,
    on_the_way,
    possible,
    rates,
    windows,
    with_medians,
)
from evenkeel.assignors.timeline.stuck import Stuck, stuck

_ROUNDING = 0.01
"""Rates from two readings are not more exact than this part."""


class Draws(NamedTuple):
    """B random samples (draws) of rates in records/s, float64: incoming rates (B, P) and busy rates
    (B, M). `UNKNOWN_RATE` if unknown. Each of the last five fields is None if not computed.

    `busy_rate`: mean rates of members that are behind. `spread`: (B, M); a member's rate during s
    seconds may differ from `busy_rate` by `spread` / sqrt(s). `on_the_way`: int64 (P,), the largest
    lag that counts as 0. `proven`: (B, M), largest rate that a member has reached; the member's
    capacity may be much larger. `assumed`: bool (M,), whether a busy rate is the median of the
    group. `stuck`: partitions without progress.
    """

    in_rate: np.ndarray
    busy_rate: np.ndarray
    spread: np.ndarray | None = None
    on_the_way: np.ndarray | None = None
    proven: np.ndarray | None = None
    assumed: np.ndarray | None = None
    stuck: Stuck | None = None

    @property
    def rounding(self) -> float:
        """Tolerance of a single draw, which has no band, as a part of the incoming rate; 0 for
        several draws. A shortfall is proved only if the read rate is lower than the incoming rate
        by more than this part.
        """
        return _ROUNDING if len(self.in_rate) == 1 else 0.0


def draws(
    series: Series,
    chance: "np.random.Generator",
    number: int = DRAWS,
    window: int = WINDOW,
    group_of_member: np.ndarray | None = None,
) -> Draws:
    """Draw the incoming rates of the last window, and the rates of members in their busy windows.

    A member that was busy in the last two windows and read nothing has a busy rate of 0, even if it
    was busy in no other window. `group_of_member`: as in `capacity`.
    """
    waiting, in_rate = on_the_way(series, window), _in_rates(series, chance, number, window)
    rate, is_busy = windows(series, window)
    busy = np.where(is_busy, rate, UNKNOWN_RATE)
    means = mean_draws(busy, window * _slot_seconds(series), chance, number, group_of_member)
    # Two short windows may both be between two commits.
    is_still = standing_still(busy) & (window >= WINDOW)
    mean = np.where(is_still & np.isnan(means.mean), 0.0, means.mean)
    busy_rate = possible(with_medians(mean, group_of_member), series, waiting, in_rate)
    proven = np.maximum(kept_up_with(series, waiting, in_rate), rate.max(axis=0, initial=0))
    return Draws(
        in_rate,
        busy_rate,
        np.nan_to_num(means.spread),
        waiting,
        proven,
        are_medians(mean, busy_rate),
        stuck(series, waiting),
    )


def _slot_seconds(series: Series) -> float:
    return (
        float(np.median(np.diff(series.time) / np.diff(series.slot)))
        if series.slot_count > 1
        else 0.0
    )


def _in_rates(
    series: Series, chance: "np.random.Generator", number: int, window: int
) -> np.ndarray:
    rows = np.flatnonzero(series.slot > series.slot[-1:].max(initial=0) - window)
    if rows.size < 2:
        return np.full((number, series.tp_count), UNKNOWN_RATE)
    end = series.end_offset[rows]
    known = (
        (end[1:] != UNKNOWN) & (end[:-1] != UNKNOWN) & (rows[:-1, None] >= series.first_slot[-1])
    )
    records, seconds = np.diff(end, axis=0) * known, np.diff(series.time[rows])[:, None] * known
    # Random weights of steps, so that no rate is below 0. They vary enough for the uncertainty of
    # few steps and of the future.
    weights = (
        chance.gamma(max(rows.size - 4, 1) / (2 * rows.size), size=(number, rows.size - 1)) + 1e-9
    )
    # If every step is known, all partitions have the same seconds.
    passed = weights @ (seconds[:, :1] if known.all() else seconds)
    rate = weights @ records.astype(np.float64)
    rate /= np.where(passed > 0, passed, UNKNOWN_RATE)
    return rate


# How far future rates may be from the mean of the observed windows


RECENT = 24
"""Number of a member's windows that count, because older windows say little about the future."""

_USUAL_LIKENESS, _ITS_WEIGHT, _MOST_LIKENESS = 0.2, 8, 0.8
"""Assumed correlation of neighbouring windows, and the number of windows that this assumption
counts for, because a few windows do not show their correlation. Both are from simulated members,
`tests/benchmarks/drains.py`.
"""

_BREAK = 4
"""A change by this factor is a break, such as a stall, not a slow spell."""

_LEAST_SINCE = 2
"""Number of windows that show a break, because a member that stops for less time reads on as
before.
"""

_RARE = 0.04
"""Part of the mean by which windows differ because of events too rare for a few windows to show. It
is from consumers of a real broker, `tests/brokers/drain`: some windows of a run have a stop of half
a second, but most runs have none at the start.
"""


class MeanDraws(NamedTuple):
    """Draws of each member's mean rate, float64 (B, M). `mean`: possible values of the true mean in
    records/s. `spread`: during s seconds, the rate may differ from `mean` by `spread` / sqrt(s).
    """

    mean: np.ndarray
    spread: np.ndarray


def mean_draws(
    rate: np.ndarray,
    seconds: float,
    chance: "np.random.Generator",
    number: int,
    group_of_member: np.ndarray | None = None,
) -> MeanDraws:
    """Draw each member's mean rate from its windows.

    `rate`: (W, M), records/s. `seconds`: length of a window. A member with fewer than 3 known
    windows gets `UNKNOWN_RATE`. `group_of_member`: int64 (M,), the group of each member; a group's
    draws do not depend on other groups.

    The draws have Student's t distribution. Neighbouring windows may be correlated, because a slow
    period lasts. Errors of members in the same window are correlated, because members on one
    machine are slow together. If a member's rate had a break (`_is_since_break`), only the windows
    after the break count for the mean, but all windows count for the spread.
    """
    rate = _recent(rate)
    known, is_since = ~np.isnan(rate), _is_since_break(rate)
    count, counted = (np.count_nonzero(rows, axis=0) for rows in (known, known & is_since))
    enough, count, counted = (
        count >= LEAST_WINDOWS,
        np.maximum(count, LEAST_WINDOWS),
        np.maximum(counted, 1),
    )
    mean, before = (
        np.where(known & rows, rate, 0).sum(axis=0) / size
        for rows, size in ((is_since, counted), (~is_since, 1))
    )
    before = np.where(before > 0, before / np.maximum(count - counted, 1), 1)
    part = np.where(is_since, 1, mean / before)
    errors = np.where(known & enough, rate * part - mean, 0) / np.sqrt(count - 1)
    shared = [chance.standard_normal((number, len(errors))) for _ in range(2)]
    square, *own = _of_each(count - 1, chance, number, group_of_member)
    student = np.sqrt((count - 1) / square * _inflation(errors, count))
    seen, to_come = (
        (common @ errors + other * _RARE * mean) * student
        for common, other in zip(shared, own, strict=True)
    )
    means = MeanDraws(mean + seen / np.sqrt(counted), to_come * np.sqrt(seconds))
    return MeanDraws(*(np.where(enough, column, UNKNOWN_RATE) for column in means))


def standing_still(rate: np.ndarray) -> np.ndarray:
    """Return the members that were busy in the last `_LEAST_SINCE` windows and read nothing, bool
    (M,). `rate`: (W, M).
    """
    return (len(rate) >= _LEAST_SINCE) & (rate[-_LEAST_SINCE:] == 0).all(axis=0)


def _recent(rate: np.ndarray) -> np.ndarray:
    """Return each member's last known windows, at most `RECENT`. Unknown windows come first."""
    order = np.argsort(~np.isnan(rate), axis=0, kind="stable")
    return np.take_along_axis(rate, order, axis=0)[-RECENT:]


def _is_since_break(rate: np.ndarray) -> np.ndarray:
    """Return whether a window comes after a break of the member's rate, bool (W, M). True for all
    windows if there is no break. After a break, each window is far from the median of the windows
    before the break.
    """
    result, rows = np.ones(rate.shape, dtype=bool), np.arange(len(rate))[:, None]
    for row in range(len(rate) - _LEAST_SINCE, LEAST_WINDOWS - 1, -1):
        members = np.flatnonzero(np.count_nonzero(~np.isnan(rate[:row]), axis=0) >= LEAST_WINDOWS)
        usual, after = np.nanmedian(rate[:row, members], axis=0), rate[row:, members]
        broke = members[(after.max(axis=0) * _BREAK < usual) | (after.min(axis=0) > usual * _BREAK)]
        result[:, broke] = rows >= row
    return result


def _of_each(
    freedom: np.ndarray,
    chance: "np.random.Generator",
    number: int,
    group_of_member: np.ndarray | None,
) -> np.ndarray:
    """Return one chi-square value and two normal values for each draw and member, (3, B, M).

    `freedom`: degrees of freedom (M,). Each group starts from the same state of the generator.
    """
    result, state = np.empty((3, number, freedom.size)), chance.bit_generator.state
    group = np.zeros(freedom.size, dtype=np.int64) if group_of_member is None else group_of_member
    order = np.argsort(group, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
        chance.bit_generator.state = state
        result[0][:, members] = chance.chisquare(freedom[members], (number, members.size))
        result[1:, :, members] = chance.standard_normal((2, number, members.size))
    return result


def _inflation(errors: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Return the variance of the mean of correlated windows, divided by the variance for
    independent windows, float64 (M,).
    """
    whole = (errors**2).sum(axis=0)
    products = (errors[1:] * errors[:-1]).sum(axis=0)
    # Errors around their own mean seem less correlated than they are, by about one window in total.
    seen = np.where(whole > 0, products / np.where(whole > 0, whole, 1) + 1 / count, 0)
    likeness = np.clip(
        (count * seen + _ITS_WEIGHT * _USUAL_LIKENESS) / (count + _ITS_WEIGHT), 0, _MOST_LIKENESS
    )
    return (1 + likeness) / (1 - likeness)


# A history that is too short for three windows of normal length, such as two listings


def draws_of(
    series: Series, chance: "np.random.Generator", group_of_member: np.ndarray | None = None
) -> Draws:
    """Return draws like `draws`, but from a short history, with windows of two or more slots.
    `group_of_member`: as in `capacity`.

    With fewer than six slots there is a single draw, without a band. A member's rate is then
    measured only while the member had records to read.
    """
    span = int(series.slot[-1] - series.slot[0]) + 1 if series.slot_count else 0
    window = min(span // LEAST_WINDOWS, WINDOW)
    if window >= 2:
        return draws(series, chance, window=window, group_of_member=group_of_member)
    return _one_draw(series, max(span, 1), group_of_member)


def _one_draw(series: Series, window: int, group_of_member: np.ndarray | None) -> Draws:
    last = np.array([series.slot_count - 1]) if series.slot_count else np.zeros(0, dtype=np.int64)
    waiting, in_rate = on_the_way(series, window), rates(series, last, window).incoming
    busy = busy_rates(series, window)
    seen = busy if busy.size else np.full((1, len(series.member_id)), UNKNOWN_RATE)
    busy_rate = possible(with_medians(seen, group_of_member), series, waiting, in_rate)
    proven = kept_up_with(series, waiting, in_rate)
    return Draws(
        in_rate,
        busy_rate,
        np.zeros_like(busy_rate),
        waiting,
        proven,
        are_medians(seen, busy_rate),
        stuck(series, waiting),
    )
