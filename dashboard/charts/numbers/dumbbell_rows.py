"""Rows of dumbbells: members that have a row of their own, and the mean of all others."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.figures.balance import Balance
from evenkeel.dashboard.charts.numbers.loads import Panel, lag_load
from evenkeel.dashboard.words.names import under
from evenkeel.dashboard.words.order import worst_of_both


class Others(NamedTuple):
    """The members without a row of their own: their number, and the mean of their known lags now and with the candidate.

    A mean is NaN if every lag is unknown.
    """

    member_count: int
    current: float
    candidate: float


class Dumbbells(NamedTuple):
    """Members in drawing order, their names, the panels, and the members without a row."""

    members: np.ndarray
    names: list[str]
    panels: list[Panel]
    others: Others | None
    candidate: str


def worst(
    names: Sequence[str], order: np.ndarray, current: Balance | None, candidate: Balance, candidate_name: str, most: int
) -> Dumbbells:
    """Collect the rows of `worst_members`."""
    order = worst_of_both(order, candidate.lag, most)
    first, rest = order[:most], order[most:]
    means = (_mean(lag_load(side, rest).values) if side else np.nan for side in (current, candidate))
    others = Others(len(rest), *means) if len(rest) else None
    loads = (current and lag_load(current, first), lag_load(candidate, first))
    panel = Panel(f"Worst now, then worst {under(candidate_name)}", "lag", loads, (0.0, 1.0))
    return Dumbbells(first, [names[member] for member in first], [panel], others, candidate_name)


def _mean(values: np.ndarray) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else np.nan
