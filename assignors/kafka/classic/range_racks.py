"""The rack pass of range (KIP-881): partitions go first to members in a rack that holds a replica.

Topics with the same subscribers and the same size are handled as one, so that equal numbers of co-partitioned topics stay with one member.
As soon as one topic of the group needs racks, this applies to all of them.
"""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.dealing import Places
from evenkeel.assignors.group.racks import has_racks, partitions_in, racks_of, topic_needs_racks


def owners_by_rack(group: GroupSnapshot) -> Iterator[tuple[list[int], np.ndarray]]:
    """Yield topics and the owner of each partition number, int32, the same in all of them; no topics that plain range serves."""
    if not has_racks(group):
        return
    # Without a subscriber's rack, TopicAssignmentState reads no racks of partitions, and the rack pass has nothing to assign.
    racked = [topic for topic in np.flatnonzero(group.partition_count).tolist() if _subscriber_racks(group, topic).size]
    needing = {topic for topic in racked if needs_racks(group, topic)}
    alike = defaultdict(list)
    for topic in racked if needing else ():
        alike[int(group.subscribers.set_of_topic[topic]), int(group.partition_count[topic])].append(topic)
    for topics in alike.values():
        if len(topics) > 1 or topics[0] in needing:
            yield topics, _owners(group, topics)


def needs_racks(group: GroupSnapshot, topic: int) -> bool:
    """Tell whether a subscriber shares a rack with a replica and the partitions' racks differ."""
    return topic_needs_racks(group, topic, group.subscribers.of_topic(topic))


def _subscriber_racks(group: GroupSnapshot, topic: int) -> np.ndarray:
    return racks_of(group, group.subscribers.of_topic(topic))


def _owners(group: GroupSnapshot, topics: list[int]) -> np.ndarray:
    members = group.subscribers.of_topic(topics[0])
    rack_of_place = group.member_rack[members].tolist()
    places = Places(len(rack_of_place), int(group.partition_count[topics[0]]))
    fill = places.fill_by_partition if len(topics) > 1 else places.fill_by_fit
    fill(rack_of_place, matching(group, topics))
    places.fill_rest()
    return members[places.owner]


def matching(group: GroupSnapshot, topics: list[int]) -> dict[int, np.ndarray]:
    """For each rack of the subscribers, bool (partitions,): in all the topics this partition has a replica there; `NO_RACK` matches all."""
    # TopicAssignmentState.racksMatch is true for a consumer without a rack.
    everywhere = {NO_RACK: np.ones(int(group.partition_count[topics[0]]), dtype=bool)}
    return everywhere | partitions_in(group, topics, _subscriber_racks(group, topics[0]).tolist())
