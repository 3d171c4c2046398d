"""Data of a figure: the best plan for every number of moves."""

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple


class Plan(NamedTuple):
    """The best known plan for a number of moves. `value`: value of the worst member. `bound`: no
    plan has a lower value. Infinite means never.
    """

    moves: int
    value: float
    bound: float
    is_proved: bool


class Other(NamedTuple):
    """An assignor as a point of the figure: its number of moved partitions, and the value of its
    worst member.
    """

    name: str
    moves: int
    value: float


class Frontier(NamedTuple):
    """Content of the figure.

    `plans`: sorted by moves; the last plan has no limit of moves. `now`: value of the current
    owners, None if unknown. `homes`: number of partitions that have a current owner. `floor`: why
    no value is lower, in a few words.
    """

    objective: str
    plans: Sequence[Plan]
    others: Sequence[Other]
    now: float | None
    homes: int
    floor: str


def finite_values(shown: Frontier) -> list[float]:
    """Return the values that the curve can show. Empty if neither a plan nor an assignor drains the
    group.
    """
    values = [number for plan in shown.plans for number in (plan.value, plan.bound)]
    return [
        value
        for value in (*values, *(other.value for other in shown.others), shown.now)
        if value is not None and isfinite(value)
    ]
