"""Candidates of a search: assignments within the limits. Also the lower bounds of the search."""

import time
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from evenkeel.assignors.best.answer import Best
from evenkeel.assignors.best.bounds import LowerBound, best_of, lower_bounds
from evenkeel.assignors.best.descent import evened_out
from evenkeel.assignors.best.feasible import moves_needed
from evenkeel.assignors.best.objective import NEVER, Value
from evenkeel.assignors.best.problem import NO_HOME, Problem, Progress, Stop
from evenkeel.assignors.best.steps import OwnerWeight
from evenkeel.assignors.trace import Step, Trace, asked, recording

MANY = 200_000
"""With more partitions, a search has fewer starts, one descent, and may store a candidate twice."""

Steps = tuple[tuple[int, Step], ...]
"""Pairs (row number of a partition, step) in the order of the steps."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """An assignment within the limits: owners (int64 (n,)), value, the worst member, the number of
    moves, and the traced steps of the search that led to the assignment.
    """

    owner: np.ndarray
    value: Value
    worst: int
    moves: int
    steps: Steps


class Candidates:
    """The known candidates and bounds of a search."""

    def __init__(
        self,
        problem: Problem,
        progress: Progress | None,
        stop: Stop | None,
        good: Value | None,
    ):
        self.problem, self.progress, self.good = problem, progress, good
        self.bounds = lower_bounds(problem)
        self.candidates: list[Candidate] = []
        self.seen: set[bytes] = set()
        self.fewest_known: int | None = None
        self.asked, self.ended = stop, ""
        self.wanted = asked()
        self.told: Trace | None = self.wanted and self.wanted.blank()
        seconds = problem.request.time_limit_s
        self.until = None if seconds is None else time.monotonic() + seconds

    def add(self, owner: np.ndarray, steps: Steps | None = None) -> Candidate | None:
        """Store an assignment within the limits. Return None if it is already stored. `steps`: if
        not given, the steps since the previous candidate.
        """
        steps = self._take() if steps is None else steps
        if self.problem.n <= MANY:
            key = owner.tobytes()
            if key in self.seen:
                return None
            self.seen.add(key)
        value, worst = self.problem.worst(owner)
        candidate = Candidate(owner, value, worst, self.problem.moves_of(owner), steps)
        is_better = not self.candidates or value < min(earlier.value for earlier in self.candidates)
        self.candidates.append(candidate)
        if is_better and self.progress:
            self.progress(value, min(self.bound, value))
        return candidate

    def _take(self) -> Steps:
        return tuple(self.told.take()) if self.told else ()

    def _of_each(self, owner: np.ndarray, kind: type[Step], *about: object) -> Steps:
        tps, rows = self.problem.tp, self.told.places(self.problem.tp) if self.told else ()
        return tuple((int(tps[row]), kind(int(owner[row]), *about)) for row in rows)

    @property
    def bound(self) -> Value:
        return best_of(self.bounds).value

    @property
    def target(self) -> Value:
        """The value at which the search may end: `good` if given, else the bound plus the
        tolerance.
        """
        if self.good is not None:
            return self.good
        return (
            self.bound
            if self.bound == NEVER
            else self.bound * (1 + Fraction(repr(float(self.problem.request.tolerance))))
        )

    def rank(self, candidate: Candidate) -> tuple:
        """Return a sort key. A better candidate has a smaller key."""
        is_good = candidate.value <= self.target
        return (
            (0, candidate.moves, candidate.value)
            if is_good
            else (1, candidate.value, candidate.moves)
        )

    def must_stop(self) -> bool:
        """Return whether the time limit has passed or the caller requests a stop."""
        if not self.ended and self.until is not None and time.monotonic() > self.until:
            self.ended = "time"
        if not self.ended and self.asked and self.asked():
            self.ended = "stop"
        return bool(self.ended)

    def result(self, most: Value) -> Best:
        """Return the best candidate with a value of at most `most`, and the bounds."""
        problem, chosen = (
            self.problem,
            min(
                (candidate for candidate in self.candidates if candidate.value <= most),
                key=self.rank,
            ),
        )
        self._take()
        with recording(self.told):
            owner = evened_out(problem, chosen.owner)
        self._tell(chosen, owner)
        # The solver's bound is rounded, so the value of an assignment may be below this bound.
        bounds = [
            LowerBound(bound.name, min(bound.value, chosen.value), bound.proof)
            if bound.name == "solver"
            else bound
            for bound in self.bounds
        ]
        fewest = moves_needed(problem, chosen.value)
        if self.fewest_known is not None and chosen.moves == self.fewest_known:
            fewest = chosen.moves
        is_at_bound = chosen.value <= self.target
        stopped = self.ended or ("bound" if is_at_bound else "steps")
        return Best(
            problem, owner, chosen.value, chosen.worst, tuple(bounds), chosen.moves, fewest, stopped
        )

    def _tell(self, chosen: Candidate, owner: np.ndarray) -> None:
        """Trace the steps that led to the chosen assignment, and what decided each partition's
        owner.
        """
        if not self.told or not self.wanted:
            return
        for tp, step in (*chosen.steps, *self._take()):
            self.wanted.add(tp, step)
        for row in self.told.places(self.problem.tp):
            self.wanted.add(self.problem.tp[row], weighed(self.problem, owner, chosen.value, row))

    def _offer(self, owner: np.ndarray) -> Candidate | None:
        """Store an assignment. Ignore it if it breaks a limit."""
        steps = self._take()
        return self.add(owner, steps) if self.problem.keeps_limits(owner) else None


def weighed(problem: Problem, owner: np.ndarray, value: Value, row: int) -> OwnerWeight:
    """Return what decided the owner of a partition: the value of the assignment, and the value of
    the same assignment with this partition at home.
    """
    member, home, lag, rate = int(owner[row]), int(problem.home[row]), *problem.loads(owner)
    own = problem.value_of(lag[member], rate[member], problem.capacity[member])
    if home in (NO_HOME, member):
        return OwnerWeight(member, value, own, home, None)
    at_home = owner.copy()
    at_home[row] = home
    return OwnerWeight(member, value, own, home, problem.worst(at_home)[0])
