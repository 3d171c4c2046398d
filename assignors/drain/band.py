"""Band: between which times a group is likely to be drained, from draws of what comes in and what members read."""

from typing import NamedTuple

import numpy as np

DRAWS = 200

_PERCENTILES = (5, 50, 95)


class Band(NamedTuple):
    """Seconds, float64 (...,) each: between `low` and `high` lie 90 % of the draws. Infinite for never, NaN where unknown.

    `low` alone is a lower bound, `middle` alone is of readings that are too few for a band.
    """

    low: np.ndarray
    middle: np.ndarray
    high: np.ndarray


def band(seconds: np.ndarray) -> Band:
    """Return the band of draws (B, ...)."""
    # Of the draws themselves: there is nothing between a time and never.
    return Band(*np.percentile(seconds, _PERCENTILES, axis=0, method="inverted_cdf"))


def at_least(found: Band, is_partial: np.ndarray | bool) -> Band:
    """Return the band, or only its low end where lags are left out of it: they may take longer. Never stays never, 0 says nothing."""
    is_open = is_partial & ~np.isinf(found.middle)
    low = np.where(is_open & (found.low == 0), np.nan, found.low)
    return Band(low, np.where(is_open, np.nan, found.middle), np.where(is_open, np.nan, found.high))


def middle_alone(found: Band) -> Band:
    """Return the band of one draw: its ends are unknown where it says a time. Never stays never, and 0 stays 0."""
    is_time = np.isfinite(found.middle) & (found.middle > 0)
    return Band(np.where(is_time, np.nan, found.low), found.middle, np.where(is_time, np.nan, found.high))
