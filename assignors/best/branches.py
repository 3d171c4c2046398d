"""Exact answers for few partitions, by branch and bound over integers. A first search finds the
least value. A second search finds the fewest moves for a value within the tolerance.
"""

from fractions import Fraction

import numpy as np

from evenkeel.assignors.best.feasible import moves_needed
from evenkeel.assignors.best.objective import NEVER, Value
from evenkeel.assignors.best.problem import NO_HOME, Problem

FEW = 14
"""Largest number of partitions for which branch and bound tries every assignment."""

_MOST_STEPS = 400_000


class StepsExhausted(Exception):
    """Branch and bound has used all its steps."""


class Branches:
    """Depth-first search, largest partition first. It finds the least value that is possible with a
    given number of moves.
    """

    def __init__(self, problem: Problem, steps: int = _MOST_STEPS):
        self.problem, self.left = problem, steps
        rank = problem.aim.rank(problem.lag, problem.rate, problem.capacity)
        self.order = np.argsort(-rank, kind="stable").tolist()
        self.lag, self.rate = problem.lag[self.order].tolist(), problem.rate[self.order].tolist()
        self.home = problem.home[self.order].tolist()
        self.capacity = problem.capacity.tolist()
        allowed = [
            np.flatnonzero(problem.may_own[row]).tolist()
            for row in problem.class_of[self.order].tolist()
        ]
        # The home is tried first, so the first complete assignment has few moves.
        self.allowed = [
            sorted(members, key=home.__ne__)
            for members, home in zip(allowed, self.home, strict=False)
        ]
        kinds: dict[tuple, int] = {}
        rows = zip(problem.may_own.T.tolist(), self.capacity, problem.cap.tolist(), strict=False)
        self.kind = [
            kinds.setdefault((tuple(may_own), capacity, cap), len(kinds))
            for may_own, capacity, cap in rows
        ]
        self.last_home = [-1] * problem.cap.size
        for place, home in enumerate(self.home):
            self.last_home[home] = place if home != NO_HOME else self.last_home[home]
        # Sums of lag and rate of the remaining partitions, and their smallest lag and rate.
        self.rest = [
            (sum(self.lag[at:]), sum(self.rate[at:]), min(self.lag[at:]), min(self.rate[at:]))
            for at in range(len(self.order))
        ]

    def least(self, moves: int, most: Value, strictly: bool) -> tuple[Value, np.ndarray] | None:
        """Return the least value with at most `moves` moves, and the owners. None if every value
        exceeds `most`; with `strictly`, a value equal to `most` counts as too large.

        Raises
        ------
        StepsExhausted
            If all steps are used.
        """
        self.best, self.strictly = most, strictly
        self.found: list[int] | None = None
        members = self.problem.cap.size
        self.loads = [(0, 0)] * members
        self.room = self.problem.cap.tolist()
        self.owner = [NO_HOME] * len(self.order)
        self._branch(0, moves)
        if self.found is None:
            return None
        owner = np.empty(len(self.order), dtype=np.int64)
        owner[self.order] = self.found
        return self.best, owner

    def _branch(self, at: int, moves: int) -> None:
        self.left -= 1
        if self.left < 0:
            raise StepsExhausted
        if at == len(self.order):
            values = (
                self.problem.value_of(*self.loads[j], self.capacity[j]) for j in set(self.owner)
            )
            self.best = max(values, default=Fraction(0))
            self.found, self.strictly = self.owner.copy(), True
            return
        if not self._has_room(at):
            return
        tried = set()
        home, lag, rate = self.home[at], self.lag[at], self.rate[at]
        for j in self.allowed[at]:
            cost = int(home not in (NO_HOME, j))
            had = self.loads[j]
            alike = (self.kind[j], had, self.room[j]) if self.last_home[j] < at else (-1, j)
            if (
                cost > moves
                or not self.room[j]
                or alike in tried
                or not self._fits(j, had[0] + lag, had[1] + rate)
            ):
                continue
            tried.add(alike)
            self.loads[j], self.owner[at] = (had[0] + lag, had[1] + rate), j
            self.room[j] -= 1
            self._branch(at + 1, moves - cost)
            self.loads[j] = had
            self.room[j] += 1

    def _fits(self, j: int, lag: int, rate: int) -> bool:
        """Return whether member j with these sums of lag and rate would improve the best value so
        far. Without `strictly`, the same value is enough.
        """
        best = self.best
        if best == NEVER:
            return not self.strictly or self.problem.value_of(lag, rate, self.capacity[j]) != NEVER
        given, most = self.problem.aim.compared(best, lag, rate, self.capacity[j])
        return given < most or (given == most and not self.strictly)

    def _has_room(self, at: int) -> bool:
        """Return whether the members can take all remaining partitions and stay at or below the
        best value so far. A member without room for the smallest remaining partition counts as
        full.
        """
        best, (lag, rate, least_lag, least_rate) = self.best, self.rest[at]
        if best == NEVER:
            return True
        by_lag, by_rate, by_capacity = self.problem.aim.factors(best)
        smallest = least_lag * by_lag + least_rate * by_rate
        free = 0
        for (had_lag, had_rate), room, capacity in zip(
            self.loads, self.room, self.capacity, strict=False
        ):
            left = (
                (capacity * by_capacity if by_capacity else best.numerator)
                - had_lag * by_lag
                - had_rate * by_rate
            )
            free += left if room and left >= smallest else 0
        return free >= lag * by_lag + rate * by_rate


def by_branches(
    problem: Problem, start: np.ndarray | None
) -> tuple[np.ndarray, Value, bool] | None:
    """Return (owners, least value, whether it is proved that no assignment needs fewer moves).

    Of the assignments within the tolerance of the least value, the returned owners have the
    fewest moves, then the smallest value. None if the steps ran out before the least value was
    proved. `start`: a known assignment within the limits.
    """
    search = Branches(problem)
    most_moves = problem.n if problem.moves is None else problem.moves
    known = problem.worst(start)[0] if start is not None else NEVER
    try:
        better = search.least(most_moves, known, strictly=start is not None)
    except StepsExhausted:
        return None
    if better is not None:
        least, owner = better
    elif start is not None:
        least, owner = known, start
    else:
        return None
    if least == NEVER:
        limit = NEVER
    else:
        limit = least * (1 + Fraction(repr(float(problem.request.tolerance))))
    try:
        for moves in range(moves_needed(problem, limit), problem.moves_of(owner)):
            best = search.least(moves, limit, strictly=False)
            if best:
                return best[1], least, True
        best = search.least(problem.moves_of(owner), least, strictly=True)
    except StepsExhausted:
        return owner, least, False
    return owner, least, True
