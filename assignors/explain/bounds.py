"""Bounds: the range of a figure where some lags are unknown. A lag can only be larger; a ratio of lags can be smaller or larger."""

import math
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.figures.balance import Balance
from evenkeel.assignors.figures.comparison import Row
from evenkeel.assignors.rounds.switch import Switch


class Bounds(NamedTuple):
    """Least and most possible value; `math.inf` where there is no upper limit."""

    low: float
    high: float = math.inf


def bounds(row: Row, switch: Switch | None = None) -> dict[str, Bounds]:
    """Return the bounds, by name, of the figures of a row that are not exact; a figure that is wholly unknown has none."""
    found = _of_lag(row.balance) if row.balance and row.balance.lag_is_partial and row.balance.has_lag else {}
    if row.moved_lag is not None and row.moves.moved_lag_is_partial:
        found["moved_lag"] = Bounds(row.moved_lag)
    if switch and switch.is_endless:
        found["rounds"] = Bounds(math.inf)
    elif switch and not switch.is_settled:
        found |= {"rounds": Bounds(switch.round_count), "paused_partitions": Bounds(switch.paused_count)}
    return found


def _of_lag(balance: Balance) -> dict[str, Bounds]:
    found = {name: Bounds(getattr(balance, name)) for name in ("max_lag", "mean_lag", "total_lag")}
    if not balance.max_lag:
        return found
    # The ratio is least if every member with unknown lag is as far behind as the worst, and most if one of them is far behind all others.
    least = balance.max_lag / float(np.where(balance.unknown_lag_count > 0, balance.max_lag, balance.lag).mean())
    others = balance.lag.size - 1
    ratios = {"max_lag_share": Bounds(least, 1 + others), "lag_cv": Bounds((least - 1) / math.sqrt(max(others, 1)), math.sqrt(others))}
    return found | ratios
