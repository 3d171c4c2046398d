"""Why the best assignment gives a partition to a member: the steps of the search that led to it,
recorded while it decides (`trace.py`).

    with recording(Trace((tp,))) as trace:
        found = best(group, request)
    trace.steps_of(tp)

Values are exact, as in the answer; `None` if no value decided, such as the work until a time that
`drain` balances.
"""

from dataclasses import dataclass

from evenkeel.assignors.best.objective import Value
from evenkeel.assignors.trace import Step


class SearchStep(Step):
    """A step of the search for the best assignment."""


@dataclass(frozen=True)
class Gave(SearchStep):
    """Members were to have at most `level`: `giver` had `value`, so it gave its largest, or as few
    as suffice; or it had too many.
    """

    giver: int
    value: Value
    level: Value


@dataclass(frozen=True)
class MadeRoom(SearchStep):
    """`giver` gave its `number` largest, because the partition `large`, a row of the snapshot,
    stays with it or comes to it.
    """

    giver: int
    number: int
    large: int


@dataclass(frozen=True)
class Took(SearchStep):
    """The member had the least after it gave partitions, so it took the large one."""


@dataclass(frozen=True)
class Placement(SearchStep):
    """Number `rank` (from 0) of `count` placed partitions, the largest first: the member had the
    least without it, `had`.
    """

    rank: int
    count: int
    had: Value | None


@dataclass(frozen=True)
class Relief(SearchStep):
    """`giver` and the member dealt: the worse of both had `before`, then `after`; `swapped`: what
    went the other way, None for nothing.
    """

    giver: int
    before: Value
    after: Value
    swapped: int | None


@dataclass(frozen=True)
class WentHome(SearchStep):
    """It went back to its current owner, which then had `value`: no more than is allowed."""

    value: Value


@dataclass(frozen=True)
class Began(SearchStep):
    """The search began with the given answer `number` (from 0) and found nothing better."""

    number: int


@dataclass(frozen=True)
class PartitionLimit(SearchStep):
    """Members have a partition limit: chains of the fewest moves found room for everything."""


@dataclass(frozen=True)
class Enumeration(SearchStep):
    """Everything was tried."""


@dataclass(frozen=True)
class SolverAnswer(SearchStep):
    """The solver found the whole assignment."""


@dataclass(frozen=True)
class Spread(SearchStep):
    """Its load is unknown: of the members with room, this member has the fewest other partitions,
    `count`.
    """

    count: int


@dataclass(frozen=True)
class OwnerWeight(SearchStep):
    """What its owner means for the answer of `value`; `own`: the value of its owner.

    `home`: the owner now if that may own it, -1 for none. `at_home`: the value if it stayed
    there and all else were as answered; None if it stays, or has no home.
    """

    value: Value
    own: Value
    home: int
    at_home: Value | None
