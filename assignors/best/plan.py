"""A plan in the order that helps soonest: each move lowers the member that is worst at that time, as far as one move can."""

import heapq
from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.best.problem import NO_HOME, Problem, Value


@dataclass(frozen=True)
class Step:
    """One move: a row of the snapshot, the member that gives and the one that gets, the worst member before, and the value after it."""

    tp: int
    giver: int
    taker: int
    worst: int
    value: Value


def in_order(problem: Problem, owner: np.ndarray, most: int = 500) -> list[Step]:
    """Return the first `most` moves from the owners now to `owner`, int64 (n,); partitions without a home are placed before the first."""
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
    found: list[Step] = []
    while waiting and len(found) < most:
        before = _top(worst, value)
        giver = _top(givers, value)
        tp = min(waiting[giver], key=lambda one: (max(value(giver, one, -1), value(int(owner[one]), one)), value(giver, one, -1), one))
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
            givers = [one for one in givers if one[1] != giver]
            heapq.heapify(givers)
        found.append(Step(int(problem.tp[tp]), giver, taker, before, value(_top(worst, value))))
    return found


def _top(heap: list[tuple[Value, int]], value) -> int:
    """Return the member with the largest value; entries of values that have changed since go."""
    while -heap[0][0] != value(heap[0][1]):
        heapq.heappop(heap)
    return heap[0][1]
