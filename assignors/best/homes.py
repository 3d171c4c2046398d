"""What stays at home: who keeps more than a value allows exceeds it, so a value needs moves. The largest leave first."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from evenkeel.assignors.arrays import stable_order
from evenkeel.assignors.best.problem import NEVER, NO_HOME, Problem, Value, descending, exact_sum, sums
from evenkeel.assignors.best.request import THOUSAND


@dataclass(frozen=True, eq=False)
class Homes:
    """Movable partitions by home, the largest size first.

    Parameters
    ----------
    size : int64 (n,)
    order : int64 (v,)
        Partitions in play.
    sums : int64 (v + 1,)
        Prefix sums of their sizes.
    first : int64 (M + 1,)
        Where each member's begin.
    load, count : int64 (M,)
        Size and number of all partitions at home, those that cannot move too.
    """

    size: np.ndarray
    order: np.ndarray
    sums: np.ndarray
    first: np.ndarray
    load: np.ndarray
    count: np.ndarray

    @cached_property
    def movable(self) -> np.ndarray:
        """int64 (M,): partitions at home that can move."""
        return np.diff(self.first)

    def left(self, taken: np.ndarray) -> np.ndarray:
        """Return what members have at home, int64 (M,), when each has given its largest."""
        return self.load - (self.sums[self.first[:-1] + taken] - self.sums[self.first[:-1]])

    def given(self, most: np.ndarray) -> np.ndarray:
        """Return int64 (M,): how many each member gives, largest first, until it has at most `most`.

        One more than it can where all are too few.
        """
        start = self.sums[self.first[:-1]]
        wanted = np.maximum(self.load - most, 0)
        place = np.searchsorted(self.sums, start + wanted)
        # Partitions of size 0 leave equal sums: searchsorted finds the first, which may lie before the member's own.
        count = np.maximum(place - self.first[:-1], 0)
        return np.minimum(count, self.movable + 1)


def homes_of(problem: Problem, size: np.ndarray) -> Homes:
    """Return the homes for sizes, int64 (n,), whose sum fits; those of the weights are kept."""
    if size is not problem.weight:
        return _homes_of(problem, size)
    if "homes" not in problem.known:
        problem.known["homes"] = _homes_of(problem, size)
    return problem.known["homes"]


def _homes_of(problem: Problem, size: np.ndarray) -> Homes:
    member_count, at_home = problem.cap.size, np.flatnonzero(problem.home != NO_HOME)
    rows = np.flatnonzero(problem.movable)
    rows = rows[descending(size[rows])]
    order = rows[stable_order(problem.home[rows])]
    first = np.concatenate(([0], np.cumsum(np.bincount(problem.home[order], minlength=member_count))))
    load = sums(problem.home[at_home], size[at_home], member_count)
    count = np.bincount(problem.home[at_home], minlength=member_count)
    return Homes(size, order, np.concatenate(([0], np.cumsum(size[order]))), first, load, count)


def moves_needed(problem: Problem, value: Value) -> int:
    """Return how many partitions leave their homes at least in any assignment of this value, or less."""
    if not can_size(problem, value):
        return 0
    homes, most = homes_at(problem, value)
    return int(np.minimum(given_at_least(problem, homes, most), homes.movable).sum())


def homes_at(problem: Problem, value: Fraction) -> tuple[Homes, np.ndarray]:
    """Return homes with the sizes that count at a value, and the most that each member may have of them to reach it."""
    if problem.objective == "lag":
        return homes_of(problem, problem.weight), np.full(problem.cap.size, value.numerator // value.denominator)
    if problem.objective == "rate":
        return homes_of(problem, problem.weight), np.array([c * value.numerator // value.denominator for c in problem.capacity.tolist()])
    ms = -(-value.numerator * THOUSAND // value.denominator)
    return homes_of(problem, drain_size(problem, ms)), problem.capacity * ms


def drain_size(problem: Problem, ms: int) -> np.ndarray:
    """Return sizes whose sum is at most capacity * ms exactly where a member is drained after so many milliseconds."""
    return problem.lag * (THOUSAND * THOUSAND) + problem.rate * ms


def given_at_least(problem: Problem, homes: Homes, most: np.ndarray) -> np.ndarray:
    """Return int64 (M,): how many each member gives at least to have at most `most`, and to be within its cap."""
    return np.maximum(homes.given(most), np.maximum(homes.count - problem.cap, 0))


def can_size(problem: Problem, value: Value) -> bool:
    """Tell whether the sizes that count at a value are int64."""
    return value != NEVER and (problem.objective != "drain" or 0 < value * THOUSAND < most_ms(problem) - 1)


def most_ms(problem: Problem) -> int:
    """Return the largest time at which sizes and their sums are int64; 0 where there is none."""
    room = (1 << 62) - exact_sum(problem.lag) * THOUSAND * THOUSAND
    return max(room, 0) // max(exact_sum(problem.rate), int(problem.capacity.max(initial=1)))


def left_after(homes: Homes, k: int) -> np.ndarray:
    """Return what each member keeps at least when it gives its k largest."""
    return homes.left(np.minimum(k, homes.movable))
