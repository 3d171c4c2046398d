"""Why the best assignment gives a partition to a member: the steps that led to this owner, recorded
during the search (`trace.py`).

    with recording(Trace((tp,))) as trace:
        answer = best(group, request)
    trace.steps_of(tp)

Values are exact, as in the answer. A value is None if something else decided, such as the work
until a time for `drain`.
"""

from dataclasses import dataclass

from evenkeel.assignors.best.objective import Value
from evenkeel.assignors.trace import Step


class SearchStep(Step):
    """A step of the search for the best assignment."""


@dataclass(frozen=True)
class Gave(SearchStep):
    """Members were allowed at most `level`, but `giver` had `value`. It gave its largest
    partitions, or as few as were enough. Or `giver` had too many partitions.
    """

    giver: int
    value: Value
    level: Value


@dataclass(frozen=True)
class MadeRoom(SearchStep):
    """`giver` gave its `number` largest partitions, to make room for the partition `large` (row of
    the snapshot), which it keeps or gets.
    """

    giver: int
    number: int
    large: int


@dataclass(frozen=True)
class Took(SearchStep):
    """The member took the large partition, because it had the least load after it gave
    partitions.
    """


@dataclass(frozen=True)
class Placement(SearchStep):
    """The partition was placed as number `rank` (from 0) of `count` partitions, largest first.
    Before this, the member had the least load, `had`.
    """

    rank: int
    count: int
    had: Value | None


@dataclass(frozen=True)
class Relief(SearchStep):
    """`giver` and the member exchanged load. The worse of the two had the value `before`, and then
    `after`.

    `swapped`: the partition that went in the other direction, None for a move.
    """

    giver: int
    before: Value
    after: Value
    swapped: int | None


@dataclass(frozen=True)
class WentHome(SearchStep):
    """The partition returned to its present owner. The owner then had `value`, which is within the
    limit.
    """

    value: Value


@dataclass(frozen=True)
class Began(SearchStep):
    """The partition has its owner from the given answer `number` (from 0). The search started there
    and found nothing better.
    """

    number: int


@dataclass(frozen=True)
class PartitionLimit(SearchStep):
    """Members have a partition limit. The shortest chains of moves found room for all
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
    """The partition's load is unknown. Among members with room, this member has the fewest other
    partitions, `count`.
    """

    count: int


@dataclass(frozen=True)
class OwnerWeight(SearchStep):
    """The weight of a partition's owner in an answer with this `value`. `own`: the owner's value.

    `home`: the present owner if it may own the partition, else -1. `at_home`: the answer's value if
    only this partition were at home; None if the partition is at home or has no home.
    """

    value: Value
    own: Value
    home: int
    at_home: Value | None
