"""Comparison: the current assignment and, for the same group, the assignments of all assignors."""

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
    group has no members. `error`: the exception that Kafka's class would throw. If there is an
    error, or while the assignment is not yet computed, all other fields except the name are None.
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
        """Whether it is certain that no partition changes its owner. Then each figure is the same
        as for the current assignment, even if lags are unknown.
        """
        return self.moves is not None and not self.moves.topic.size

    @property
    def is_whole(self) -> bool:
        """Whether one round assigns all partitions. A cooperative assignor withholds a partition
        until its owner has revoked it.
        """
        return self.assignment is not None and not len(self.assignment.withheld)

    @property
    def moved_lag(self) -> int | None:
        return self.moves.moved_lag if self.moves else None


@dataclass(frozen=True, eq=False)
class Comparison:
    """The rows of a comparison. The first row is the current assignment; if it is unknown, its
    fields are None.

    The other rows are the assignors, in the requested order. `lag`: from `page_lag`, int64 (P,).
    """

    group: GroupSnapshot
    lag: np.ndarray
    rows: tuple[Row, ...]


def compare(
    group: GroupSnapshot, current: Assignment | None, assignors: Iterable[Assignor]
) -> Comparison:
    """Run every assignor on the group. If an assignor throws, its row has the error.

    `current`: None if the owners are unknown. If a partition has two owners, only the first counts,
    except in share groups.
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
    """Return the row of an assignor in the comparison. `lag`: from `page_lag`, int64 (P,)."""
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
