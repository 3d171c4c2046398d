"""The search for the best assignment. It builds many first assignments, improves the best of them,
and searches small groups exactly.

The objective gives each member a value: its lag, its rate or its drain time. The value of an
assignment is the value of its worst member. A partition is in play if at least one member may
own it. Its home is the present owner, if this member may own it.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.best.answer import Best
from evenkeel.assignors.best.bounds import ALL_UNIONS, LowerBound, largest_of, lower_bounds
from evenkeel.assignors.best.branches import FEW, by_branches
from evenkeel.assignors.best.candidates import MANY, Candidate, Candidates
from evenkeel.assignors.best.descent import (
    Loads,
    descend,
    send_home,
    sizes,
    suspect_sets,
)
from evenkeel.assignors.best.exact import (
    MOST_PAIRS,
    Limits,
    by_solver,
    fewer_moves,
    level_sets,
    solver,
    solver_version,
)
from evenkeel.assignors.best.feasible import can_size, homes_at, moves_needed, with_fewest_moves
from evenkeel.assignors.best.objective import NEVER, Value
from evenkeel.assignors.best.problem import NO_HOME, Problem, Progress, Stop, problem_of
from evenkeel.assignors.best.request import Request
from evenkeel.assignors.best.start import around_largest, from_owners, from_scratch, placed
from evenkeel.assignors.best.steps import (
    Began,
    Enumeration,
    MadeRoom,
    PartitionLimit,
    SolverAnswer,
    Took,
)
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.trace import recording


def best(
    group: GroupSnapshot,
    request: Request = Request(),
    starts: Sequence[Assignment] = (),
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Best:
    """Find the best assignment.

    `starts`: assignments of assignors, as first candidates. The result is never worse than a start
    that keeps the limits.

    Raises
    ------
    RequestError
        If the request does not fit the group.
    Infeasible
        If no assignment is within the limits.
    """
    problem = problem_of(group, request)
    return Search(problem, progress, stop).run(
        [start.owner[problem.tp].astype(np.int64) for start in starts]
    )


_LOOKS = 300
"""The solver ends after this number of checks, which take up to 3 seconds."""


class Search(Candidates):
    """One search for the best assignment."""

    def __init__(
        self,
        problem: Problem,
        progress: Progress | None = None,
        stop: Stop | None = None,
        looks: int = _LOOKS,
        good: Value | None = None,
    ):
        super().__init__(problem, progress, stop, good)
        self.looks = looks

    def run(self, starts: Sequence[np.ndarray], most: Value = NEVER) -> Best:
        """Search with all methods that the size of the group allows, and return the best
        assignment. `most`: the value of a known start; no worse assignment is returned.
        """
        with recording(self.told):
            self._search(starts)
        return self.result(most)

    def _search(self, starts: Sequence[np.ndarray]) -> None:
        problem = self.problem
        if problem.request.partitions_per_member is not None:
            owner = with_fewest_moves(problem)
            self.add(owner, self._of_each(owner, PartitionLimit))
        for number, start in enumerate(starts):
            if problem.keeps_limits(start):
                self.add(start, self._of_each(start, Began, number))
        if problem.n <= FEW:
            self._try_everything()
        else:
            self._descend()
            if problem.n * problem.members.size <= _CHEAP:
                self._descend_with_fewer_moves()
            if problem.n * problem.members.size <= MOST_PAIRS:
                self._ask_solver()

    # Small groups: exact search.

    def _try_everything(self) -> None:
        problem = self.problem
        if not problem.n:
            self.add(np.empty(0, dtype=np.int64))
            return
        self._descend()
        result = by_branches(
            problem,
            min(self.candidates, key=lambda candidate: (candidate.value, candidate.moves)).owner,
        )
        if result is None:
            return
        owner, least, is_fewest = result
        self.bounds.append(LowerBound("search", least))
        self.add(owner, self._of_each(owner, Enumeration))
        if is_fewest:
            self.fewest_known = problem.moves_of(owner)

    # Any group: many starts, few descents.

    def _descend(self) -> None:
        self._descend_from_starts()
        self._bound_by_sets()

    def _descend_from_starts(self) -> None:
        for owner in self._starts():
            self._offer(owner)
            if self.must_stop():
                break
        self._improve()

    def _starts(self) -> Iterator[np.ndarray]:
        problem = self.problem
        if (problem.home != NO_HOME).any():
            self._from_owners()
            yield from self._around_largest()
        if (
            problem.moves is None
            or problem.moves >= int(np.count_nonzero(problem.movable))
            or not (problem.home != NO_HOME).any()
        ):
            self._take()
            scratch = from_scratch(problem)
            if scratch is not None:
                yield scratch

    def _from_owners(self) -> None:
        """Try assignments in which each member above a level gives partitions away until its value
        is at most the level. A bisection finds the lowest level for which this works.
        """
        problem = self.problem
        nothing_moves = self._placed_homeless()
        first = self._offer(nothing_moves) if nothing_moves is not None else None
        high = first.value if first else NEVER
        if self.bound == NEVER:
            return
        low, high = (
            self.target or Fraction(1, 1000),
            high if high != NEVER else _most_value(problem),
        )
        ladder = [low]
        for _ in range(_BISECTIONS if problem.n <= MANY else 2):
            level = ladder.pop() if ladder else (low + high) / 2
            fits = False
            for owner in self._at_level(level):
                candidate = self._offer(owner)
                fits = fits or (candidate is not None and candidate.value <= level * _FITS)
            if fits:
                high = level
            else:
                low = max(low, level)
            if high <= low * _FITS or self.must_stop():
                return

    def _around_largest(self) -> Iterator[np.ndarray]:
        """Yield assignments for each of a few large partitions. In the first, the partition stays
        and its owner gives other partitions away. In the second, a member gives partitions away and
        gets the large partition.
        """
        problem, k = self.problem, self.problem.moves
        if k is None or not 0 < k <= _FEW_MOVES or not problem.aim.is_sum:
            return
        for place in largest_of(problem.weight, _LARGEST):
            for given, taker in around_largest(problem, place, k):
                owner = problem.home.copy()
                owner[given] = NO_HOME
                if taker is not None:
                    owner[place] = taker
                self._tell_of_room(owner, place, given)
                loose = np.flatnonzero(owner == NO_HOME)
                placement = placed(
                    problem,
                    owner,
                    loose[np.argsort(-problem.weight[loose], kind="stable")],
                    problem.weight,
                )
                if placement is not None:
                    yield placement

    def _tell_of_room(self, owner: np.ndarray, place: int, given: np.ndarray) -> None:
        """Trace who takes a large partition, and which partitions this member gives away for it."""
        if not self.told:
            return
        self.told.take()
        problem, large = self.problem, int(self.problem.tp[place])
        for row in (
            np.array(given)[self.told.places(problem.tp[given])].tolist() if len(given) else ()
        ):
            self.told.add(problem.tp[row], MadeRoom(-1, int(problem.home[row]), len(given), large))
        if owner[place] not in (NO_HOME, problem.home[place]) and self.told.watches(large):
            self.told.add(large, Took(int(owner[place])))

    def _placed_homeless(self) -> np.ndarray | None:
        problem = self.problem
        loose, size = np.flatnonzero(problem.home == NO_HOME), sizes(problem, self.bound)
        return placed(problem, problem.home, loose[np.argsort(-size[loose], kind="stable")], size)

    def _at_level(self, level: Fraction) -> Iterator[np.ndarray]:
        if not can_size(self.problem, level):
            return iter(())
        homes, most = homes_at(self.problem, level)
        return from_owners(self.problem, homes, most, homes.size, level)

    def _improve(self) -> None:
        """Improve the best candidates by descent. Then return partitions to their homes if the
        value allows it.
        """
        ranked = sorted(self.candidates, key=self.rank)
        chosen = ranked[:_DESCENTS] if self.problem.n <= MANY else ranked[:1]
        fewest = min(ranked, key=lambda candidate: (candidate.moves, candidate.value), default=None)
        for candidate in chosen if fewest is None or fewest in chosen else [*chosen, fewest]:
            if candidate.value > self.target or candidate.moves:
                self._improved(candidate)
            if self.must_stop():
                return

    def _improved(self, candidate: Candidate) -> None:
        """Improve one candidate by descent. Then return partitions to their homes if the value
        allows it, and repeat with the moves that are free again. Stop when the value no longer
        falls.
        """
        problem, value = self.problem, candidate.value
        loads, steps = Loads(problem, candidate.owner, value), candidate.steps
        self._take()
        for _ in range(_ROUNDS if problem.n <= MANY else 1):
            reached = descend(
                loads,
                loads.limit(self.target),
                _STEPS_EACH + 4 * problem.members.size,
                self.must_stop,
            )
            steps = (*steps, *self._take())
            self.add(loads.owner.copy(), steps)
            before, value = value, problem.worst(loads.owner)[0]
            if value == NEVER or not loads.moves:
                return
            send_home(loads, loads.limit(max(value, self.target) if reached == "bound" else value))
            steps = (*steps, *self._take())
            self.add(loads.owner.copy(), steps)
            if reached != "steps" or value >= before or self.ended:
                return

    def _bound_by_sets(self) -> None:
        """Add bounds for sets of members, such as all possible owners of the worst member's
        partitions.
        """
        if len(self.problem.may_own) < 2 or not self.candidates:
            return
        best_one = min(self.candidates, key=lambda candidate: candidate.value)
        if best_one.value <= self.bound:
            return
        sets = suspect_sets(self.problem, best_one.owner, best_one.worst)
        self.bounds = lower_bounds(self.problem, sets)
        if (
            len(self.problem.may_own) > ALL_UNIONS
            and best_one.value > self.bound
            and not self.must_stop()
        ):
            for _ in range(1 if self.problem.aim.is_sum else _NEWTON):
                before = self.bound
                sets = [*sets, *level_sets(self.problem, before, self._limits())]
                self.bounds = lower_bounds(self.problem, sets)
                if self.bound == before:
                    return

    def _descend_with_fewer_moves(self) -> None:
        """Bisect for the lowest limit on moves for which the value stays as good."""
        chosen = min(self.candidates, key=self.rank, default=None)
        if chosen is None or chosen.value == NEVER:
            return
        low = 0
        while not self.must_stop():
            good = max(chosen.value, self.target)
            low = max(low, moves_needed(self.problem, good))
            if low >= chosen.moves:
                return
            limit = (low + chosen.moves) // 2
            candidates = [
                candidate for candidate in self._descended(limit, good) if candidate.value <= good
            ]
            if candidates:
                chosen = min(candidates, key=self.rank)
                self.add(chosen.owner, chosen.steps)
            else:
                low = limit + 1

    def _descended(self, moves: int, good: Value) -> list[Candidate]:
        """Return the candidates of a search with at most `moves` moves. The search ends when it
        reaches the value `good`. It starts from the candidates so far.
        """
        problem = replace(
            self.problem, moves=moves, request=replace(self.problem.request, moves=moves)
        )
        limited = Search(problem, stop=self.must_stop, good=good)
        if limited.bound > good:
            return []
        for candidate in self.candidates:
            if candidate.moves <= moves:
                limited.add(candidate.owner, candidate.steps)
        with recording(limited.told):
            limited._descend_from_starts()
        return limited.candidates

    # Groups of medium size: HiGHS.

    def _ask_solver(self) -> None:
        best_one = min(self.candidates, key=lambda candidate: (candidate.value, candidate.moves))
        if solver() is None or self.must_stop() or best_one.value == NEVER:
            return
        if best_one.value > self.target:
            owners, bound, status = by_solver(
                self.problem, best_one.owner, best_one.value, self._limits()
            )
            for owner in owners:
                self.add(owner, self._of_each(owner, SolverAnswer))
            if bound is not None:
                about = {"solver": solver_version(), "status": status, "tolerance": 1e-6}
                self.bounds.append(LowerBound("solver", bound, about))
        chosen = min(self.candidates, key=self.rank)
        limit = max(chosen.value, self.target)
        if chosen.moves > moves_needed(self.problem, limit) and not self.must_stop():
            fewer = fewer_moves(self.problem, chosen.owner, limit, self._limits())
            if fewer is not None and self.problem.worst(fewer)[0] <= limit:
                self.add(fewer, self._of_each(fewer, SolverAnswer))

    def _limits(self) -> Limits:
        seconds = (
            _SOLVER_SECONDS
            if self.until is None
            else max(min(self.until - time.monotonic(), _SOLVER_SECONDS), 0.01)
        )
        return Limits(self.looks, seconds, self.must_stop)


_CHEAP = 50_000
"""Largest product of partitions and members for which the search tries lower limits on moves."""

_BISECTIONS = 12
_FEW_MOVES = 64
_LARGEST = 3
_DESCENTS = 3
_ROUNDS = 12
_STEPS_EACH = 2000
_SOLVER_SECONDS = 60.0
_NEWTON = 6
"""Largest number of rounds in which drain tries sets of members. Each round starts at the bound of
the previous round and can raise it.
"""

_FITS = 1 + Fraction(1, 10**7)


def _most_value(problem: Problem) -> Value:
    """Return an upper limit for the search: the value if one member owned all partitions."""
    lag, rate = int(problem.lag.sum()), int(problem.rate.sum())
    return problem.aim.above(lag, rate, int(problem.capacity.min()))
