"""The best plan for every number of moves, as a figure shows it."""

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple


class Plan(NamedTuple):
    """The best plan that is known for a number of moves, and its bound; values of the worst member,
    infinite for never.
    """

    moves: int
    value: float
    bound: float
    is_proved: bool


class Other(NamedTuple):
    """What an assignor does: partitions that it moves, the value of its worst member."""

    name: str
    moves: int
    value: float


class Frontier(NamedTuple):
    """What the figure shows.

    `plans`: by moves, the last plan with no limit. `now`: the value of the present owners, None if
    unknown. `homes`: partitions with a present owner. `floor`: the reason for the lowest value, in
    a few words.
    """

    objective: str
    plans: Sequence[Plan]
    others: Sequence[Other]
    now: float | None
    homes: int
    floor: str


def finite_values(shown: Frontier) -> list[float]:
    """Return what the curve can show: nothing if no plan and no assignor drains the group."""
    values = [one for plan in shown.plans for one in (plan.value, plan.bound)]
    return [
        value
        for value in (*values, *(other.value for other in shown.others), shown.now)
        if value is not None and isfinite(value)
    ]
