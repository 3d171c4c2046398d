"""Comparison: the answers of all assignors for the same group, and the current assignment."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.assignment import Assignment, AssignorError, Assumption
from evenkeel.assignors.compare.balance import Balance, balance
from evenkeel.assignors.compare.moves import Moves, moves_between
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import page_lag
from evenkeel.assignors.group.owned import first_owners
from evenkeel.assignors.protocol import CURRENT, SHARE, Assignor


@dataclass(frozen=True, eq=False)
class Row:
    """One assignment of the comparison.

    `moves`: changes from the current assignment. None if the current assignment is unknown or the
    group has no members. `error`: the exception that Kafka's class would throw; all other fields
    are then None. While an answer is still computed, all fields are None.
    """

    name: str
    assignment: Assignment | None = None
    balance: Balance | None = None
    moves: Moves | None = None
    error: AssignorError | None = None

    @property
    def assumed(self) -> tuple[Assumption, ...]:
        return self.assignment.assumed if self.assignment else ()

    @property
    def moved_partitions(self) -> int | None:
        return self.moves.moved_count if self.moves else None

    @property
    def keeps_all(self) -> bool:
        """Whether every partition certainly stays with its owner. Each figure then equals the
        current figure, even if lags are unknown.
        """
        return self.moves is not None and not self.moves.topic.size

    @property
    def is_whole(self) -> bool:
        """Whether one round hands out the whole answer. A cooperative assignor withholds a
        partition until its owner has released it.
        """
        return self.assignment is not None and not len(self.assignment.withheld)

    @property
    def moved_lag(self) -> int | None:
        return self.moves.moved_lag if self.moves else None


@dataclass(frozen=True, eq=False)
class Comparison:
    """Rows of a comparison. Row 0 is the current assignment; its fields are None if unknown.

    The following rows are the assignors, in the requested order. `lag`: from `page_lag`, int64
    (P,).
    """

    group: GroupSnapshot
    lag: np.ndarray
    rows: tuple[Row, ...]


def compare(
    group: GroupSnapshot, current: Assignment | None, assignors: Iterable[Assignor]
) -> Comparison:
    """Run every assignor on the group. If an assignor throws, its row contains the error.

    `current`: None if the owners are unknown. A partition with two owners counts for the first
    owner, unless members share partitions (share groups).
    """
    lag, assignors = page_lag(group), list(assignors)
    if current is not None and not any(each.group_type == SHARE for each in assignors):
        current = first_owners(group, current)
    now = Row(CURRENT) if current is None else row_of(group, lag, current, CURRENT, current)
    return Comparison(
        group, lag, (now, *(answered(group, lag, current, assignor) for assignor in assignors))
    )


def answered(
    group: GroupSnapshot, lag: np.ndarray, current: Assignment | None, assignor: Assignor
) -> Row:
    """Return an assignor's row of a comparison. `lag`: from `page_lag`, int64 (P,)."""
    try:
        return row_of(group, lag, current, assignor.name, assignor.assign(group))
    except AssignorError as error:
        return Row(assignor.name, error=error)


def row_of(
    group: GroupSnapshot,
    lag: np.ndarray,
    current: Assignment | None,
    name: str,
    assignment: Assignment,
) -> Row:
    """Return the row of an assignment. `lag`: from `page_lag`, int64 (P,)."""
    in_the_end = assignment.handed_out()
    moves = (
        None
        if current is None or not group.member_count
        else moves_between(current, in_the_end, group, lag)
    )
    return Row(name, assignment, balance(group, in_the_end, lag), moves)
