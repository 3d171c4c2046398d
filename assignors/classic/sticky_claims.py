"""Claims: what the members of a group say they own, and what of it the sticky assignors believe."""

from typing import NamedTuple

import numpy as np

from assignors.assignment import UNASSIGNED, Assumed
from assignors.group import GroupSnapshot


class Claims(NamedTuple):
    """Claims of partitions of the topics that somebody subscribes to.

    `member` int32 (K,), `row` int64 (K,): a topic-partition, or P + n for row n of `beyond`; `beyond` int32 (B, 2): topic and number of each partition claimed beyond its topic's size, ascending.
    """

    member: np.ndarray
    row: np.ndarray
    beyond: np.ndarray


class Owned(NamedTuple):
    """Who owns what before the assignment.

    `owner` int32 (P + B,); `doubly` int64, rows that several members claim in one generation; `assumed` as in Assignment.
    """

    owner: np.ndarray
    doubly: np.ndarray
    assumed: tuple[Assumed, ...]


_NO_ROWS = np.empty(0, dtype=np.int64)


def read_claims(group: GroupSnapshot, in_play: np.ndarray) -> Claims:
    """Return the claims that count, also those that another member disputes; `in_play` bool (T,): topics that somebody subscribes to."""
    topic, partition = group.claim_topic, group.claim_partition
    size = np.where(in_play, group.partition_count, 0)
    nothing = np.empty((0, 2), dtype=np.int32)
    if (partition < size[topic]).all():
        return Claims(group.claim_member, group.first_tp[topic] + partition, nothing)
    known = np.flatnonzero(in_play[topic])
    topic, partition = topic[known], partition[known]
    row = group.first_tp[topic] + partition
    outside = np.flatnonzero(partition >= group.partition_count[topic])
    beyond, number = np.unique(np.column_stack((topic, partition))[outside], axis=0, return_inverse=True)
    row[outside] = group.tp_count + number.reshape(-1)
    return Claims(group.claim_member[known], row, beyond)


def believed(group: GroupSnapshot, claims: Claims) -> Owned:
    """Settle disputes by generation, in the order in which the leader walks the members."""
    owner = np.full(group.tp_count + len(claims.beyond), UNASSIGNED, dtype=np.int32)
    owner[claims.row] = claims.member
    if np.count_nonzero(owner != UNASSIGNED) == claims.row.size:
        return Owned(owner, _NO_ROWS, ())
    disputed = np.bincount(claims.row, minlength=owner.size) > 1
    place = np.empty(group.member_count, dtype=np.int64)
    place[group.member_map_order.rows] = np.arange(group.member_count)
    dispute = np.flatnonzero(disputed[claims.row])
    dispute = dispute[np.argsort(place[claims.member[dispute]], kind="stable")]
    holder, doubly = _settled(zip(claims.row[dispute].tolist(), claims.member[dispute].tolist()), group.generation.tolist())
    owner[list(holder)] = list(holder.values())
    return Owned(owner, np.array(sorted(doubly), dtype=np.int64), group.member_map_order.assumed)


def _settled(claims, generation: list[int]) -> tuple[dict[int, int], set[int]]:
    """Return who holds each disputed row, and the rows claimed twice in one generation.

    The generation compared with is that of the last winner, who need not hold the row any more.
    """
    winner, holder, doubly = {}, {}, set()
    for row, member in claims:
        if row not in winner:
            winner[row] = holder[row] = member
        elif generation[member] > generation[winner[row]]:
            winner[row] = holder[row] = member
        elif generation[member] == generation[winner[row]]:
            winner[row], holder[row] = member, UNASSIGNED
            doubly.add(row)
    return holder, doubly
