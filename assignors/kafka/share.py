"""Simple: the assignor of share groups (KIP-932). If there are more members than partitions,
several members share each partition.

Reproduces `org.apache.kafka.coordinator.group.assignor.SimpleAssignor` since its rewrite in 4.2. It
uses `SimpleHomogeneousAssignmentBuilder` for equal subscriptions, and
`SimpleHeterogeneousAssignmentBuilder` for different subscriptions.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from evenkeel.assignors.arrays import row_ranges, stable_order
from evenkeel.assignors.assignment import HASH_COLLISIONS, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.java.collections import IterationOrder
from evenkeel.assignors.java.hashing import topic_id_partition_hashes
from evenkeel.assignors.kafka.consumer.stored_targets import (
    Lists,
    StoredTarget,
    answer_of_pairs,
    are_equal,
    in_map_order,
    in_set_order,
    lists_of,
    stored_partitions,
    unknown_ids,
    view,
)
from evenkeel.assignors.kafka.release import Release
from evenkeel.assignors.kafka.share_dealing import Passes, key_order, share, shares, tell
from evenkeel.assignors.protocol import SHARE
from evenkeel.assignors.trace import KeepStep, asked

# HashMap spreads hash codes by h ^ h >>> 16, which does not change numbers below 2 ** 16.
_OWN_BUCKET = 1 << 16
"""Each partition number below this limit has a bucket of its own, if the map has enough buckets."""

_MEMBERS_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class SimpleAssignor(Release):
    """The `simple` strategy of share groups, KIP-932.

    Members keep their partitions unless they have too many. If there are more members than
    partitions, several members share a partition. `owner` then has one of these members, and
    `extra` has the others. The claims of the snapshot, in their order, are the stored target
    assignment. All partitions of known topics count as initialised.
    """

    group_type: ClassVar[str] = SHARE
    name: ClassVar[str] = "simple"
    known_since: ClassVar[str] = "4.2.0"
    quirks: ClassVar[tuple[str, ...]] = ("Q-29",)
    quirk_owner: ClassVar[str] = "Kafka's simple assignor"
    uses_topic_ids: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the assignment. If the group has no members, no partition is assigned.

        Raises
        ------
        AssignorError
            `NoSuchElementException` if members own partitions that do not exist, and too few
            members can get more partitions.
        """
        if not group.member_count:
            return Assignment(group.unowned())
        return (assign_equal if are_equal(group) else assign_differing)(group, self.jdk)


# All members subscribe to the same topics


def assign_equal(group: GroupSnapshot, jdk: int) -> Assignment:
    """Return the assignment of a group with at least one member and equal subscriptions."""
    members = group.member_map_order.rows
    seen = view(group, members[0], jdk)
    if not seen.rows.size:
        return Assignment(group.unowned())
    stored = stored_partitions(group)
    subscribed = np.zeros(group.topic_count, dtype=bool)
    subscribed[seen.rows] = True
    targets = row_ranges(group.first_tp[seen.rows], group.first_tp[seen.rows + 1])
    sharing, want = shares(members.size, targets.size)
    walked = _walked(group, stored, subscribed, sharing, want, jdk)
    passes = _one_pass(group, stored, sharing, want)
    number, tp = group.member_map_order.places[stored.member[walked.rows]], stored.tp[walked.rows]
    shared = share(passes, number, tp, lambda: key_order(tp, targets, passes.key_hash))
    tell(passes, number, tp, shared, members)
    member = members[np.append(number[shared.retained], shared.member)]
    crowded = group.member_map_order.assumed or seen.tree_bin or walked.tree_bin or shared.tree_bin
    assumed = (
        *((HASH_COLLISIONS,) if crowded else ()),
        *(unknown_ids(group, seen.rows) if shared.by_hash else ()),
    )
    return answer_of_pairs(
        group, stored, member, np.append(tp[shared.retained], shared.key), assumed
    )


def _one_pass(group: GroupSnapshot, stored: StoredTarget, sharing: int, want: np.ndarray) -> Passes:
    """Return `Passes` with a single pass, which has all members and all topic-partitions.

    Claimed partitions that do not exist come last.
    """
    topic, partition = (
        np.append(group.tp_topic, stored.beyond[:, 0]),
        np.append(group.tp_partition, stored.beyond[:, 1]),
    )
    key_hash = topic_id_partition_hashes(group.topic_uuid_hash[topic], partition)
    first_pass = np.zeros(max(key_hash.size, want.size), dtype=np.int8)
    return Passes(
        np.array([sharing]),
        first_pass[: want.size],
        first_pass[: key_hash.size],
        np.arange(want.size),
        want,
        key_hash,
    )


def _walked(
    group: GroupSnapshot,
    stored: StoredTarget,
    subscribed: np.ndarray,
    sharing: int,
    want: np.ndarray,
    jdk: int,
) -> IterationOrder:
    """Return the entries of `stored` with subscribed topics, in the builder's iteration order.

    If every partition has only one member, the order matters only for members with too many
    partitions. Their entries then come first, and all other entries follow in any order.
    """
    number = group.member_map_order.places[stored.member]
    known = subscribed[stored.topic]
    walks = np.bincount(number[known], minlength=want.size) > (want if sharing == 1 else -1)
    lists = lists_of(group, stored, group.member_map_order.rows[walks])
    order = in_map_order(group, lists, subscribed)
    walked = in_set_order(stored, lists.at(order.rows), jdk)
    return IterationOrder(
        np.append(walked.rows, np.flatnonzero(known & ~walks[number])),
        order.tree_bin or walked.tree_bin,
    )


# Members subscribe to different topics: each topic is assigned separately


class _Dealing(NamedTuple):
    """Pairs of member and topic-partition. `number`: the member's place in Kafka's map.

    `tree_bin`: whether Java's real order may differ.
    """

    number: np.ndarray
    tp: np.ndarray
    tree_bin: bool


def assign_differing(group: GroupSnapshot, jdk: int) -> Assignment:
    """Return the assignment of a group with at least one member and different subscriptions.

    If a topic has no subscribers, members keep their partitions of this topic.
    """
    members, subscribers = group.member_map_order, group.subscribers_in_map_order
    visited = group.topic_known & (subscribers.set_of_topic > 0)
    if not visited.any():
        return Assignment(group.unowned())
    stored = stored_partitions(group)
    lists = lists_of(group, stored, members.rows)
    lists = lists.at(stable_order(lists.topic * np.int64(members.rows.size) + lists.place))
    bounds = np.searchsorted(lists.topic, np.arange(group.topic_count + 1))
    left = np.flatnonzero(~visited[stored.topic])
    given = [_Dealing(members.places[stored.member[left]], stored.tp[left], tree_bin=False)]
    if (trace := asked()) is not None:
        for row in left[trace.places(stored.tp[left])].tolist():
            trace.add(
                stored.tp[row],
                KeepStep(
                    int(stored.member[row]),
                    int(np.count_nonzero(stored.member == stored.member[row])),
                ),
            )
    for topics in _at_once(group, np.flatnonzero(visited)):
        given.append(
            _share(
                group, stored, topics, lists.at(row_ranges(bounds[topics], bounds[topics + 1])), jdk
            )
        )
    number, tp = (
        np.concatenate([each.number for each in given]),
        np.concatenate([each.tp for each in given]),
    )
    crowded = members.assumed or any(each.tree_bin for each in given)
    return answer_of_pairs(
        group, stored, members.rows[number], tp, (HASH_COLLISIONS,) if crowded else ()
    )


def _at_once(group: GroupSnapshot, topics: np.ndarray) -> Iterator[np.ndarray]:
    """Split the topics into parts. The members of all topics of a part must fit in memory."""
    subscribers = group.subscribers_in_map_order
    size = np.array([members.size for members in subscribers.members])[
        subscribers.set_of_topic[topics]
    ]
    part = np.cumsum(size) // _MEMBERS_AT_ONCE
    return iter(np.split(topics, np.flatnonzero(np.diff(part)) + 1))


def _share(
    group: GroupSnapshot, stored: StoredTarget, topics: np.ndarray, lists: Lists, jdk: int
) -> _Dealing:
    """Assign each of these topics to its subscribers. `lists`: all partition lists of these
    topics.
    """
    passes, member_of_list = _passes(group, stored, topics, lists)
    odd = np.isin(topics, stored.beyond[:, 0]) | (group.partition_count[topics] > _OWN_BUCKET)
    order_shows = (lists.size > passes.want[member_of_list]) | np.isin(lists.topic, topics[odd])
    walked, rest = in_set_order(stored, lists.at(order_shows), jdk), lists.at(~order_shows)
    listed = np.append(np.flatnonzero(order_shows), np.flatnonzero(~order_shows))
    member = np.repeat(member_of_list[listed], lists.size[listed])
    tp = stored.tp[np.append(walked.rows, row_ranges(rest.first, rest.first + rest.size))]
    shared = share(passes, member, tp, lambda: _key_order(group, passes, topics, odd, tp))
    tell(passes, member, tp, shared, group.member_map_order.rows[passes.number])
    number = passes.number[np.append(member[shared.retained], shared.member)]
    return _Dealing(
        number, np.append(tp[shared.retained], shared.key), walked.tree_bin or shared.tree_bin
    )


def _passes(
    group: GroupSnapshot, stored: StoredTarget, topics: np.ndarray, lists: Lists
) -> tuple[Passes, np.ndarray]:
    """Return `Passes` with one pass for each topic, and the number of each list's member in it.

    The members of a pass are the subscribers of the topic, and members that still have partitions
    of the topic but do not subscribe. The number of a pass is the number of its topic.
    """
    member_count, sharing = group.member_count, np.zeros(group.topic_count, dtype=np.int64)
    subscribed, wanted = [], []
    for topic in topics.tolist():
        subscribers = group.member_map_order.places[group.subscribers_in_map_order.of_topic(topic)]
        sharing[topic], want = shares(subscribers.size, int(group.partition_count[topic]))
        subscribed.append(subscribers + topic * member_count)
        wanted.append(want)
    subscriber = np.concatenate(subscribed)
    listed = lists.topic * np.int64(member_count) + lists.place
    members = np.union1d(subscriber, listed)
    want = np.zeros(members.size, dtype=np.int64)
    want[np.searchsorted(members, subscriber)] = np.concatenate(wanted)
    key_pass = np.append(group.tp_topic, stored.beyond[:, 0])
    key_hash = np.append(group.tp_partition, stored.beyond[:, 1]).astype(np.uint32)
    passes = Passes(
        sharing, members // member_count, key_pass, members % member_count, want, key_hash
    )
    return passes, np.searchsorted(members, listed)


def _key_order(
    group: GroupSnapshot, passes: Passes, topics: np.ndarray, odd: np.ndarray, tp: np.ndarray
) -> IterationOrder:
    """Return the topic-partitions, topic by topic, in the iteration order of Kafka's map.

    `odd`: whether this order must be computed for each topic. If not, the order is ascending.
    """
    targets = np.split(
        row_ranges(group.first_tp[topics], group.first_tp[topics + 1]),
        np.cumsum(group.partition_count[topics])[:-1],
    )
    tree_bin = False
    for place in np.flatnonzero(odd).tolist():
        order = key_order(tp[passes.key_pass[tp] == topics[place]], targets[place], passes.key_hash)
        targets[place], tree_bin = order.rows, tree_bin or order.tree_bin
    return IterationOrder(np.concatenate(targets), tree_bin)
