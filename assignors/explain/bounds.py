"""Bounds: between what a figure lies where some lags are unknown. A lag only grows; a ratio of lags goes both ways."""

import math
from typing import NamedTuple

import numpy as np

from assignors.figures.balance import Balance
from assignors.figures.comparison import Row
from assignors.rounds.switch import Switch


class Bounds(NamedTuple):
    """Least and most, both possible; `math.inf` where there is no most."""

    low: float
    high: float = math.inf


def bounds(row: Row, switch: Switch | None = None) -> dict[str, Bounds]:
    """Return the bounds of those figures of a row that are not exact, by name; a figure of which nothing is known has none."""
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
    # The ratio is least where every member that can grow is as far behind as the worst, and most where one of them is ever further behind.
    least = balance.max_lag / float(np.where(balance.unknown_lag_count > 0, balance.max_lag, balance.lag).mean())
    others = balance.lag.size - 1
    ratios = {"max_lag_share": Bounds(least, 1 + others), "lag_cv": Bounds((least - 1) / math.sqrt(max(others, 1)), math.sqrt(others))}
    return found | ratios
