"""What each move buys: the best value for every limit on moves."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.best.problem import Progress, Request, Stop
from evenkeel.assignors.best.search import Best
from evenkeel.assignors.group import GroupSnapshot


@dataclass(frozen=True, eq=False)
class Point:
    """The best answer with at most so many moves; `best` None where `error` says why there is none."""

    moves_allowed: int
    best: Best | None
    error: str | None = None


@dataclass(frozen=True, eq=False)
class Frontier:
    """Points by moves allowed. `knee`: the least number of moves that gains 90 % of what all moves gain; None where nothing is gained."""

    points: tuple[Point, ...]
    knee: int | None


def frontier(
    group: GroupSnapshot,
    request: Request = Request(),
    moves: Sequence[int] | None = None,
    starts: Sequence[Assignment] = (),
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Frontier:
    """Return a point for each of `moves`, else for about a dozen; the request's own limit on moves does not count. Raises as `best`.

    `progress` and `stop` as in `best`: a stopped frontier has the points so far.
    """
    raise NotImplementedError
