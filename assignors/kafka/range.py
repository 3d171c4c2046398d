"""Range: each subscriber gets a contiguous run of each topic's partitions.

Only the client's assignor uses racks: first it assigns partitions to members near a replica.
Reproduces `org.apache.kafka.clients.consumer.RangeAssignor` with rack awareness (KIP-881), and
`org.apache.kafka.coordinator.group.assignor.RangeAssignor`.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.dealing.places import Places
from evenkeel.assignors.group.dealing.ranges import even_ranges
from evenkeel.assignors.group.racks import has_racks, partitions_in, racks_of, topic_needs_racks
from evenkeel.assignors.kafka.release import Release
from evenkeel.assignors.protocol import CLASSIC, CONSUMER, TopicOrder


@dataclass(frozen=True)
class RangeAssignor(Release):
    """The `range` strategy. The first `partitions % subscribers` members get one more partition."""

    group_type: ClassVar[str] = CLASSIC
    name: ClassVar[str] = "range"
    java_class: ClassVar[str] = "org.apache.kafka.clients.consumer.RangeAssignor"
    known_since: ClassVar[str] = "3.5.0"
    quirks: ClassVar[tuple[str, ...]] = ("Q-1", "Q-2", "remainder", "Q-25")
    quirk_owner: ClassVar[str] = "Kafka's range assignor"
    uses_racks: ClassVar[bool] = True
    topic_order: ClassVar[TopicOrder] = TopicOrder.HASHED

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners. If the group has no members, no partition is assigned."""
        owner = owners_without_racks(group)
        for topics, owners in owners_by_rack(group):
            for topic in topics:
                owner[group.tps_of(topic)] = owners
        return Assignment(owner, assumed=group.member_order.assumed)


@dataclass(frozen=True)
class BrokerRangeAssignor(Release):
    """The broker's `range` strategy, KIP-848.

    Same member order as in the client's `range`. Racks and owned partitions have no effect.
    """

    group_type: ClassVar[str] = CONSUMER
    name: ClassVar[str] = "broker-range"
    protocol: ClassVar[str] = "range"
    known_since: ClassVar[str] = "3.9.0"
    label: ClassVar[str] = "KIP-848"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10", "remainder", "Q-25")
    quirk_owner: ClassVar[str] = "Kafka's broker"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners. If the group has no members, no partition is assigned."""
        return Assignment(owners_without_racks(group), assumed=group.member_order.assumed)


def owners_without_racks(group: GroupSnapshot) -> np.ndarray:
    """Return the owners by ranges, without regard to racks, int32 (P,)."""
    return even_ranges(group, group.subscribers)


# The rack pass (KIP-881): partitions are first assigned to members in a rack with a replica. Topics
# with equal subscribers and partition count are assigned together, so that a partition number of
# co-partitioned topics has the same owner. If a topic of the group needs racks, this applies to all
# topics.


def owners_by_rack(group: GroupSnapshot) -> Iterator[tuple[list[int], np.ndarray]]:
    """Yield topics that are assigned together, and the owner of each partition number, int32.

    Topics for which racks have no effect are left out.
    """
    if not has_racks(group):
        return
    # If no subscriber has a rack, TopicAssignmentState reads no partition racks, and the rack pass
    # assigns nothing.
    racked = [
        topic
        for topic in np.flatnonzero(group.partition_count).tolist()
        if _subscriber_racks(group, topic).size
    ]
    needing = {topic for topic in racked if needs_racks(group, topic)}
    alike = defaultdict(list)
    for topic in racked if needing else ():
        alike[int(group.subscribers.set_of_topic[topic]), int(group.partition_count[topic])].append(
            topic
        )
    for topics in alike.values():
        if len(topics) > 1 or topics[0] in needing:
            yield topics, _owners(group, topics)


def needs_racks(group: GroupSnapshot, topic: int) -> bool:
    """Return whether racks can change the assignment of a topic, as in `topic_needs_racks`."""
    return topic_needs_racks(group, topic, group.subscribers.of_topic(topic))


def _subscriber_racks(group: GroupSnapshot, topic: int) -> np.ndarray:
    return racks_of(group, group.subscribers.of_topic(topic))


def _owners(group: GroupSnapshot, topics: list[int]) -> np.ndarray:
    members = group.subscribers.of_topic(topics[0])
    rack_of_place = group.member_rack[members].tolist()
    places = Places(len(rack_of_place), int(group.partition_count[topics[0]]))
    fill, fits = (
        places.fill_by_partition if len(topics) > 1 else places.fill_by_fit,
        matching(group, topics),
    )
    fill(rack_of_place, fits)
    places.fill_rest()
    for topic in topics:
        places.tell(group.tps_of(topic), members, rack_of_place, fits)
    return members[places.owner]


def matching(group: GroupSnapshot, topics: list[int]) -> dict[int, np.ndarray]:
    """For each rack, mark partition n if partition n of every topic has a replica in the rack.

    Return bool (partitions,) for each rack of a subscriber, and for `NO_RACK`, which matches every
    partition.
    """
    # TopicAssignmentState.racksMatch is true for a consumer without a rack.
    everywhere = {NO_RACK: np.ones(int(group.partition_count[topics[0]]), dtype=bool)}
    return everywhere | partitions_in(group, topics, _subscriber_racks(group, topics[0]).tolist())
