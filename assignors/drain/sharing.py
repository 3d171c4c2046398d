"""Processor sharing: a member serves its partitions with lag in equal parts; one that needs less leaves the rest to the others.

Kafka's fetcher is fair among partitions with data. The time runs from event to event, a partition becomes empty; in between all is linear,
so that the answers are exact for constant rates.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

EMPTY = 1e-6
"""Records: a smaller lag is none, because of rounding."""


class _Phase(NamedTuple):
    """Between two events: when it begins, the lags then, how fast they fall (records/s), how long it lasts (s)."""

    begin: float
    behind: np.ndarray
    falls: np.ndarray
    length: float


def lags_after(behind: np.ndarray, in_rate: np.ndarray, capacity: float, seconds: float) -> np.ndarray:
    """Return how far one member's partitions are behind after some seconds, float64."""
    for phase in _phases(behind, in_rate, capacity):
        if seconds <= phase.begin + phase.length:
            return np.maximum(phase.behind - phase.falls * (seconds - phase.begin), 0)
    return behind.copy()


def empty_after(behind: np.ndarray, in_rate: np.ndarray, capacity: float) -> np.ndarray:
    """Return after how many seconds each of one member's partitions is empty and stays so, float64, infinite for never."""
    seconds = np.full(behind.size, np.inf)
    for phase in _phases(behind, in_rate, capacity):
        # Shares only grow: a partition that keeps up once keeps up for ever.
        seconds[(phase.behind <= EMPTY) & (phase.falls >= -EMPTY) & np.isinf(seconds)] = phase.begin
    return seconds


def _phases(behind: np.ndarray, in_rate: np.ndarray, capacity: float) -> Iterator[_Phase]:
    begin, behind, length = 0.0, behind.astype(np.float64), 0.0
    while np.isfinite(length):
        is_behind = behind > EMPTY
        falls = shares(np.where(is_behind, np.inf, in_rate), capacity) - in_rate
        emptied = is_behind & (falls > 0)
        length = float((behind[emptied] / falls[emptied]).min(initial=np.inf))
        yield _Phase(begin, behind, falls, length)
        if np.isfinite(length):
            begin, behind = begin + length, np.maximum(behind - falls * length, 0)


def shares(needs: np.ndarray, capacity: float) -> np.ndarray:
    """Return what each partition gets, records/s: its need, or an equal part of what those that need less leave."""
    order = np.argsort(needs, kind="stable")
    in_order = needs[order]
    before = np.concatenate([[0.0], np.cumsum(in_order)[:-1]])
    # The part of each if it and all that need more shared what is left.
    part = np.maximum(capacity - before, 0) / np.arange(needs.size, 0, -1)
    is_served = in_order <= part
    level = part[np.argmin(is_served)] if not is_served.all() else np.inf
    return np.minimum(needs, level)
