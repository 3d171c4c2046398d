"""GroupSnapshot: one consumer group at one moment, stored as columns.

An assignor has no other input.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.orders import (
    MemberOrder,
    map_order,
    member_info_order,
    refilled_order,
)
from evenkeel.assignors.group.subscriptions import (
    Subscribers,
    Subscriptions,
    subscriber_sets,
    subscriptions,
)
from evenkeel.assignors.java.hashing import (
    name_uuid,
    sort_key,
    sorted_rows,
    string_hashes,
    uuid_hashes,
)

UNKNOWN = -1
"""A missing or unknown offset or lag."""

NO_GENERATION = -1
NO_RACK = -1
NO_TP = -1

NONE_EMPTY = np.empty((0, 3), dtype=np.int32)
"""Value of `owned_empty` if every owned topic has partitions."""


@dataclass(frozen=True, eq=False)
class GroupSnapshot:
    """Topics, partitions, members and their claims, in read-only arrays.

    T topics, P topic-partitions, M members, K claims, R replicas. A claim is a partition that a
    member reports as its own. This class has the names of topics, members and racks, because
    Kafka's order depends on the names. All other classes use numbers of topics, members and racks.
    The number of a topic-partition is `first_tp[topic] + partition`.

    Parameters
    ----------
    topic_name : (T,) str
        Ascending. A subscribed or claimed topic may not exist. It then has no partitions, and its
        `topic_known` is False.
    topic_known : bool (T,)
    partition_count : int64 (T,)
    topic_id : int64 (T, 2)
        Most and least significant half of the topic's UUID. 0, 0 if `topic_id_known` is False.
    topic_id_known : bool (T,)
    begin_offset, end_offset, committed_offset, given_lag : int64 (P,)
        `UNKNOWN` if missing or unknown. If the end offset is known, a missing committed offset
        means no commit.
    rack_name : (racks,) str
        Distinct names, ascending. The empty string is an ordinary name.
    replica_start : int32 (P + 1,)
    replica_rack : int32 (R,)
        Number of each replica's rack in `rack_name`, or `NO_RACK`. Topic-partition tp has the
        replicas `replica_start[tp]` to `replica_start[tp + 1] - 1`.
    member_id : (M,) str
        In the order that the coordinator reported. This order is part of the input, because the
        iteration order of Java's hash maps depends on the order of insertion.
    instance_id : (M,) str or None
        Static membership, KIP-345.
    member_rack : int32 (M,)
        Number of the member's rack in `rack_name`, or `NO_RACK`.
    generation : int32 (M,)
        Classic generation of the member's owned partitions, or `NO_GENERATION`.
    topic_lists : tuple of int32 arrays
        The distinct subscriptions: topic numbers, ascending. A topic that is subscribed twice is in
        the list twice.
    subscription : int32 (M,)
        Number of the member's list in `topic_lists`.
    claim_member, claim_topic, claim_partition : int32 (K,)
        The claims, sorted by member. The claims of one member are in the order of the source. A
        claim may name an unknown topic, or a partition that does not exist.
    owned_empty : int32 (E, 3)
        Topics for which the stored record of a member has no partitions: member, topic, place of
        the topic among the member's topics. Sorted by member.
    auto_offset_reset : str or None
        The group's setting as given, None if unknown.
    named : int32 (M,) or None
        Number of the list in `topic_lists` with the topics that the member subscribes to by name.
        None if no member has an expression. The member's list in `subscription` also has the topics
        that match the expression.
    expression : (M,) str or None
        The regular expression of each member, None without an expression. Empty if no member has an
        expression.
    order_sent : mapping of member id to topic names
        Topics in the order in which a member sent them when it joined, if this order is not
        ascending. Leaders of some clients use this order. It is valid only while the member
        subscribes to exactly these topics.
    has_empty_rack : bool (M,) or None
        Whether the member's rack is the empty string. librdkafka sends the empty string if
        `client.rack` is not set. Java reads the empty string as no rack, so `member_rack` is
        `NO_RACK`. None if no member sent the empty string.
    are_subscriptions_known : bool
        Whether the source has the subscriptions. If not, subscriptions are assumed, and a topic
        without an assumed subscriber may have a real subscriber.
    """

    topic_name: tuple[str, ...]
    topic_known: np.ndarray
    partition_count: np.ndarray
    topic_id: np.ndarray
    topic_id_known: np.ndarray
    begin_offset: np.ndarray
    end_offset: np.ndarray
    committed_offset: np.ndarray
    given_lag: np.ndarray
    rack_name: tuple[str, ...]
    replica_start: np.ndarray
    replica_rack: np.ndarray
    member_id: tuple[str, ...]
    instance_id: tuple[str | None, ...]
    member_rack: np.ndarray
    generation: np.ndarray
    topic_lists: tuple[np.ndarray, ...]
    subscription: np.ndarray
    claim_member: np.ndarray
    claim_topic: np.ndarray
    claim_partition: np.ndarray
    auto_offset_reset: str | None = None
    named: np.ndarray | None = None
    expression: tuple[str | None, ...] = ()
    owned_empty: np.ndarray = field(default_factory=lambda: NONE_EMPTY)
    order_sent: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    has_empty_rack: np.ndarray | None = None
    are_subscriptions_known: bool = True

    @property
    def topic_count(self) -> int:
        return len(self.topic_name)

    @property
    def member_count(self) -> int:
        return len(self.member_id)

    @property
    def tp_count(self) -> int:
        return int(self.first_tp[-1])

    @cached_property
    def first_tp(self) -> np.ndarray:
        """int64 (T + 1,): number of each topic's partition 0 among all topic-partitions; the last
        is P.
        """
        return np.concatenate(([0], np.cumsum(self.partition_count, dtype=np.int64)))

    @cached_property
    def tp_topic(self) -> np.ndarray:
        """int32 (P,): topic of each topic-partition."""
        return np.repeat(np.arange(self.topic_count, dtype=np.int32), self.partition_count)

    @cached_property
    def tp_partition(self) -> np.ndarray:
        """int32 (P,): partition number of each topic-partition."""
        return (
            np.arange(self.tp_count) - np.repeat(self.first_tp[:-1], self.partition_count)
        ).astype(np.int32)

    def unowned(self) -> np.ndarray:
        """Return an array of owners in which every partition is `UNASSIGNED`, int32 (P,)."""
        return np.full(self.tp_count, UNASSIGNED, dtype=np.int32)

    def tps_of(self, topic: int) -> slice:
        return slice(int(self.first_tp[topic]), int(self.first_tp[topic + 1]))

    def rack_of(self, member: int) -> str | None:
        """Return the rack that a member reported, which may be the empty string. None if no
        rack.
        """
        rack = int(self.member_rack[member])
        if rack != NO_RACK:
            return self.rack_name[rack]
        return "" if self.has_empty_rack is not None and self.has_empty_rack[member] else None

    @cached_property
    def topic_name_hash(self) -> np.ndarray:
        """uint32 (T,): Java's hash codes of the topic names."""
        return string_hashes(self.topic_name)

    @cached_property
    def topic_uuid(self) -> np.ndarray:
        """int64 (T, 2): topic ids of the broker.

        If the id of a topic is unknown, the version-3 UUID of the topic's name replaces the id.
        """
        ids = self.topic_id.copy()
        for topic in np.flatnonzero(~self.topic_id_known).tolist():
            # With any id, the outcome is valid in Kafka. An id from the name makes every run give
            # the same outcome.
            ids[topic] = name_uuid(self.topic_name[topic])
        return ids

    @cached_property
    def topic_uuid_hash(self) -> np.ndarray:
        """uint32 (T,): Java's hash codes of `topic_uuid`."""
        return uuid_hashes(self.topic_uuid)

    @cached_property
    def claim_start(self) -> np.ndarray:
        """int64 (M + 1,): number of each member's first claim; the last value is K."""
        return np.searchsorted(self.claim_member, np.arange(self.member_count + 1))

    @cached_property
    def claim_tp(self) -> np.ndarray:
        """int64 (K,): topic-partition of each claim, or `NO_TP` if there is no such partition."""
        topic = self.claim_topic.astype(np.int64)
        exists = self.claim_partition < self.partition_count[topic]
        tp = self.first_tp[topic]
        tp += self.claim_partition
        return tp if exists.all() else np.where(exists, tp, NO_TP)

    @cached_property
    def is_claimed_inside(self) -> bool:
        """Whether every claim names an existing partition."""
        return bool(self.claim_tp.min(initial=0) != NO_TP)

    @cached_property
    def subscriptions(self) -> Subscriptions:
        """The topic lists that members use."""
        return subscriptions(self.topic_lists, self.subscription)

    @cached_property
    def is_listed(self) -> np.ndarray:
        """bool (lists, T): whether each topic list contains each topic. False for lists without
        members.
        """
        table = np.zeros((len(self.topic_lists), self.topic_count), dtype=bool)
        table[self.subscriptions.list_row, self.subscriptions.topic] = True
        return table

    @cached_property
    def in_play(self) -> np.ndarray:
        """bool (T,): whether the topic has partitions and a subscriber.

        The leader of a classic group knows only such topics.
        """
        subscribed = np.zeros(self.topic_count, dtype=bool)
        for row in np.bincount(self.subscription).nonzero()[0].tolist():
            subscribed[self.topic_lists[row]] = True
        return subscribed & (self.partition_count > 0)

    @cached_property
    def is_all_in_play(self) -> bool:
        """Whether every topic with partitions has a subscriber."""
        return bool((self.in_play == (self.partition_count > 0)).all())

    @cached_property
    def member_order(self) -> MemberOrder:
        """Members in the order of Kafka's MemberInfo.

        Static members come first, by instance id. Dynamic members follow, by member id.
        """
        return member_info_order(self.member_id, self.instance_id)

    @cached_property
    def member_place(self) -> np.ndarray:
        """int64 (M,): each member's place in MemberInfo order."""
        return self.member_order.places

    @cached_property
    def member_map_order(self) -> MemberOrder:
        """Members in the iteration order of a HashMap of member ids."""
        return map_order(self.member_id)

    @cached_property
    def member_refilled_order(self) -> MemberOrder:
        """Members in the iteration order of a second HashMap, filled in the order
        `member_map_order`.
        """
        return refilled_order(self.member_id, self.member_map_order)

    @cached_property
    def members_by_id(self) -> np.ndarray:
        """int32 (M,): members in the order of member ids."""
        dynamic_only = self.instance_id.count(None) == self.member_count
        return self.member_order.rows if dynamic_only else sorted_rows(self.member_id)

    @cached_property
    def subscribers(self) -> Subscribers:
        """The subscribers of each topic. Members are in MemberInfo order."""
        return self.subscribers_in(self.member_order.rows)

    @cached_property
    def subscribers_by_id(self) -> Subscribers:
        """The subscribers of each topic. Members are in the order of member ids."""
        return (
            self.subscribers
            if self.members_by_id is self.member_order.rows
            else self.subscribers_in(self.members_by_id)
        )

    @cached_property
    def subscribers_in_map_order(self) -> Subscribers:
        """The subscribers of each topic. Members are in the order `member_map_order`."""
        return self.subscribers_in(self.member_map_order.rows)

    def subscribers_in(self, order: np.ndarray) -> Subscribers:
        """The subscribers of each topic. Members are in `order`, int32 (M,)."""
        return subscriber_sets(self.topic_lists, self.subscription, self.topic_count, order)


def partition_name(topic: str, partition: int | str) -> str:
    """Return a partition's name as in Kafka's own messages, such as `orders-7`."""
    return f"{topic}-{partition}"


def topic_and_number(partition: str) -> tuple[str, int]:
    """Return topic and number from a partition's name: `orders-7` is partition 7 of `orders`."""
    topic, _, number = partition.rpartition("-")
    return topic, int(number)


def tp_name(group: GroupSnapshot, tp: int) -> str:
    """Return the name of a topic-partition."""
    return partition_name(group.topic_name[group.tp_topic[tp]], int(group.tp_partition[tp]))


def topics_as_sent(group: GroupSnapshot, member: int) -> np.ndarray:
    """Return the numbers of a member's topics, int32, in the order in which the member sent them.

    Leaders of some clients use this order.
    """
    return _as_sent(group, member, group.subscription)


def named_as_sent(group: GroupSnapshot, member: int) -> np.ndarray:
    """Return the numbers of the topics that a member subscribes to by name, int32.

    The topics are in the order in which the member sent them.
    """
    return _as_sent(group, member, group.subscription if group.named is None else group.named)


def _as_sent(group: GroupSnapshot, member: int, lists: np.ndarray) -> np.ndarray:
    topics = group.topic_lists[lists[member]]
    names = group.order_sent.get(group.member_id[member], ())
    if sorted(names, key=sort_key) != [group.topic_name[topic] for topic in topics.tolist()]:
        return topics
    row = {group.topic_name[topic]: topic for topic in topics.tolist()}
    return np.array([row[name] for name in names], dtype=np.int32)
