"""The answer of a search for the best assignment, and the order of its moves. Also a comparison of
the best assignments for two objectives.
"""

import heapq
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.best.bounds import LowerBound, best_of
from evenkeel.assignors.best.objective import NEVER, Lag, Value
from evenkeel.assignors.best.problem import NO_HOME, Problem
from evenkeel.assignors.best.request import Rates, Request

_OF_ONE = "largest", "largest_moves"
"""Bounds that come from a single partition."""

_NEAR = Fraction(1, 10**6)
"""A value is proved to be the best if it exceeds the bound by at most this part of the value."""


@dataclass(frozen=True, eq=False)
class Best:
    """An assignment that keeps the limits of the request, and a lower bound: no such assignment has
    a smaller value.

    Parameters
    ----------
    problem : Problem
    owner : int64 (n,)
        Member that gets each partition of `problem.tp`.
    value, bound : Fraction or `NEVER`
        `value`: the value of the worst member. `bound`: the largest of `bounds`.
    worst : int
        The first member that has `value`; -1 without members.
    bounds : tuple of LowerBound
    moves, moves_bound : int
        `moves`: number of partitions that leave a present owner who could keep them. `moves_bound`:
        no assignment with this value needs fewer moves.
    stopped : str
        Why the search ended: `bound`, `steps`, `time` or `stop`.
    """

    problem: Problem
    owner: np.ndarray
    value: Value
    worst: int
    bounds: tuple[LowerBound, ...]
    moves: int
    moves_bound: int
    stopped: str

    @property
    def assignment(self) -> Assignment:
        """Owners of all partitions of the snapshot. Partitions not in play are unassigned."""
        return self.problem.whole(self.owner)

    @property
    def bound(self) -> Value:
        return self.bound_by.value

    @property
    def bound_by(self) -> LowerBound:
        """The largest bound."""
        return best_of(self.bounds)

    @property
    def hot(self) -> int | None:
        """The partition that decides the largest bound, if its own value exceeds the bound `mean`;
        else None.

        With such a partition, more members do not help.
        """
        by, mean = self.bound_by, next(bound for bound in self.bounds if bound.name == "mean")
        largest = next((bound for bound in self.bounds if bound.name == "largest"), mean)
        return by.proof["partition"] if by.name in _OF_ONE and largest.value > mean.value else None

    @property
    def never(self) -> bool:
        return self.value == NEVER

    @property
    def unknown(self) -> int:
        """Number of partitions with unknown lag or rate. If above 0, the value is a lower bound of
        the true value.
        """
        return self.problem.unknown_count

    @property
    def is_proved(self) -> bool:
        """Whether it is proved that no assignment within the limits has a smaller value."""
        if self.unknown:
            return False
        return self.bound == NEVER if self.never else self.value - self.bound <= self.value * _NEAR

    @property
    def gap(self) -> float | None:
        """value / bound - 1. None if a lag or rate is unknown, if the value is `NEVER`, or if the
        bound is 0 and the value is not.
        """
        if self.unknown or self.never or (not self.bound and self.value):
            return None
        return float(self.value / self.bound - 1) if self.bound else 0.0

    @cached_property
    def current_value(self) -> Value | None:
        """The value of the current assignment. None if no partition in play has an owner."""
        problem = self.problem
        members = np.unique(problem.owner_now[problem.owner_now != NO_HOME]).tolist()
        if not members:
            return None
        lag, rate = problem.loads_now()
        return max(problem.value_of(lag[j], rate[j], problem.capacity[j]) for j in members)

    @cached_property
    def moved(self) -> np.ndarray:
        """Row numbers (int64) of the partitions that change owner or have no owner now."""
        return self.problem.tp[self.owner != self.problem.owner_now]


# Comparison of two objectives. The best plan for lag may be bad for rates, so each plan is measured
# under both objectives.


_ALIKE = Fraction(1, 100)
"""Two plans are equally good if their values differ by less than this part, or for drain by less
than a second.
"""


def counterpart(request: Request, rates: Rates | None) -> Request | None:
    """Return the request with the same limits and the other objective. None if the rates are
    unknown.

    For lag, the other objective is drain, or rate if the capacities are unknown. For rate and
    drain, it is lag.
    """
    if rates is None:
        return None
    by_rates = "rate" if rates.capacity is None else "drain"
    return replace(
        request, objective=by_rates if request.objective == Lag.name else Lag.name, rates=rates
    )


@dataclass(frozen=True, eq=False)
class Beside:
    """Two best assignments of one group: the same limits, two objectives."""

    mine: Best
    other: Best

    @property
    def mine_for_other(self) -> Value:
        """The value of the assignment `mine` under the objective of `other`."""
        return self.other.problem.worst(self.mine.owner)[0]

    @property
    def other_for_mine(self) -> Value:
        """The value of the assignment `other` under the objective of `mine`."""
        return self.mine.problem.worst(self.other.owner)[0]

    @property
    def disagree(self) -> bool:
        """Whether `mine` is worse under the objective of `other`, and `other` is worse under the
        objective of `mine`.
        """
        return _is_worse(self.mine_for_other, self.other) and _is_worse(
            self.other_for_mine, self.mine
        )


def _is_worse(value: Value, best: Best) -> bool:
    return not best.never and (
        value == NEVER
        or value > max(best.value * (1 + _ALIKE), best.value + best.problem.aim.grain)
    )


# Order of a plan's moves: each move lowers the highest value as much as a single move can.


@dataclass(frozen=True)
class Step:
    """One move.

    `tp`: row number of the partition. `giver`, `taker`: members. `worst`: the worst member before
    the move. `value`: the value of the worst member after the move.
    """

    tp: int
    giver: int
    taker: int
    worst: int
    value: Value


def in_order(problem: Problem, owner: np.ndarray, most: int = 500) -> list[Step]:
    """Return the first `most` moves from the present assignment to `owner`, int64 (n,).

    If a partition has no present owner who may keep it, it has its new owner from the start and is
    not a move.
    """
    at = np.where(problem.home == NO_HOME, owner, problem.home)
    lag, rate = (sums.tolist() for sums in problem.loads(at))
    capacity = problem.capacity.tolist()

    def value(member: int, tp: int | None = None, sign: int = 1) -> Value:
        more = (0, 0) if tp is None else (sign * int(problem.lag[tp]), sign * int(problem.rate[tp]))
        return problem.value_of(lag[member] + more[0], rate[member] + more[1], capacity[member])

    waiting: dict[int, list[int]] = {}
    for tp in np.flatnonzero(at != owner).tolist():
        waiting.setdefault(int(at[tp]), []).append(tp)
    worst = [(-value(member), member) for member in problem.members.tolist()]
    givers = [(-value(member), member) for member in waiting]
    for heap in (worst, givers):
        heapq.heapify(heap)
    steps: list[Step] = []
    while waiting and len(steps) < most:
        before = _top(worst, value)
        giver = _top(givers, value)
        tp = min(
            waiting[giver],
            key=lambda candidate: (
                max(value(giver, candidate, -1), value(int(owner[candidate]), candidate)),
                value(giver, candidate, -1),
                candidate,
            ),
        )
        taker = int(owner[tp])
        waiting[giver].remove(tp)
        for member, sign in ((giver, -1), (taker, 1)):
            lag[member] += sign * int(problem.lag[tp])
            rate[member] += sign * int(problem.rate[tp])
            heapq.heappush(worst, (-value(member), member))
            if waiting.get(member):
                heapq.heappush(givers, (-value(member), member))
        if not waiting[giver]:
            del waiting[giver]
            givers = [entry for entry in givers if entry[1] != giver]
            heapq.heapify(givers)
        steps.append(Step(int(problem.tp[tp]), giver, taker, before, value(_top(worst, value))))
    return steps


def _top(heap: list[tuple[Value, int]], value) -> int:
    """Return the member with the largest value. Remove outdated entries from the heap."""
    while -heap[0][0] != value(heap[0][1]):
        heapq.heappop(heap)
    return heap[0][1]
