"""Forecast: the lag of a group after its last slot, from the same draws as its drain."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.drain import Band, sums_by_owner
from evenkeel.assignors.history.now import Now
from evenkeel.assignors.history.speed.draws import Draws
from evenkeel.assignors.history.speed.records_on_the_way import keeps_up
from evenkeel.assignors.drain import band
from evenkeel.assignors.drain import lag_ahead

_TIMES = 41


class Forecast(NamedTuple):
    """Records behind in all, as a band (T,), so many `seconds` (T,) after the last slot; the first is 0."""

    seconds: np.ndarray
    lag: Band


def forecast(found: Now, drawn: Draws, seconds: float) -> Forecast | None:
    """Look so many seconds ahead; None where the last slot does not list the group, and where a rate in or busy rate is unknown.

    The lag of a member that keeps up stays as it is, where it is unknown how much more it could read.
    """
    listed = np.flatnonzero(found.series.is_listed[-1])
    times = np.linspace(0, seconds, _TIMES)
    later = lag_ahead(found.lag[listed], drawn.in_rate[:, listed], found.owner[listed], _able(found, drawn), times)
    return Forecast(times, band(later)) if listed.size and not np.isnan(later).any() else None


def _able(found: Now, drawn: Draws) -> np.ndarray:
    if drawn.on_the_way is None:
        return drawn.busy_rate
    member_count = drawn.busy_rate.shape[-1]
    stays = np.isnan(drawn.busy_rate) & keeps_up(found.lag, found.owner, drawn.on_the_way, member_count)
    return np.where(stays, sums_by_owner(drawn.in_rate, found.owner, member_count)[..., :-1], drawn.busy_rate)
