"""Uniform where all members subscribe to the same topics.

Reproduces `org.apache.kafka.coordinator.group.assignor.UniformHomogeneousAssignmentBuilder`. Members keep what they own up to an even share; what is over, and what
nobody owns, goes in order to the members that have less.
"""

from typing import NamedTuple

import numpy as np

from assignors.assignment import HASH_COLLISIONS, UNASSIGNED, Assignment, Assumed
from assignors.consumer.row_ranges import row_ranges
from assignors.consumer.stored import Stored, answer, answer_of_pairs, stored_partitions
from assignors.consumer.stored_order import Revoked, beyond_quota
from assignors.consumer.subscriptions import topic_id_hashes, unknown_ids, view
from assignors.errors import AssignorError
from assignors.group import GroupSnapshot
from assignors.java import capacity
from assignors.java.hash_map import IterationOrder, put_order

_NOTHING_REVOKED = Revoked(np.empty(0, dtype=np.int64), tree_bin=False, by_topic_id=False)


def assign_equal(group: GroupSnapshot, jdk: int, gives_back: bool) -> Assignment:
    """Return the answer for a group of at least one member.

    `gives_back`: a member that cannot fill the extra place of an uneven share leaves it to a later one (4.0.1 and newer).
    """
    members = group.member_map_order.rows
    topics = _topic_order(group, members[0], jdk)
    if not topics.rows.size:
        return Assignment(np.full(group.tp_count, UNASSIGNED, dtype=np.int32))
    stored = stored_partitions(group, np.arange(group.claim_member.size))
    subscribed = np.zeros(group.topic_count, dtype=bool)
    subscribed[topics.rows] = True
    held = _held(group, stored, subscribed)[members]
    quota = quotas(held, int(group.partition_count[topics.rows].sum()), gives_back)
    over = np.flatnonzero(held > quota)
    revoked = beyond_quota(group, stored, members[over], quota[over], subscribed, jdk) if over.size else _NOTHING_REVOKED
    queue, several_topics = _queue(group, stored, topics.rows, revoked.rows)
    taker = np.repeat(members, np.maximum(quota - held, 0))[: queue.size]
    if queue.size > taker.size:
        raise AssignorError("PartitionAssignorException", f"uniform: {queue.size - taker.size} partitions are left unassigned, expected 0")
    by_topic_id = revoked.by_topic_id or (several_topics and taker[0] != taker[-1])
    assumed = _assumed(group, topics, revoked, by_topic_id) if queue.size else ()
    return _dealt(group, stored, subscribed, revoked.rows, queue, taker, assumed)


def quotas(held: np.ndarray, total: int, gives_back: bool) -> np.ndarray:
    """Return how many partitions each member may have, int64 (M,), members in the order of Kafka's map.

    What an even share leaves over gives so many members an extra place. Members that hold more than the share take one each while there are any left; once only as
    many members are to come as there are extra places, each of them has one.
    """
    share, extra_places = divmod(total, held.size)
    if not gives_back:
        return share + (np.arange(held.size) < extra_places)
    fills = held > share
    in_time = np.cumsum(fills) <= extra_places
    must_take = np.cumsum(~fills) > held.size - extra_places
    return share + ((fills | must_take) & in_time)


def _topic_order(group: GroupSnapshot, member: int, jdk: int) -> IterationOrder:
    """Return the topics as the builder walks them: a HashSet made from the first member's view, which also counts names that no topic has."""
    seen = view(group, member, jdk)
    if seen.rows.size < 2:
        return seen
    names = np.unique(group.topic_lists[group.subscription[member]]).size
    walked = put_order(topic_id_hashes(group, seen.rows), capacity.of_set(names, jdk))
    return IterationOrder(seen.rows[walked.rows], seen.tree_bin or walked.tree_bin)


def _held(group: GroupSnapshot, stored: Stored, subscribed: np.ndarray) -> np.ndarray:
    """Return how many partitions of subscribed topics each member has, int64 (M,)."""
    if subscribed.all():
        return np.diff(np.searchsorted(stored.member, np.arange(group.member_count + 1)))
    return np.bincount(stored.member[subscribed[stored.topic]], minlength=group.member_count)


def _queue(group: GroupSnapshot, stored: Stored, topics: np.ndarray, revoked: np.ndarray) -> tuple[np.ndarray, bool]:
    """Return the topic-partitions to deal: those nobody has, topic by topic, then the revoked ones; and whether they are of several topics."""
    free = np.flatnonzero(stored.owner[: group.tp_count] == UNASSIGNED)
    bounds = np.searchsorted(free, group.first_tp)
    first, stop = bounds[topics], bounds[topics + 1]
    queue = np.concatenate((free[row_ranges(first, stop)], stored.tp[revoked]))
    return queue, np.union1d(topics[stop > first], stored.topic[revoked]).size > 1


def _assumed(group: GroupSnapshot, topics: IterationOrder, revoked: Revoked, by_topic_id: bool) -> tuple[Assumed, ...]:
    crowded = topics.tree_bin or revoked.tree_bin or group.member_map_order.assumed
    return (*((HASH_COLLISIONS,) if crowded else ()), *(unknown_ids(group, topics.rows) if by_topic_id else ()))


def _dealt(group: GroupSnapshot, stored: Stored, subscribed: np.ndarray, revoked: np.ndarray, queue: np.ndarray, taker: np.ndarray, assumed: tuple[Assumed, ...]) -> Assignment:
    """Return what the members keep and what they are dealt."""
    if stored.shared:
        kept = subscribed[stored.topic]
        kept[revoked] = False
        return answer_of_pairs(group, stored, np.append(stored.member[kept], taker), np.append(stored.tp[kept], queue), assumed)
    owner = stored.owner.copy()
    if not subscribed.all():
        owner[stored.tp[~subscribed[stored.topic]]] = UNASSIGNED
    owner[queue] = taker
    return answer(group, stored, owner, assumed)
