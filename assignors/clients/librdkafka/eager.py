"""Range and round-robin of librdkafka: like Kafka's, except for the member order and the racks
(KIP-881).

Reproduces `rd_kafka_range_assignor_assign_cb` of 2.6.1 and newer, and
`rd_kafka_roundrobin_assignor_assign_cb` of all releases.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.clients.client import ClientAssignor
from evenkeel.assignors.clients.librdkafka.known_group import (
    known_members,
    sorted_members,
    sorted_subscribers,
    subscribers_in,
)
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.dealing.places import Places
from evenkeel.assignors.group.dealing.ranges import even_ranges
from evenkeel.assignors.group.dealing.rings import owners_in_ring
from evenkeel.assignors.group.racks import has_racks, partitions_in, racks_of, topic_needs_racks
from evenkeel.assignors.group.subscriptions import Subscribers
from evenkeel.assignors.protocol import TopicOrder


@dataclass(frozen=True)
class LibrdkafkaRangeAssignor(ClientAssignor):
    """The `range` strategy, with librdkafka's member order and rack rules."""

    client: ClassVar[str] = "librdkafka"
    name: ClassVar[str] = "range"
    quirks: ClassVar[tuple[str, ...]] = ("remainder", "Q-39")
    quirk_owner: ClassVar[str] = "librdkafka's range assignor"
    uses_racks: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners. Without members, no partition is assigned."""
        subscribers = sorted_subscribers(group)
        owner = even_ranges(group, subscribers)
        for topics, owners in _owners_by_rack(group, subscribers):
            for topic in topics:
                owner[group.tps_of(topic)] = owners
        return Assignment(owner)


@dataclass(frozen=True)
class LibrdkafkaRoundRobinAssignor(ClientAssignor):
    """The `roundrobin` strategy, with librdkafka's member order. A group without members is not an
    error: its assignment is empty.
    """

    client: ClassVar[str] = "librdkafka"
    name: ClassVar[str] = "roundrobin"
    quirks: ClassVar[tuple[str, ...]] = ("Q-3", "Q-39")
    quirk_owner: ClassVar[str] = "librdkafka's roundrobin assignor"
    topic_order: ClassVar[TopicOrder] = TopicOrder.ASCENDING

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners."""
        ring = sorted_members(group, known_members(group))
        place = np.full(group.member_count, -1, dtype=np.int64)
        place[ring] = np.arange(ring.size)
        return Assignment(owners_in_ring(group, subscribers_in(group, ring), place))


def _owners_by_rack(
    group: GroupSnapshot, subscribers: Subscribers
) -> Iterator[tuple[list[int], np.ndarray]]:
    """Yield (topics, owners). The topics have the same subscribers and the same number of
    partitions, and so the same owners: the member for each partition number, int32. Topics that are
    assigned without racks are left out.
    """
    if not has_racks(group):
        return
    alike = defaultdict(list)
    for topic in np.flatnonzero(group.partition_count * subscribers.count_of_topic).tolist():
        alike[subscribers.of_topic(topic).tobytes(), int(group.partition_count[topic])].append(
            topic
        )
    for topics in alike.values():
        members = subscribers.of_topic(topics[0])
        # Several topics are always assigned by racks, even if no topic needs racks.
        if len(topics) > 1 or topic_needs_racks(group, topics[0], members):
            yield topics, _owners(group, topics, members)


def _owners(group: GroupSnapshot, topics: list[int], members: np.ndarray) -> np.ndarray:
    rack_of_place = group.member_rack[members].tolist()
    places = Places(members.size, int(group.partition_count[topics[0]]))
    fits = partitions_in(group, topics, racks_of(group, members).tolist())
    if len(topics) > 1:
        # Unlike in Java, a member without a rack fits no partition of these topics. If a topic is
        # assigned alone, such a member fits all partitions.
        places.fill_by_partition(rack_of_place, fits)
    else:
        fits |= {NO_RACK: np.ones(len(places.owner), dtype=bool)}
        places.fill_by_fit(rack_of_place, fits)
    places.fill_rest()
    for topic in topics:
        places.tell(group.tps_of(topic), members, rack_of_place, fits)
    return members[places.owner]
