"""Why a partition has its owner in the best assignment: the steps that led there. The search
records them (`trace.py`).

    with recording(Trace((tp,))) as trace:
        answer = best(group, request)
    trace.steps_of(tp)

Values are exact. A value is None if the step did not depend on a value.
"""

from dataclasses import dataclass

from evenkeel.assignors.best.objective import Value
from evenkeel.assignors.trace import Step


class SearchStep(Step):
    """A step of the search for the best assignment."""


@dataclass(frozen=True)
class Gave(SearchStep):
    """`giver` gave partitions away, because its value `value` was above `level`, the highest value
    that the search allowed in this step. Or `giver` had more partitions than allowed.
    """

    giver: int
    value: Value
    level: Value


@dataclass(frozen=True)
class MadeRoom(SearchStep):
    """`giver` gave its `number` largest partitions away to make room for the partition `large` (row
    number). `giver` owned this partition or then got it.
    """

    giver: int
    number: int
    large: int


@dataclass(frozen=True)
class Took(SearchStep):
    """The member got the large partition, because it had the least load after it gave partitions
    away.
    """


@dataclass(frozen=True)
class Placement(SearchStep):
    """The partition was placed on the member with the least load. `had`: the value of this member
    before. `rank`: the position (from 0) of the partition among `count` partitions, largest first.
    """

    rank: int
    count: int
    had: Value | None


@dataclass(frozen=True)
class Relief(SearchStep):
    """`giver` and the member moved or swapped partitions. The higher value of these two members was
    `before`, and then `after`.

    `swapped`: the partition that moved in the other direction; None if there was no swap.
    """

    giver: int
    before: Value
    after: Value
    swapped: int | None


@dataclass(frozen=True)
class WentHome(SearchStep):
    """The partition returned to its home. The member at home then had `value`, which is within the
    limit.
    """

    value: Value


@dataclass(frozen=True)
class Began(SearchStep):
    """The search began with the given assignment `number` (from 0), in which this member owns the
    partition. The search found nothing better.
    """

    number: int


@dataclass(frozen=True)
class PartitionLimit(SearchStep):
    """The number of partitions per member is limited. The shortest chains of moves made room for
    all partitions.
    """


@dataclass(frozen=True)
class Enumeration(SearchStep):
    """All assignments were tried."""


@dataclass(frozen=True)
class SolverAnswer(SearchStep):
    """The solver HiGHS found the whole assignment."""


@dataclass(frozen=True)
class Spread(SearchStep):
    """The load of the partition is unknown. Of the members with room, this member has the fewest
    other partitions, `count`.
    """

    count: int


@dataclass(frozen=True)
class OwnerWeight(SearchStep):
    """What decided the owner of a partition in the final assignment. `value`: the value of the
    assignment. `own`: the value of the owner.

    `home`: the present owner if it may own the partition, else -1. `at_home`: the value of the
    assignment if only this partition moved back home; None if it is at home or has no home.
    """

    value: Value
    own: Value
    home: int
    at_home: Value | None
