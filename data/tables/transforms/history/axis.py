"""Axis: the instants of a history, and where there is none."""

from typing import NamedTuple

import numpy as np


class Missed(NamedTuple):
    """Slots without a snapshot: when the first and the last of them began, in seconds since 1970, and why."""

    first: float
    last: float
    reason: str


class Axis(NamedTuple):
    """Batches in the order of time, one an instant: number of the slot int64 (S,), seconds since 1970 float64 (S,), and all gaps."""

    batch: tuple[str, ...]
    slot: np.ndarray
    time: np.ndarray
    missed: tuple[Missed, ...] = ()


def axis_of(batch: tuple[str, ...], start: np.ndarray, time: np.ndarray, missed: tuple[Missed, ...] = ()) -> Axis:
    """Number instants that began at `start`, ascending, so that slots in gaps have numbers too.

    How many slots a gap has is told by the steps beside it: a lake has other steps where it is thinned.
    """
    steps = np.diff(start)
    numbers = np.ones(steps.size, dtype=np.int64)
    places = np.unique(np.searchsorted(start, [one.last for one in missed])) - 1
    places = places[(places >= 0) & (places < steps.size)]
    is_whole = np.ones(steps.size, dtype=bool)
    is_whole[places] = False
    for place in places.tolist():
        near = slice(max(place - 2, 0), place + 3)
        beside = steps[near][is_whole[near]]
        numbers[place] = max(round(steps[place] / beside.min()), 2) if beside.size else 2
    return Axis(batch, np.concatenate([[0], np.cumsum(numbers)])[: len(batch)], time, missed)
