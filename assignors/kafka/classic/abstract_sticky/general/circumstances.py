"""Circumstances: what levelling of differing subscriptions depends on besides owners and loads."""

from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.kafka.classic.abstract_sticky.claims import Claims
from evenkeel.assignors.kafka.classic.abstract_sticky.general.kept_partitions import Held


@dataclass(frozen=True, eq=False)
class Circumstances:
    """Special members and partitions.

    Parameters
    ----------
    history : int32 (P,)
        Member that owned the partition in an older generation, `UNASSIGNED` for none.
    maximum : int64 (M,)
        Number of partitions that each member can have, as Kafka counts them.
    is_frozen : bool (M,)
        Members that take no part in levelling: they have everything they can have.
    copy_member : int32, copy_row : int64
        Partitions that a member holds besides their owner; these do not move.
    is_exceeded : bool
        Some member holds partitions beyond their topic's size.
    """

    history: np.ndarray
    maximum: np.ndarray
    is_frozen: np.ndarray
    copy_member: np.ndarray
    copy_row: np.ndarray
    is_exceeded: bool

    @property
    def are_plain(self) -> bool:
        """Whether loads alone decide."""
        return not self.is_exceeded and bool((self.history == UNASSIGNED).all())


def circumstances(group: GroupSnapshot, claims: Claims, held: Held, shared: np.ndarray, highest: int) -> Circumstances:
    """Return the circumstances; `shared` int64: topics with several subscribers, `highest`: highest generation that the leader has seen."""
    maximum = _maximum(group)
    # canConsumerParticipateInReassignment: a full member still takes part if it holds a partition that others can take.
    is_frozen = (held.count >= maximum) & ~_holds_shared(group, claims, held, shared)
    is_exceeded = bool((held.owner[group.tp_count :] != UNASSIGNED).any())
    return Circumstances(_history(group, claims, highest), maximum, is_frozen, held.copy_member, held.copy_row, is_exceeded)


def _history(group: GroupSnapshot, claims: Claims, highest: int) -> np.ndarray:
    """Return the owner of each partition in the newest older generation; the first one in map order where several claim it."""
    history = np.full(group.tp_count, UNASSIGNED, dtype=np.int32)
    is_older = group.generation < highest
    if not is_older.any():
        return history
    older = np.flatnonzero(is_older[claims.member] & (claims.row < group.tp_count))
    member = claims.member[older]
    place = np.empty(group.member_count, dtype=np.int64)
    place[group.member_map_order.rows] = np.arange(group.member_count)
    # The last write stays.
    order = np.lexsort((-place[member], group.generation[member]))
    history[claims.row[older][order]] = member[order]
    return history


def _maximum(group: GroupSnapshot) -> np.ndarray:
    """Return the number of partitions of each member's topics.

    A member with as many entries, repeats included, as there are topics counts as subscribed to all of them.
    """
    said = group.subscriptions
    entries = group.in_play[said.topic]
    row, lists = said.list_row[entries], said.list_size.size
    number = np.bincount(row, minlength=lists)
    size = np.bincount(row, weights=group.partition_count[said.topic[entries]], minlength=lists).astype(np.int64)
    # getMaxAssignmentSize compares the lengths of both lists, not their contents.
    return np.where(number == np.count_nonzero(group.in_play), group.partition_count[group.in_play].sum(), size)[group.subscription]


def _holds_shared(group: GroupSnapshot, claims: Claims, held: Held, shared: np.ndarray) -> np.ndarray:
    """Return which members hold a partition of a topic with several subscribers, numbers beyond its size included, bool (M,)."""
    is_shared = np.zeros(group.topic_count, dtype=bool)
    is_shared[shared] = True
    holder = np.append(held.owner, held.copy_member)
    topic = np.concatenate((group.tp_topic, claims.beyond[:, 0], group.tp_topic[held.copy_row]))
    result = np.zeros(group.member_count, dtype=bool)
    result[holder[is_shared[topic] & (holder != UNASSIGNED)]] = True
    return result
