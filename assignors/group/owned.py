"""Owned: what members hold under an answer, as rows and as claims of the next rebalance."""

from dataclasses import replace

import numpy as np

from assignors.arrays import stable_order
from assignors.assignment import UNASSIGNED, Assignment
from assignors.group.row_numbers import distinct_rows
from assignors.group.snapshot import NONE_EMPTY, GroupSnapshot


def held_rows(group: GroupSnapshot, assignment: Assignment) -> np.ndarray:
    """Return int32 (N, 3), ascending, each row once: member, topic and partition of everything that is assigned."""
    tp = np.flatnonzero(assignment.owner != UNASSIGNED)
    tp = tp[stable_order(assignment.owner[tp])]
    rows = np.stack((assignment.owner[tp], group.tp_topic[tp], group.tp_partition[tp])).T
    return distinct_rows(group, np.concatenate([rows, assignment.extra])) if assignment.extra.size else rows


def with_owned(group: GroupSnapshot, assignment: Assignment, generation: int) -> GroupSnapshot:
    """Return the group as it joins the next rebalance: each member owns what the answer gives it, by topic and partition.

    `generation`: that of every member.
    """
    return with_claims(group, held_rows(group, assignment), generation)


def with_claims(group: GroupSnapshot, rows: np.ndarray, generation: int | np.ndarray) -> GroupSnapshot:
    """Return the group with these claims.

    `rows` int32 (K, 3): member, topic, partition, by member. `generation`: of all members, or of each of them.
    """
    member, topic, partition = np.ascontiguousarray(rows.T)
    generations = np.full(group.member_count, generation, dtype=np.int32)
    return replace(group, claim_member=member, claim_topic=topic, claim_partition=partition, owned_empty=NONE_EMPTY, generation=generations)
