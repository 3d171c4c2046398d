"""EditResult: an edited group, and where its old members and topics are now."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.owned import owners_of

GONE = -1


class EditResult(NamedTuple):
    """A group after an edit.

    `member_row`: new number of each old member, int32 (M,), or `GONE` if the member was removed.
    `topic_row`: new number of each old topic, int32 (T,). Edits never remove topics.
    """

    group: GroupSnapshot
    member_row: np.ndarray
    topic_row: np.ndarray


def same_rows(before: GroupSnapshot, after: GroupSnapshot) -> EditResult:
    """Return the result of an edit that keeps the numbers of all members and topics."""
    return EditResult(
        after,
        np.arange(before.member_count, dtype=np.int32),
        np.arange(before.topic_count, dtype=np.int32),
    )


def carry_over(assignment: Assignment, before: GroupSnapshot, edited: EditResult) -> Assignment:
    """Return the assignment for the edited group. Partitions of removed members have no owner."""
    tps = np.flatnonzero(assignment.owner != UNASSIGNED)
    owned = np.column_stack((assignment.owner[tps], before.tp_topic[tps], before.tp_partition[tps]))
    # Owners come before further claims, because the first claimant of a partition owns it.
    member, topic, partition = np.concatenate((owned, assignment.extra)).T
    rows = np.column_stack((edited.member_row[member], edited.topic_row[topic], partition)).astype(
        np.int32
    )
    return owners_of(rows[rows[:, 0] != GONE], edited.group.partition_count)


def rows_of(group: GroupSnapshot, member_ids: Sequence[str]) -> np.ndarray:
    """Return the number of each member in the group, int32.

    Raises
    ------
    KeyError
        If a member id is not in the group. The error contains this id.
    """
    row = {member_id: number for number, member_id in enumerate(group.member_id)}
    return np.array([row[member_id] for member_id in member_ids], dtype=np.int32)
