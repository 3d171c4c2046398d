"""How many members help: the best value with N equal members. Every member may own every partition
in play; present owners and limits are ignored.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from evenkeel.assignors.best.bounds import best_of, lower_bounds
from evenkeel.assignors.best.branches import FEW, by_branches
from evenkeel.assignors.best.descent import Loads, descend
from evenkeel.assignors.best.objective import NEVER, Value
from evenkeel.assignors.best.problem import NO_HOME, Problem, Progress, Stop, problem_of
from evenkeel.assignors.best.request import Request
from evenkeel.assignors.best.start import from_scratch
from evenkeel.assignors.group import GroupSnapshot

_ALL, _HALF = 64, 32
_STEPS = 200


@dataclass(frozen=True)
class Size:
    """The best value with N members, and its lower bound."""

    members: int
    value: Value
    bound: Value


@dataclass(frozen=True)
class RightSize:
    """The best value for each number of members.

    Parameters
    ----------
    floor : Fraction or `NEVER`
        The value of a member that owns only the largest partition. More members cannot lower the
        value below the floor.
    useful : (int or None, int or None)
        Two numbers of members. With fewer members than the first number, the floor is proved to be
        out of reach. The second number is the smallest with which an assignment that reaches the
        floor is known. None if there is no such number.
    within : (int or None, int or None) or None
        The same two numbers for the requested value. None if no value is requested.
    """

    points: tuple[Size, ...]
    floor: Value
    useful: tuple[int | None, int | None]
    within: tuple[int | None, int | None] | None


def right_size(
    group: GroupSnapshot,
    request: Request = Request(),
    members: Sequence[int] | None = None,
    within: Fraction | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> RightSize:
    """Return the best value for each number in `members`, or for numbers from 1 to the number of
    partitions if `members` is None. Of the request, only the objective and the rates are used.
    """
    problem = problem_of(group, Request(request.objective, request.rates))
    sizes = _Sizes(problem, progress, stop)
    points: list[Size] = []
    for number in sorted(set(default_numbers(problem.n) if members is None else members)):
        if points and stop and stop():
            break
        points.append(sizes.at(number))
        if points[-1].value == sizes.floor and progress:
            progress(points[-1].value, points[-1].bound)
    useful = (None, None) if sizes.floor == NEVER else sizes.least(sizes.floor)
    return RightSize(
        tuple(points), sizes.floor, useful, None if within is None else sizes.least(within)
    )


def default_numbers(n: int) -> list[int]:
    """Return 1 … n if n is at most 64, else 1 … 32 and 32 geometric steps up to n."""
    if n <= _ALL:
        return list(range(1, n + 1))
    return sorted(
        {
            *range(1, _HALF + 1),
            *(round(_HALF * (n / _HALF) ** (step / _HALF)) for step in range(1, _HALF + 1)),
        }
    )


class _Sizes:
    """Values and bounds by number of members, computed only when needed and only once."""

    def __init__(self, problem: Problem, progress: Progress | None, stop: Stop | None):
        self.problem, self.progress, self.stop = problem, progress, stop or bool
        capacities = np.sort(problem.capacity[problem.members])
        self.capacity = int(capacities[(capacities.size - 1) // 2]) if capacities.size else 1000
        self.known: dict[int, Size] = {}
        alone = self.problem_with(1)
        self.floor = next(
            (bound.value for bound in lower_bounds(alone) if bound.name == "largest"), Fraction(0)
        )
        self.reached: int | None = None

    def problem_with(self, number: int) -> Problem:
        """Return the same problem with `number` equal members."""
        problem, none = self.problem, np.full(self.problem.n, NO_HOME, dtype=np.int64)
        return replace(
            problem,
            capacity=np.full(number, self.capacity, dtype=np.int64),
            class_of=np.zeros(problem.n, dtype=np.int64),
            may_own=np.ones((1, number), dtype=bool),
            owner_now=none,
            home=none,
            movable=np.zeros(problem.n, dtype=bool),
            cap=np.full(number, problem.n, dtype=np.int64),
            moves=None,
            known={},
        )

    def at(self, number: int) -> Size:
        """Return the value and the bound for `number` members. If a smaller number of members
        reaches the floor, both are the floor.
        """
        if number not in self.known:
            if self.reached is not None and number >= self.reached:
                return Size(number, self.floor, self.floor)
            self.known[number] = size = self._found(number)
            if size.value == self.floor and size.bound == self.floor:
                self.reached = number
        return self.known[number]

    def _found(self, number: int) -> Size:
        problem = self.problem_with(number)
        if not problem.n:
            return Size(number, Fraction(0), Fraction(0))
        bound = best_of(lower_bounds(problem)).value
        owner = from_scratch(problem)
        assert owner is not None
        value = problem.worst(owner)[0]
        if value > bound and problem.n <= FEW and (tried := by_branches(problem, owner)):
            return Size(number, tried[1], tried[1])
        target = bound * (1 + Fraction(1, 1000)) if bound != NEVER else bound
        if value > target:
            loads = Loads(problem, owner, value)
            descend(loads, loads.limit(target), _STEPS, self.stop)
            value = problem.worst(loads.owner)[0]
        # One member may stay idle, so more members are never worse than fewer members.
        fewer = [size.value for other, size in self.known.items() if other < number]
        return Size(number, min([value, *fewer]), bound)

    def least(self, value: Value) -> tuple[int | None, int | None]:
        """Return two numbers of members: the smallest number whose bound is at most `value`, and
        the smallest number with which this value is reached. None if even one member per partition
        is not enough.
        """
        return (
            self._least(lambda size: size.bound <= value),
            self._least(lambda size: size.value <= value),
        )

    def _least(self, holds: Callable[[Size], bool]) -> int | None:
        low, high = 0, max(self.problem.n, 1)
        if not holds(self.at(high)):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if holds(self.at(middle)) else (middle, high)
        return high
