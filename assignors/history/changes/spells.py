"""Spells: verdicts that last, and rebalances that belong together; what a list can show of a long history."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.history.changes.verdicts import OBSERVATIONS, OK, SLOW

BURST_SECONDS = 1800


def lasting(verdict: np.ndarray, least: int = OBSERVATIONS) -> np.ndarray:
    """Return verdicts, int8 (S,) or (S, G), with OK in place of SLOW that lasts fewer slots.

    A group that keeps up is SLOW for some slots again and again: a few records more than before are not worth a line. So SLOW counts once
    it has lasted `least` slots, and then from its first.
    """
    return np.where((verdict == SLOW) & (_lengths(verdict) < least), np.int8(OK), verdict)


def breaks(is_there: np.ndarray, least: int = OBSERVATIONS) -> np.ndarray:
    """Tell, bool as `is_there` (S,) or (S, G), where a group is not there for so many slots or more: it was deleted, and begins anew.

    One that could not be read for fewer goes on as it was. Before a group was there for the first time is a break too.
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
    last = np.minimum.accumulate(np.where(np.concatenate([change, edge]), rows, rows[-1])[::-1], axis=0)[::-1]
    return last - first + 1


class Burst(NamedTuple):
    """Rebalances within half an hour: `rows` of slots, and the times of the first and the last, seconds since 1970."""

    rows: tuple[int, ...]
    first: float
    last: float


def bursts(time: np.ndarray, rows: np.ndarray) -> tuple[Burst, ...]:
    """Return rebalances at these rows, ascending, in runs that each last at most half an hour."""
    found: list[list[int]] = []
    for row in rows.tolist():
        if not found or time[row] - time[found[-1][0]] > BURST_SECONDS:
            found.append([])
        found[-1].append(row)
    return tuple(Burst(tuple(one), float(time[one[0]]), float(time[one[-1]])) for one in found)
