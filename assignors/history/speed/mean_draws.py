"""Draws of means: how far what comes may be from the mean of the windows that were seen."""

from typing import NamedTuple

import numpy as np

from assignors.history.series import UNKNOWN_RATE
from assignors.history.speed.capacity import LEAST_WINDOWS

RECENT = 24
"""Windows of a member: older ones say little of what comes."""

_USUAL_LIKENESS, _ITS_WEIGHT, _MOST_LIKENESS = 0.2, 8, 0.8
"""How alike neighbouring windows are taken to be, and for how many windows that counts: a few do not tell. Found with simulated members,
`tests/benchmarks/drains.py`."""


class MeanDraws(NamedTuple):
    """Of the true mean, records/s, and of what a stretch of time may differ from it: `spread` / sqrt(its seconds). float64 (B, M) each."""

    mean: np.ndarray
    spread: np.ndarray


def mean_draws(
    rate: np.ndarray, seconds: float, chance: np.random.Generator, number: int, group_of_member: np.ndarray | None = None
) -> MeanDraws:
    """Draw means of windows (W, M) records/s of some seconds each, `UNKNOWN_RATE` where a member has none; unknown with fewer than 3.

    Student's t, for windows of which neighbours may be alike (a slow spell lasts). Members share the errors that they had in the same
    windows: those of one machine are slow together. A group among others, `group_of_member` int64 (M,), has the draws that it has alone.
    """
    known = ~np.isnan(rate)
    known &= np.cumsum(known[::-1], axis=0)[::-1] <= RECENT
    count = np.count_nonzero(known, axis=0)
    enough = count >= LEAST_WINDOWS
    count = np.maximum(count, LEAST_WINDOWS)
    mean = np.where(enough, np.where(known, rate, 0).sum(axis=0) / count, UNKNOWN_RATE)
    errors = np.where(known & enough, rate - mean, 0) / np.sqrt(count - 1)
    normal = [chance.standard_normal((number, len(errors))) for _ in range(2)]
    student = np.sqrt((count - 1) / _chisquare(count - 1, chance, number, group_of_member) * _inflation(errors, count))
    seen, to_come = ((one @ errors) * student for one in normal)
    return MeanDraws(mean + seen / np.sqrt(count), np.where(enough, to_come * np.sqrt(seconds), UNKNOWN_RATE))


def _chisquare(freedom: np.ndarray, chance: np.random.Generator, number: int, group_of_member: np.ndarray | None) -> np.ndarray:
    """Draw (B, M) with so many degrees of freedom (M,), for each group from where the generator stands now."""
    if group_of_member is None:
        return chance.chisquare(freedom, (number, freedom.size))
    result, state = np.empty((number, freedom.size)), chance.bit_generator.state
    order = np.argsort(group_of_member, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(group_of_member[order])) + 1):
        chance.bit_generator.state = state
        result[:, members] = chance.chisquare(freedom[members], (number, members.size))
    return result


def _inflation(errors: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Return by how much the mean of windows that are alike varies more than one of windows that are not, float64 (M,)."""
    whole = (errors**2).sum(axis=0)
    products = (errors[1:] * errors[:-1]).sum(axis=0)
    # Errors about their own mean look less alike than they are, by one window in all.
    seen = np.where(whole > 0, products / np.where(whole > 0, whole, 1) + 1 / count, 0)
    likeness = np.clip((count * seen + _ITS_WEIGHT * _USUAL_LIKENESS) / (count + _ITS_WEIGHT), 0, _MOST_LIKENESS)
    return (1 + likeness) / (1 - likeness)
