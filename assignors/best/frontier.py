"""How much each further move helps: the best value for each limit on moves."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.best.answer import Best
from evenkeel.assignors.best.objective import NEVER
from evenkeel.assignors.best.problem import NO_HOME, Problem, Progress, Stop, problem_of
from evenkeel.assignors.best.request import Infeasible, Request
from evenkeel.assignors.best.search import Search, best
from evenkeel.assignors.group import GroupSnapshot

_MOST_POINTS = 12
_MOST_OF = Fraction(9, 10)
_LOOKS = 30


@dataclass(frozen=True, eq=False)
class Point:
    """The best answer with at most `moves_allowed` moves. If there is no answer, `best` is None and
    `error` is the reason.
    """

    moves_allowed: int
    best: Best | None
    error: str | None = None


@dataclass(frozen=True, eq=False)
class Frontier:
    """Points, fewest allowed moves first. `knee`: the fewest allowed moves with which 90 % of
    the possible gain is reached; None if moves bring no gain.
    """

    points: tuple[Point, ...]
    knee: int | None


def frontier(
    group: GroupSnapshot,
    request: Request = Request(),
    moves: Sequence[int] | None = None,
    starts: Sequence[Assignment] = (),
    progress: Progress | None = None,
    stop: Stop | None = None,
    whole: Best | None = None,
) -> Frontier:
    """Return one point for each number in `moves`, or for about a dozen numbers if `moves` is None.
    The limit on moves in `request` is ignored.

    `whole`: the best answer without a limit on moves; if None, it is searched first. The search for
    each point starts also from `whole`. `progress`, `stop` and exceptions: as in `best`. After a
    stop, the result has only the points that are complete.
    """
    problem = problem_of(group, request)
    whole = whole or best(group, replace(request, moves=None), starts, progress, stop)
    owners = [*(start.owner[problem.tp].astype(np.int64) for start in starts), whole.owner]
    points: list[Point] = []
    for k in sorted(set(default_moves(problem) if moves is None else moves)):
        if points and stop and stop():
            break
        last = next((point.best for point in reversed(points) if point.best), None)
        points.append(_point(problem, k, owners, last, progress, stop))
    return Frontier(tuple(points), _knee(points))


def _point(
    problem: Problem,
    k: int,
    starts: Sequence[np.ndarray],
    last: Best | None,
    progress: Progress | None,
    stop: Stop | None,
) -> Point:
    """Return the point for k moves. `last`: the answer for fewer moves. The search starts also from
    `last`, so the point is at least as good.
    """
    limited = replace(problem, moves=k, request=replace(problem.request, moves=k))
    try:
        search = Search(limited, progress, stop, _LOOKS)
        return Point(
            k, search.run([*starts, last.owner] if last else starts, last.value if last else NEVER)
        )
    except Infeasible as error:
        return Point(k, None, str(error))


def default_moves(problem: Problem) -> list[int]:
    """Return 0, 1, 2, 3, 5, 8 … up to the number of partitions with a home. If this gives more than
    twelve numbers, return 0 and eleven numbers in geometric steps.
    """
    most = int(np.count_nonzero(problem.home != NO_HOME))
    numbers, after = [0], 1
    while numbers[-1] < most:
        numbers, after = [*numbers, min(after, most)], numbers[-1] + after if after > 1 else 2
    if len(numbers) <= _MOST_POINTS:
        return numbers
    return sorted(
        {0, *(round(most ** (step / (_MOST_POINTS - 2))) for step in range(_MOST_POINTS - 1))}
    )


def _knee(points: Sequence[Point]) -> int | None:
    """Return the allowed moves of the first point that reaches 90 % of the gain. The gain is the
    difference between the first and the last point.
    """
    solved = [(point.best.value, point.moves_allowed) for point in points if point.best]
    if len(solved) < 2 or solved[0][0] in (NEVER, solved[-1][0]):
        return None
    first, last = solved[0][0], solved[-1][0]
    return next(moves for value, moves in solved if first - value >= _MOST_OF * (first - last))
