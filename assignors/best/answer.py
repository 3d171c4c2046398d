"""What a search answers: an assignment, its value, and what no assignment within the limits can be below."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.best.bounds import Bound, best_of
from evenkeel.assignors.best.problem import NEVER, NO_HOME, Problem, Value
from evenkeel.assignors.best.request import Rates, Request

_OF_ONE = "largest", "largest_moves"
"""Bounds that one partition sets."""

_NEAR = Fraction(1, 10**6)
"""A value so near to its bound is proved."""


@dataclass(frozen=True, eq=False)
class Best:
    """An assignment within the limits, and what no assignment within them can be below.

    Parameters
    ----------
    problem : Problem
    owner : int64 (n,)
        Member of each partition in play, `problem.tp`.
    value, bound : Fraction or `NEVER`
        The worst member's value, and the largest of `bounds`.
    worst : int
        The first member with that value, -1 without members.
    bounds : tuple of Bound
    moves, moves_bound : int
        Partitions that leave their home, and the fewest that any assignment of this value moves.
    stopped : str
        Why the search ended: `bound`, `steps`, `time` or `stop`.
    """

    problem: Problem
    owner: np.ndarray
    value: Value
    worst: int
    bounds: tuple[Bound, ...]
    moves: int
    moves_bound: int
    stopped: str

    @property
    def assignment(self) -> Assignment:
        """Owners of all partitions of the snapshot; those not in play are unassigned."""
        return self.problem.whole(self.owner)

    @property
    def bound(self) -> Value:
        return self.bound_by.value

    @property
    def bound_by(self) -> Bound:
        """The bound that is largest."""
        return best_of(self.bounds)

    @property
    def hot(self) -> int | None:
        """The partition in play that alone is the bound, where that is more than the mean: more members help nobody. None for none."""
        by, mean = self.bound_by, next(one for one in self.bounds if one.name == "mean")
        largest = next((one for one in self.bounds if one.name == "largest"), mean)
        return by.proof["partition"] if by.name in _OF_ONE and largest.value > mean.value else None

    @property
    def never(self) -> bool:
        return self.value == NEVER

    @property
    def unknown(self) -> int:
        """Partitions whose lag or rate is unknown: the value is then a lower bound of what it stands for."""
        return self.problem.unknown_count

    @property
    def is_proved(self) -> bool:
        """Whether no assignment within the limits has a smaller value."""
        if self.unknown:
            return False
        return self.bound == NEVER if self.never else self.value - self.bound <= self.value * _NEAR

    @property
    def gap(self) -> float | None:
        """value / bound - 1; None where unknown, never, or the bound is 0 below a positive value."""
        if self.unknown or self.never or (not self.bound and self.value):
            return None
        return float(self.value / self.bound - 1) if self.bound else 0.0

    @cached_property
    def current_value(self) -> Value | None:
        """The value of the owners now; None where no partition in play has one."""
        return current_value(self.problem)

    @cached_property
    def moved(self) -> np.ndarray:
        """Rows of the snapshot, int64: partitions whose owner differs from now, those without an owner now too."""
        return self.problem.tp[self.owner != self.problem.owner_now]


def current_value(problem: Problem) -> Value | None:
    """Return the value of the owners now; None where no partition in play has one."""
    rows = np.flatnonzero(problem.owner_now != NO_HOME)
    if not rows.size:
        return None
    lag, rate = problem.loads_now()
    members = np.unique(problem.owner_now[rows]).tolist()
    return max(problem.value_of(lag[j], rate[j], problem.capacity[j]) for j in members)


# Two aims side by side: where rates and lag want different plans, what each plan is worth under both.


_ALIKE, _SECOND = Fraction(1, 100), 1
"""A plan that is worse by less than this part, or drained less than a second later, is as good."""


def counterpart(request: Request, rates: Rates | None) -> Request | None:
    """Return the request with the same limits and the other aim: lag, or what rates say, a drain where capacities are known.

    None where the rates are unknown.
    """
    if rates is None:
        return None
    by_rates = "rate" if rates.capacity is None else "drain"
    return replace(request, objective=by_rates if request.objective == "lag" else "lag", rates=rates)


@dataclass(frozen=True, eq=False)
class Beside:
    """The best assignments of one group and the same limits for two aims."""

    mine: Best
    other: Best

    @property
    def mine_for_other(self) -> Value:
        """What the plan for the first aim is worth under the other one."""
        return self.other.problem.worst(self.mine.owner)[0]

    @property
    def other_for_mine(self) -> Value:
        """What the plan for the other aim is worth under the first one."""
        return self.mine.problem.worst(self.other.owner)[0]

    @property
    def disagree(self) -> bool:
        """Whether neither plan is as good for both aims."""
        return _is_worse(self.mine_for_other, self.other) and _is_worse(self.other_for_mine, self.mine)


def _is_worse(value: Value, best: Best) -> bool:
    least = _SECOND if best.problem.objective == "drain" else 0
    return not best.never and (value == NEVER or value > max(best.value * (1 + _ALIKE), best.value + least))
