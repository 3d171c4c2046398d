"""The stored target assignments of a group: what each member had in the broker's last record."""

from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment, Assumed
from evenkeel.assignors.group import NO_TP, GroupSnapshot


@dataclass(frozen=True, eq=False)
class Stored:
    """One row for each partition of a member, K rows, in the order of the group's claims.

    Parameters
    ----------
    claim : int64 (K,) or None
        Row of the claim; a number that a list repeats counts once. None where every claim has a row.
    member, topic, partition : int32 (K,)
    tp : int64 (K,)
        Topic-partition; from P on, the distinct partitions beyond their topic's size.
    beyond : int32 (B, 2)
        Topic and partition of those.
    owner : int32 (P + B,)
        Member; the one whose claim comes last where several claim a partition.
    shared : bool
        Some partition is claimed by several members.
    """

    claim: np.ndarray | None
    member: np.ndarray
    topic: np.ndarray
    partition: np.ndarray
    tp: np.ndarray
    beyond: np.ndarray
    owner: np.ndarray
    shared: bool


def stored_partitions(group: GroupSnapshot, claims: np.ndarray | None = None) -> Stored:
    """Return the stored partitions of all claims of the group, or of the claims in these rows, ascending."""
    columns = [group.claim_member, group.claim_topic, group.claim_partition, group.claim_tp]
    if claims is not None:
        columns = [column[claims] for column in columns]
    tp, beyond = _numbered(group, *columns[1:])
    owner = _owner(group.tp_count + len(beyond), tp, columns[0])
    distinct = np.count_nonzero(owner != UNASSIGNED)
    if distinct < tp.size:
        # int64: members times partitions go beyond what the int32 of member rows holds.
        first = np.sort(np.unique(columns[0].astype(np.int64) * owner.size + tp, return_index=True)[1])
        claims = first if claims is None else claims[first]
        tp, *columns = (column[first] for column in (tp, *columns))
    return Stored(claims, *columns[:3], tp, beyond, owner, shared=distinct < tp.size)


def answer(group: GroupSnapshot, stored: Stored, owner: np.ndarray, assumed: tuple[Assumed, ...]) -> Assignment:
    """Return the assignment with one owner for each partition, in the shape of `stored.owner`."""
    held = np.flatnonzero(owner[group.tp_count :] != UNASSIGNED)
    extra = np.column_stack((owner[group.tp_count + held], stored.beyond[held]))
    return Assignment(owner[: group.tp_count], extra.astype(np.int32), assumed=assumed)


def answer_of_pairs(group: GroupSnapshot, stored: Stored, member: np.ndarray, tp: np.ndarray, assumed: tuple[Assumed, ...]) -> Assignment:
    """Return the assignment that gives `member` the partition `tp` in each row.

    A partition's first owner stands in `owner`, further ones in `extra`.
    """
    # Backwards: where an index repeats, NumPy keeps the last value, so the first owner stays.
    owner = _owner(stored.owner.size, tp[::-1], member[::-1])
    others = np.flatnonzero(owner[tp] != member)
    topic = np.append(group.tp_topic, stored.beyond[:, 0])[tp[others]]
    partition = np.append(group.tp_partition, stored.beyond[:, 1])[tp[others]]
    extra = np.unique(np.column_stack((member[others], topic, partition)), axis=0)
    single = answer(group, stored, owner, assumed)
    return Assignment(single.owner, np.concatenate((single.extra, extra)).astype(np.int32), assumed=assumed)


def _owner(count: int, tp: np.ndarray, member: np.ndarray) -> np.ndarray:
    owner = np.full(count, UNASSIGNED, dtype=np.int32)
    owner[tp] = member
    return owner


def _numbered(group: GroupSnapshot, topic: np.ndarray, partition: np.ndarray, tp: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number the topic-partitions beyond a topic's size from P on; return all topic-partitions, and topic and partition of those beyond."""
    outside = tp == NO_TP
    if not outside.any():
        return tp, np.empty((0, 2), dtype=np.int32)
    beyond, number = np.unique(np.column_stack((topic, partition))[outside], axis=0, return_inverse=True)
    tp = tp.copy()
    tp[outside] = group.tp_count + number.ravel()
    return tp, beyond
