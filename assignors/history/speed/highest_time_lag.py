"""The highest time lag of a group in a series, and when."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.history.series import Series
from evenkeel.assignors.history.speed.time_lag import EXTRAPOLATED, UNKNOWN_METHOD, time_lag

MOST_ROWS = 3000
"""Slots that are all looked at; a day has fewer. A week takes a second: of more it is a third as many, and all beside the highest."""


class HighestTimeLag(NamedTuple):
    """`row`: of the slot; `is_least`: not all slots were looked at."""

    seconds: float
    row: int
    is_least: bool


def highest_time_lag(series: Series, most_rows: int = MOST_ROWS, first: int = 0) -> HighestTimeLag | None:
    """Return the highest time lag of a partition from a row on; None where none is known.

    Extrapolated ones do not count: what was before the first slot is guessed from few slots there.
    """
    count = series.slot_count - first
    step = 1 if count <= most_rows else -(-3 * count // most_rows)
    rows = np.arange(series.slot_count - 1, first - 1, -step)[::-1]
    found = _highest(series, rows)
    if found and step > 1:
        found = _highest(series, np.arange(max(found.row - step + 1, first), min(found.row + step, series.slot_count)))
    return found and found._replace(is_least=step > 1)


def _highest(series: Series, rows: np.ndarray) -> HighestTimeLag | None:
    found = time_lag(series, rows)
    is_told = (found.method != EXTRAPOLATED) & (found.method != UNKNOWN_METHOD)
    if not is_told.any():
        return None
    worst = np.where(is_told, found.seconds, -1.0).max(axis=1)
    place = int(np.argmax(worst))
    return HighestTimeLag(float(worst[place]), int(rows[place]), False)
