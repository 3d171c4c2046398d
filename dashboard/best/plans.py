"""Data of a figure: the best plan for every number of moves."""

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple


class Plan(NamedTuple):
    """The best known plan for a number of moves, and its bound: values of the worst member,
    infinite for never.
    """

    moves: int
    value: float
    bound: float
    is_proved: bool


class Other(NamedTuple):
    """Effect of an assignor: number of moved partitions, and the worst member's value."""

    name: str
    moves: int
    value: float


class Frontier(NamedTuple):
    """Content of the figure.

    `plans`: by moves; the last plan has no limit. `now`: value of the current owners, None if
    unknown. `homes`: number of partitions with a current owner. `floor`: reason for the lowest
    value, in a few words.
    """

    objective: str
    plans: Sequence[Plan]
    others: Sequence[Other]
    now: float | None
    homes: int
    floor: str


def finite_values(shown: Frontier) -> list[float]:
    """Return the values that the curve can show; empty if no plan and no assignor drains the
    group.
    """
    values = [number for plan in shown.plans for number in (plan.value, plan.bound)]
    return [
        value
        for value in (*values, *(other.value for other in shown.others), shown.now)
        if value is not None and isfinite(value)
    ]
