"""Uniform: balanced partition counts over all members. Members keep their partitions if possible.

Reproduces `org.apache.kafka.coordinator.group.assignor.UniformAssignor` and its builder for equal
subscriptions, `UniformHomogeneousAssignmentBuilder`. `heterogeneous.py` has the builder for
different subscriptions.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import (
    HASH_COLLISIONS,
    UNASSIGNED,
    Assignment,
    AssignorError,
    Assumption,
    NotKnownError,
)
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.java.collections import IterationOrder, put_order
from evenkeel.assignors.java.hashing import set_capacity
from evenkeel.assignors.kafka.consumer.heterogeneous import assign_differing
from evenkeel.assignors.kafka.consumer.stored_targets import (
    Revocation,
    StoredTarget,
    answer,
    answer_of_pairs,
    beyond_quota,
    is_homogeneous,
    stored_partitions,
    unknown_ids,
    view,
)
from evenkeel.assignors.kafka.release import Release
from evenkeel.assignors.protocol import CONSUMER
from evenkeel.assignors.trace import KeepStep, Lacking, Reason, ReleaseStep, Trace, asked, pairs

# KAFKA-18688. Before this fix, members never lost an extra place.
_GIVES_BACK_SINCE = "4.0.1"
# For different subscriptions, 3.9 has an older algorithm, similar to the sticky assignors.
_DIFFERING_SINCE = "4.0.0"


@dataclass(frozen=True)
class UniformAssignor(Release):
    """The broker's `uniform` strategy, KIP-848.

    With equal subscriptions, partition counts of members differ by at most one. With different
    subscriptions they can differ by more: by one between two members with a common topic, by two
    between members that have topics in common only with a third member, and so on. Racks have no
    effect. The claims of the snapshot, in their order, are the stored target assignment.
    """

    group_type: ClassVar[str] = CONSUMER
    name: ClassVar[str] = "uniform"
    known_since: ClassVar[str] = "3.9.0"
    label: ClassVar[str] = "KIP-848"
    release_difference: ClassVar[str] = "up to 4.0.0 an extra place is never taken back"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10", "Q-12")
    quirk_owner: ClassVar[str] = "Kafka's broker"
    uses_topic_ids: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners. If the group has no members, no partition is assigned.

        Raises
        ------
        AssignorError
            `PartitionAssignorException` or `ArrayIndexOutOfBoundsException` if members own
            partitions that do not exist. `NotKnownError` if subscriptions differ and the Kafka
            release is older than 4.0.0.
        """
        if not group.member_count:
            return Assignment(group.unowned())
        if is_homogeneous(group):
            return assign_equal(group, self.jdk, gives_back=self.is_at_least(_GIVES_BACK_SINCE))
        if not self.is_at_least(_DIFFERING_SINCE):
            raise NotKnownError(
                self.name,
                self.kafka_version,
                _DIFFERING_SINCE,
                "members subscribe to different topics",
            )
        return assign_differing(group)


# Equal subscriptions: members keep owned partitions up to an even share. All other partitions are
# assigned, in order, to members below the share.


_NOTHING_REVOKED = Revocation(np.empty(0, dtype=np.int64), tree_bin=False, by_topic_id=False)


def assign_equal(group: GroupSnapshot, jdk: int, gives_back: bool) -> Assignment:
    """Return the assignment of a group with at least one member and equal subscriptions.

    `gives_back`: as in `quotas`. True since Kafka 4.0.1.
    """
    members = group.member_map_order.rows
    topics = _topic_order(group, members[0], jdk)
    if not topics.rows.size:
        return Assignment(group.unowned())
    stored = stored_partitions(group)
    subscribed = np.zeros(group.topic_count, dtype=bool)
    subscribed[topics.rows] = True
    held = _held(group, stored, subscribed)[members]
    quota = quotas(held, int(group.partition_count[topics.rows].sum()), gives_back)
    over = np.flatnonzero(held > quota)
    revoked = (
        beyond_quota(group, stored, members[over], quota[over], subscribed, jdk)
        if over.size
        else _NOTHING_REVOKED
    )
    free = _free(group, stored, subscribed)
    taker = np.repeat(members, np.maximum(quota - held, 0))[: free.size + revoked.rows.size]
    if (left := free.size + revoked.rows.size - taker.size) > 0:
        raise AssignorError(
            "PartitionAssignorException",
            f"uniform: {left} partitions are left unassigned, expected 0",
        )
    free_count = np.diff(np.searchsorted(free, group.first_tp))
    dealt = _topic_by_topic(free_count, topics.rows, taker), taker[free.size :]
    if (trace := asked()) is not None:
        number = np.append(
            _topic_by_topic(free_count, topics.rows, np.arange(free.size)),
            np.arange(free.size, taker.size),
        )
        of_dealt = np.append(free, stored.tp[revoked.rows]), np.concatenate(dealt), number
        _tell(
            trace, stored, subscribed[stored.topic], revoked.rows, (members, held, quota), of_dealt
        )
    # Up to 4.0.0, the map order matters even if nothing is dealt, because it decides which members
    # have the extra places.
    by_order = taker.size or (not gives_back and quota[0] != quota[-1])
    assumed = _assumed(group, stored, topics, revoked, free_count, taker) if by_order else ()
    topic = np.append(np.repeat(topics.rows, free_count[topics.rows]), stored.topic[revoked.rows])[
        : taker.size
    ]
    if stored.shared:
        answer = _shared_answer(
            group, stored, subscribed, revoked.rows, free, np.concatenate(dealt), assumed
        )
    else:
        answer = _answer(group, stored, subscribed, revoked.rows, free, dealt, assumed)
    # Each pair of member and topic is reported only once, at its first partition.
    first = np.flatnonzero((np.diff(taker, prepend=-1) != 0) | (np.diff(topic, prepend=-1) != 0))
    return replace(answer, dealt=(taker[first], topic[first]))


def _tell(
    trace: Trace,
    stored: StoredTarget,
    is_subscribed: np.ndarray,
    revoked: np.ndarray,
    members: tuple[np.ndarray, np.ndarray, np.ndarray],
    dealt: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    """Trace which partitions were retained and revoked, and which members could still get
    partitions.

    `members`: member numbers in map order, their owned partitions before, and their quotas.
    `dealt`: topic-partitions, new owners, and places in dealing order.
    """
    place = {member: number for number, member in enumerate(members[0].tolist())}
    gone = set(revoked.tolist())
    for row in trace.places(stored.tp):
        member = int(stored.member[row])
        had, limit = (int(column[place[member]]) for column in members[1:])
        if not is_subscribed[row]:
            trace.add(stored.tp[row], ReleaseStep(UNASSIGNED, member, Reason.LEFT_TOPIC))
        elif row in gone:
            trace.add(stored.tp[row], ReleaseStep(UNASSIGNED, member, Reason.SURPLUS, had, limit))
        else:
            trace.add(stored.tp[row], KeepStep(member, had, limit))
    room = members[2] - members[1]
    places = pairs(members[0][room > 0], room[room > 0])
    for at in trace.places(dealt[0]):
        trace.add(
            dealt[0][at], Lacking(int(dealt[1][at]), int(dealt[2][at]), places, in_rounds=False)
        )


def quotas(held: np.ndarray, total: int, gives_back: bool) -> np.ndarray:
    """Return the quota of each member, int64 (M,), in the order of Kafka's map.

    A quota is the even share, or one partition more. If `gives_back` is True, members that own more
    than the share get the larger quotas, in the order of the map. If larger quotas are left, the
    last of the other members get them. If `gives_back` is False, the first members get the larger
    quotas. `held`: number of partitions that each member owns. `total`: number of all partitions.
    """
    share, extra_places = divmod(total, held.size)
    if not gives_back:
        return share + (np.arange(held.size) < extra_places)
    fills = held > share
    in_time = np.cumsum(fills) <= extra_places
    must_take = np.cumsum(~fills) > held.size - extra_places
    return share + ((fills | must_take) & in_time)


def _topic_order(group: GroupSnapshot, member: int, jdk: int) -> IterationOrder:
    """Return the topics in the iteration order of the builder's HashSet of topic ids.

    The set has the existing topics of `member`. Its bucket count depends on the number of topic
    names in the subscription, including unknown topics.
    """
    seen = view(group, member, jdk)
    if seen.rows.size < 2:
        return seen
    names = np.unique(group.topic_lists[group.subscription[member]]).size
    walked = put_order(group.topic_uuid_hash[seen.rows], set_capacity(names, jdk))
    return IterationOrder(seen.rows[walked.rows], seen.tree_bin or walked.tree_bin)


def _held(group: GroupSnapshot, stored: StoredTarget, subscribed: np.ndarray) -> np.ndarray:
    """Return how many partitions of subscribed topics each member has, int64 (M,)."""
    if stored.claim is None and subscribed.all():
        return np.diff(group.claim_start)
    return np.bincount(stored.member[subscribed[stored.topic]], minlength=group.member_count)


def _free(group: GroupSnapshot, stored: StoredTarget, subscribed: np.ndarray) -> np.ndarray:
    """Return the unassigned topic-partitions of subscribed topics, ascending."""
    is_free = stored.owner[: group.tp_count] == UNASSIGNED
    return np.flatnonzero(
        is_free if subscribed.all() else is_free & np.repeat(subscribed, group.partition_count)
    )


def _topic_by_topic(free_count: np.ndarray, topics: np.ndarray, taker: np.ndarray) -> np.ndarray:
    """Return the new owner of each free partition, in ascending order of partitions.

    `taker`: the same owners in dealing order. `topics`: topics in dealing order. `free_count`:
    number of free partitions of each topic, int64 (T,).
    """
    stop = np.cumsum(free_count[topics])
    part = dict(
        zip(
            topics.tolist(),
            map(slice, (stop - free_count[topics]).tolist(), stop.tolist()),
            strict=False,
        )
    )
    return np.concatenate(
        [taker[part[topic]] for topic in np.flatnonzero(free_count).tolist()] or [taker[:0]]
    )


def _assumed(
    group: GroupSnapshot,
    stored: StoredTarget,
    topics: IterationOrder,
    revoked: Revocation,
    free_count: np.ndarray,
    taker: np.ndarray,
) -> tuple[Assumption, ...]:
    """Return the unknown inputs on which the assignment depends.

    It depends on topic ids if several members get partitions of several topics.
    """
    crowded = topics.tree_bin or revoked.tree_bin or group.member_map_order.assumed
    dealt = free_count > 0
    dealt[stored.topic[revoked.rows]] = True
    by_topic_id = revoked.by_topic_id or (np.count_nonzero(dealt) > 1 and taker[0] != taker[-1])
    return (
        *((HASH_COLLISIONS,) if crowded else ()),
        *(unknown_ids(group, topics.rows) if by_topic_id else ()),
    )


def _answer(
    group: GroupSnapshot,
    stored: StoredTarget,
    subscribed: np.ndarray,
    revoked: np.ndarray,
    free: np.ndarray,
    dealt: tuple[np.ndarray, np.ndarray],
    assumed: tuple[Assumption, ...],
) -> Assignment:
    if free.size == stored.owner.size:
        return Assignment(dealt[0].astype(np.int32, copy=False), assumed=assumed)
    owner = stored.owner.copy()
    if not subscribed.all():
        owner[stored.tp[~subscribed[stored.topic]]] = UNASSIGNED
    owner[free], owner[stored.tp[revoked]] = dealt
    return answer(group, stored, owner, assumed)


def _shared_answer(
    group: GroupSnapshot,
    stored: StoredTarget,
    subscribed: np.ndarray,
    revoked: np.ndarray,
    free: np.ndarray,
    dealt: np.ndarray,
    assumed: tuple[Assumption, ...],
) -> Assignment:
    """Return the assignment, as `_answer` does, if several members claim the same partition."""
    is_retained = subscribed[stored.topic]
    is_retained[revoked] = False
    tp = np.concatenate((stored.tp[is_retained], free, stored.tp[revoked]))
    return answer_of_pairs(group, stored, np.append(stored.member[is_retained], dealt), tp, assumed)
