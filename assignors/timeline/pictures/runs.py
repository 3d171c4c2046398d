"""Runs of equal slots."""

import numpy as np

from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.series import Series

# What rows have in common


def run_ends(series: Series, last: np.ndarray) -> np.ndarray:
    """Return when runs with these last slots end, in seconds since 1970: if the next slot
    begins, or at the last one before a gap.
    """
    following = np.minimum(last + 1, series.slot_count - 1)
    return np.where(
        series.slot[following] == series.slot[last] + 1, series.time[following], series.time[last]
    )


def last_lag(series: Series) -> np.ndarray:
    """Return the lag of each partition at the last slot that lists any, int64 (P,), `UNKNOWN_LAG`
    if unknown.
    """
    listed = np.flatnonzero(series.is_listed.any(axis=1))
    return series.lag[listed[-1]] if listed.size else np.full(series.tp_count, UNKNOWN_LAG)
