"""What is ahead of a group, or why that cannot be said."""

import numpy as np

from evenkeel.assignors.history.draws import Draws
from evenkeel.assignors.history.forecast import Forecast, forecast
from evenkeel.assignors.history.now import Now

GONE = "the last reading does not have the group"
_PART = 0.25
"""So much of the range is looked ahead: the last fifth of the axis."""


def ahead_of(found: Now, drawn: Draws) -> Forecast | str:
    """Return the forecast from the last reading on; else in words why there is none."""
    series = found.series
    if not series.is_listed[-1].any():
        return "the last reading names no partition of the group"
    if np.isnan(found.in_rate[series.is_listed[-1]]).all():
        return "one reading tells no rates"
    ahead = forecast(found, drawn, _PART * float(np.ptp(series.time)))
    return "what members can read is unknown" if ahead is None else ahead
