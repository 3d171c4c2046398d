"""Why a partition has its owner in the best assignment: the steps that led there. The search
records them (`trace.py`).

    with recording(Trace((tp,))) as trace:
        answer = best(group, request)
    trace.steps_of(tp)

Values are exact. A value is None if the step was not decided by a value of the answer.
"""

from dataclasses import dataclass

from evenkeel.assignors.best.objective import Value
from evenkeel.assignors.trace import Step


class SearchStep(Step):
    """A step of the search for the best assignment."""


@dataclass(frozen=True)
class Gave(SearchStep):
    """`giver` gave partitions, because its `value` was above `level`, the most that a member could
    have then. Or `giver` had more partitions than allowed.
    """

    giver: int
    value: Value
    level: Value


@dataclass(frozen=True)
class MadeRoom(SearchStep):
    """`giver` gave its `number` largest partitions to make room for the partition `large` (row
    number), which `giver` already had or was to get.
    """

    giver: int
    number: int
    large: int


@dataclass(frozen=True)
class Took(SearchStep):
    """The member got the large partition: after it gave partitions, it had the least load."""


@dataclass(frozen=True)
class Placement(SearchStep):
    """The partition was placed as number `rank` (from 0) of `count` partitions, largest first. The
    member had the least load at that time, `had`.
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
