"""Why the best assignment gives a partition to a member: the steps of the search that led to it,
recorded while it decides (`trace.py`).

    with recording(Trace((tp,))) as trace:
        found = best(group, request)
    trace.steps_of(tp)

Values are exact, as in the answer; `None` if no value decided, such as the work until a time for
`drain`.
"""

from dataclasses import dataclass

from evenkeel.assignors.best.objective import Value
from evenkeel.assignors.trace import Step


class SearchStep(Step):
    """A step of the search for the best assignment."""


@dataclass(frozen=True)
class Gave(SearchStep):
    """Members were to have at most `level`: `giver` had `value`, so it gave its largest, or as few
    as suffice; or it had too many partitions.
    """

    giver: int
    value: Value
    level: Value


@dataclass(frozen=True)
class MadeRoom(SearchStep):
    """`giver` gave its `number` largest, because the partition `large`, a row of the snapshot,
    stays with it or goes to it.
    """

    giver: int
    number: int
    large: int


@dataclass(frozen=True)
class Took(SearchStep):
    """The member had the least after it gave partitions, so it took the large partition."""


@dataclass(frozen=True)
class Placement(SearchStep):
    """Number `rank` (from 0) of `count` placed partitions, largest first: the member had the least
    load without it, `had`.
    """

    rank: int
    count: int
    had: Value | None


@dataclass(frozen=True)
class Relief(SearchStep):
    """`giver` and the member exchanged load: the worse of both had `before`, then `after`;
    `swapped`: the partition in the other direction, None for none.
    """

    giver: int
    before: Value
    after: Value
    swapped: int | None


@dataclass(frozen=True)
class WentHome(SearchStep):
    """The partition returned to its present owner, which then had `value`: no more than allowed."""

    value: Value


@dataclass(frozen=True)
class Began(SearchStep):
    """The search started from the given answer `number` (from 0) and found nothing better."""

    number: int


@dataclass(frozen=True)
class PartitionLimit(SearchStep):
    """Members have a partition limit: chains with the fewest moves found room for all
    partitions.
    """


@dataclass(frozen=True)
class Enumeration(SearchStep):
    """All assignments were tried."""


@dataclass(frozen=True)
class SolverAnswer(SearchStep):
    """The solver found the whole assignment."""


@dataclass(frozen=True)
class Spread(SearchStep):
    """The partition's load is unknown: among members with room, this member has the fewest other
    partitions, `count`.
    """

    count: int


@dataclass(frozen=True)
class OwnerWeight(SearchStep):
    """The weight of a partition's owner in the answer of `value`; `own`: the owner's value.

    `home`: the present owner if it may own the partition, else -1. `at_home`: the value with the
    partition at home and all else as answered; None if it stays, or has no home.
    """

    value: Value
    own: Value
    home: int
    at_home: Value | None
