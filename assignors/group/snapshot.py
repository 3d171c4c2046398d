"""GroupSnapshot: one consumer group at one moment, as columns. It is the only input of an
assignor.
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

    T topics, P topic-partitions, M members, K claims, R replicas. Only this class has names,
    because Kafka's order depends on them. Other arrays have row numbers. A topic-partition is the
    row `first_tp[topic] + partition`.

    Parameters
    ----------
    topic_name : (T,) str
        Ascending. Includes subscribed or claimed names without a topic. Such a name has no
        partitions, and `topic_known` is False.
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
        Racks of partition tp: `replica_rack[replica_start[tp]:replica_start[tp + 1]]`, rows of
        `rack_name` or `NO_RACK`.
    member_id : (M,) str
        In the order that the coordinator reported. The order is part of the input, because Java's
        hash maps depend on it.
    instance_id : (M,) str or None
        Static membership, KIP-345.
    member_rack : int32 (M,)
        Row of `rack_name` or `NO_RACK`.
    generation : int32 (M,)
        Classic generation of the member's owned partitions, or `NO_GENERATION`.
    topic_lists : tuple of int32 arrays
        The distinct subscriptions, as ascending topic rows. A topic subscribed twice occurs twice.
    subscription : int32 (M,)
        Row of `topic_lists`.
    claim_member, claim_topic, claim_partition : int32 (K,)
        Owned partitions, sorted by member. A member's partitions are in the given order. They
        include partitions beyond a topic's size and partitions of unknown topics.
    owned_empty : int32 (E, 3)
        Member, topic without partitions in the member's record, and the topic's place among the
        member's topics. Sorted by member.
    auto_offset_reset : str or None
        The group's setting as given, None if unknown.
    named : int32 (M,) or None
        Row of `topic_lists` with the topics subscribed by name, if some members use regular
        expressions; else None. `subscription` also includes the topics of the expressions.
    expression : (M,) str or None
        The regular expression of each member, None without an expression. Empty if no member has an
        expression.
    order_sent : mapping of member id to topic names
        The order of topics that a member sent at its join, if not ascending. Some clients' leaders
        use this order. It counts only while the member subscribes to exactly these topics.
    has_empty_rack : bool (M,) or None
        Whether the member's rack is the empty string. librdkafka sends the empty string without
        `client.rack`. Java reads it as no rack, so `member_rack` is `NO_RACK`. None without such a
        member.
    are_subscriptions_known : bool
        Whether the source has the subscriptions. Assumed subscriptions do not prove that a topic
        has no subscriber.
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
        """int64 (T + 1,): row of each topic's partition 0, and P at the end."""
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
        """Return a new array of owners, int32 (P,), all `UNASSIGNED`."""
        return np.full(self.tp_count, UNASSIGNED, dtype=np.int32)

    def tps_of(self, topic: int) -> slice:
        return slice(int(self.first_tp[topic]), int(self.first_tp[topic + 1]))

    def rack_of(self, member: int) -> str | None:
        """Return a member's reported rack. None without a rack; the empty string is a reported
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
        """int64 (T, 2): topic ids of the broker. An unknown id is replaced by the version-3 UUID of
        the topic's name.
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
        """int64 (M + 1,): first claim of each member, and K at the end."""
        return np.searchsorted(self.claim_member, np.arange(self.member_count + 1))

    @cached_property
    def claim_tp(self) -> np.ndarray:
        """int64 (K,): each claim's topic-partition, `NO_TP` if its topic has no such partition."""
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
        """bool (lists, T): whether a topic list in use contains a topic."""
        table = np.zeros((len(self.topic_lists), self.topic_count), dtype=bool)
        table[self.subscriptions.list_row, self.subscriptions.topic] = True
        return table

    @cached_property
    def in_play(self) -> np.ndarray:
        """bool (T,): whether the topic has partitions and a subscriber. A classic group's leader
        knows only such topics.
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
        """Members in MemberInfo order: static members by instance id, then dynamic members by
        member id.
        """
        return member_info_order(self.member_id, self.instance_id)

    @cached_property
    def member_place(self) -> np.ndarray:
        """int64 (M,): each member's place in MemberInfo order."""
        return self.member_order.places

    @cached_property
    def member_map_order(self) -> MemberOrder:
        """Members in the iteration order of a HashMap of their ids."""
        return map_order(self.member_id)

    @cached_property
    def member_refilled_order(self) -> MemberOrder:
        """Members in the order of a HashMap filled in `member_map_order`."""
        return refilled_order(self.member_id, self.member_map_order)

    @cached_property
    def members_by_id(self) -> np.ndarray:
        """int32 (M,): members in the order of member ids."""
        dynamic_only = self.instance_id.count(None) == self.member_count
        return self.member_order.rows if dynamic_only else sorted_rows(self.member_id)

    @cached_property
    def subscribers(self) -> Subscribers:
        """The distinct sets of subscribers, with members in MemberInfo order."""
        return self.subscribers_in(self.member_order.rows)

    @cached_property
    def subscribers_by_id(self) -> Subscribers:
        """The distinct sets of subscribers, with members in the order of member ids."""
        return (
            self.subscribers
            if self.members_by_id is self.member_order.rows
            else self.subscribers_in(self.members_by_id)
        )

    @cached_property
    def subscribers_in_map_order(self) -> Subscribers:
        """The distinct sets of subscribers, with members in `member_map_order`."""
        return self.subscribers_in(self.member_map_order.rows)

    def subscribers_in(self, order: np.ndarray) -> Subscribers:
        """The distinct sets of subscribers, with members in this order, int32 (M,)."""
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
    """Return the rows of a member's topics, int32, in the order that the member sent. Some clients'
    leaders use this order.
    """
    return _as_sent(group, member, group.subscription)


def named_as_sent(group: GroupSnapshot, member: int) -> np.ndarray:
    """Return the rows of the topics that a member subscribes to by name, in the order that the
    member sent.
    """
    return _as_sent(group, member, group.subscription if group.named is None else group.named)


def _as_sent(group: GroupSnapshot, member: int, lists: np.ndarray) -> np.ndarray:
    topics = group.topic_lists[lists[member]]
    names = group.order_sent.get(group.member_id[member], ())
    if sorted(names, key=sort_key) != [group.topic_name[topic] for topic in topics.tolist()]:
        return topics
    row = {group.topic_name[topic]: topic for topic in topics.tolist()}
    return np.array([row[name] for name in names], dtype=np.int32)
