"""Ends of runs, and lags at the last slot, for all pictures."""

import numpy as np

from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.series import Series

# Shared by all pictures


def run_ends(series: Series, last: np.ndarray) -> np.ndarray:
    """Return the end of each run, in seconds since 1970: the time of the next slot. If a gap
    follows the run, return the time of its last slot. `last`: row numbers of the runs' last slots.
    """
    following = np.minimum(last + 1, series.slot_count - 1)
    return np.where(
        series.slot[following] == series.slot[last] + 1, series.time[following], series.time[last]
    )


def last_lag(series: Series) -> np.ndarray:
    """Return the lag of each partition at the last slot that lists any partition, int64 (P,).
    `UNKNOWN_LAG` if unknown.
    """
    listed = np.flatnonzero(series.is_listed.any(axis=1))
    return series.lag[listed[-1]] if listed.size else np.full(series.tp_count, UNKNOWN_LAG)
