"""How many members help: the best value of N equal members that all read every topic in play, with no owners now and no limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from evenkeel.assignors.best.problem import Progress, Request, Stop, Value
from evenkeel.assignors.group import GroupSnapshot


@dataclass(frozen=True)
class Size:
    """What so many members reach at best, and what they cannot be below."""

    members: int
    value: Value
    bound: Value


@dataclass(frozen=True)
class RightSize:
    """Points by number of members.

    Parameters
    ----------
    floor : Fraction or `NEVER`
        The value of the largest partition alone: more members help nobody.
    useful : (int or None, int or None)
        Least number whose bound is the floor, and least number whose value is: the smallest useful number lies between both.
    within : (int or None, int or None) or None
        Least number whose bound is at most the value asked for, and least number whose value is; None where none is asked for.
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
    """Return a point for each of `members`, else up to one for each partition; of the request only objective and rates count."""
    raise NotImplementedError
