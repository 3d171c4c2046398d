"""Spells: rebalances that belong together; what a list can show of a long history."""

from typing import NamedTuple

import numpy as np

BURST_SECONDS = 1800


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
