"""Figures: one table of all numbers by which assignments are compared. Pages, commands, JSON, CSV,
conditions and reports use it.

    FIGURES["max_lag"].value(figure_input(row))

To add a figure, add a line here and its words in `data/compare/figure_words.py`.
"""

import math
from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple, Protocol

import numpy as np

from evenkeel.assignors.compare.balance import Balance
from evenkeel.assignors.compare.comparison import Row


class Bounds(NamedTuple):
    """The least and the greatest possible value. `high` is `math.inf` if there is no upper
    limit.
    """

    low: float
    high: float = math.inf


class FigureInput(NamedTuple):
    """What the figures need to know of an assignment. A field is None if unknown.

    `is_settled`: whether the group is stable after the simulated rounds. `is_endless`: whether the
    group never becomes stable.
    """

    balance: Balance | None = None
    moved_partitions: int | None = None
    moved_lag: int | None = None
    moved_lag_is_partial: bool = False
    paused_partitions: int | None = None
    rounds: int | None = None
    is_settled: bool = True
    is_endless: bool = False


class Way(Protocol):
    """The fields of a `Switch` that figures need. A `Switch` has the rounds in which the group goes
    from the present owners to the assignment.
    """

    @property
    def paused_count(self) -> int: ...
    @property
    def round_count(self) -> int: ...
    @property
    def is_settled(self) -> bool: ...
    @property
    def is_endless(self) -> bool: ...


class Unit(StrEnum):
    """The unit of a figure. It decides how the figure is written."""

    COUNT = "count"
    RECORDS = "records"
    RATIO = "ratio"


class Figure(NamedTuple):
    """A figure of an assignment. `key`: its name in JSON and conditions.

    Parameters
    ----------
    value : function
        Returns None if unknown.
    better : int
        -1: a smaller value is better. 1: a larger value is better. 0: neither.
    then : str
        Key of the figure that decides between assignments with the same value.
    is_partial : function, optional
        Whether unknown lags could change the value. Without this function, they could not.
    bounds : function, optional
        The bounds of a known value, or None if the value is exact. Without this function, a partial
        value is a lower bound.
    """

    key: str
    unit: Unit
    value: Callable[[FigureInput], float | None]
    better: int = 0
    then: str = ""
    is_partial: Callable[[FigureInput], bool] = lambda seen: False
    bounds: Callable[[FigureInput], Bounds | None] | None = None

    def within(self, seen: FigureInput) -> Bounds | None:
        """Return the bounds of the value. None if the value is exact or unknown."""
        value = self.value(seen)
        if value is None:
            return None
        if self.bounds:
            return self.bounds(seen)
        return Bounds(value) if self.is_partial(seen) else None

    def rank(self, seen: FigureInput) -> tuple | float | None:
        """Return a sort key: the best assignment has the smallest key. None if the value is
        unknown.
        """
        value = self.value(seen)
        if value is None or not self.then:
            return None if value is None else -self.better * value
        other = FIGURES[self.then]
        return -self.better * value, -other.better * (other.value(seen) or 0)


def figure_input(row: Row, way: Way | None = None) -> FigureInput:
    """Return the input of the figures for a row of a comparison. `way`: the rounds from the present
    group to this assignment; None if unknown.
    """
    return FigureInput(
        row.balance,
        row.moved_partitions,
        row.moved_lag,
        row.moves is not None and row.moves.moved_lag_is_partial,
        *((way.paused_count, way.round_count, way.is_settled, way.is_endless) if way else ()),
    )


def values_of(seen: FigureInput) -> dict[str, float | None]:
    """Return the values of all figures for an assignment, by key."""
    return {key: figure.value(seen) for key, figure in FIGURES.items()}


def bounds(seen: FigureInput) -> dict[str, Bounds]:
    """Return the bounds of the figures that are known but not exact, by key."""
    intervals = {key: figure.within(seen) for key, figure in FIGURES.items()}
    return {key: within for key, within in intervals.items() if within}


def _of_balance(name: str) -> Callable[[FigureInput], float | None]:
    return lambda seen: getattr(seen.balance, name, None)


def _lag_is_partial(seen: FigureInput) -> bool:
    return seen.balance is not None and seen.balance.lag_is_partial


def _total_is_partial(seen: FigureInput) -> bool:
    return _lag_is_partial(seen) or seen.balance is not None and seen.balance.unknown_count > 0


def _unread_is_partial(seen: FigureInput) -> bool:
    return seen.balance is not None and seen.balance.unknown_unread_count > 0


def _share_bounds(seen: FigureInput) -> Bounds | None:
    """Return the bounds of max ÷ mean. If all lags were known, this ratio could be smaller or
    larger.

    The ratio is smallest if every member with unknown lags has as much lag as the worst member. It
    is largest if one member with unknown lags has far more lag than all other members.
    """
    load = seen.balance
    if load is None or load.worst_lag is None or not load.lag_is_partial:
        return None
    least = load.worst_lag / float(
        np.where(load.unknown_lag_count > 0, load.worst_lag, load.lag).mean()
    )
    return Bounds(least, load.lag.size)


def _cv_bounds(seen: FigureInput) -> Bounds | None:
    share = _share_bounds(seen)
    if share is None:
        return None
    others = share.high - 1
    return Bounds((share.low - 1) / math.sqrt(max(others, 1)), math.sqrt(others))


def _round_bounds(seen: FigureInput) -> Bounds | None:
    if seen.is_endless:
        return Bounds(math.inf)
    return None if seen.is_settled or seen.rounds is None else Bounds(seen.rounds)


def _paused_bounds(seen: FigureInput) -> Bounds | None:
    paused = seen.paused_partitions
    return None if seen.is_settled or seen.is_endless or paused is None else Bounds(paused)


_COUNT, _RECORDS, _RATIO = Unit.COUNT, Unit.RECORDS, Unit.RATIO

_FIGURES = (
    Figure("max_partitions", _COUNT, _of_balance("max_partitions"), -1, then="min_partitions"),
    Figure("min_partitions", _COUNT, _of_balance("min_partitions"), 1),
    Figure("max_lag", _RECORDS, _of_balance("max_lag"), -1, is_partial=_lag_is_partial),
    Figure("mean_lag", _RECORDS, _of_balance("mean_lag"), is_partial=_lag_is_partial),
    Figure("total_lag", _RECORDS, _of_balance("total_lag"), is_partial=_total_is_partial),
    Figure("unread_lag", _RECORDS, _of_balance("unread_lag"), -1, is_partial=_unread_is_partial),
    Figure(
        "lag_cv", _RATIO, _of_balance("lag_cv"), -1, is_partial=_lag_is_partial, bounds=_cv_bounds
    ),
    Figure(
        "max_lag_share",
        _RATIO,
        _of_balance("max_lag_share"),
        -1,
        is_partial=_lag_is_partial,
        bounds=_share_bounds,
    ),
    Figure("idle_members", _COUNT, _of_balance("idle_members"), -1),
    Figure("moved_partitions", _COUNT, lambda seen: seen.moved_partitions, -1),
    Figure(
        "moved_lag",
        _RECORDS,
        lambda seen: seen.moved_lag,
        -1,
        is_partial=lambda seen: seen.moved_lag_is_partial,
    ),
    Figure("unknown_lag_partitions", _COUNT, _of_balance("unknown_lag_partitions")),
    Figure(
        "paused_partitions",
        _COUNT,
        lambda seen: seen.paused_partitions,
        -1,
        then="rounds",
        bounds=_paused_bounds,
    ),
    Figure("rounds", _COUNT, lambda seen: seen.rounds, -1, bounds=_round_bounds),
)

FIGURES = {figure.key: figure for figure in _FIGURES}
"""Figures by key, in the order of `--json`."""
