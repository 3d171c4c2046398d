"""Forecast: the lag of a group after its last slot, from the same draws as its drain."""

from typing import NamedTuple

import numpy as np

from assignors.drain.band import Band, band
from assignors.drain.lag_ahead import lag_ahead
from assignors.history.now import Now
from assignors.history.speed.draws import Draws

_TIMES = 41


class Forecast(NamedTuple):
    """Records behind in all, as a band (T,), so many `seconds` (T,) after the last slot; the first is 0."""

    seconds: np.ndarray
    lag: Band


def forecast(found: Now, drawn: Draws, seconds: float) -> Forecast | None:
    """Look so many seconds ahead; None where the last slot does not list the group, and where a rate or capacity is unknown."""
    listed = np.flatnonzero(found.series.is_listed[-1])
    times = np.linspace(0, seconds, _TIMES)
    later = lag_ahead(found.lag[listed], drawn.in_rate[:, listed], found.owner[listed], drawn.capacity, times)
    return Forecast(times, band(later)) if listed.size and not np.isnan(later).any() else None
