"""The rack pass of range (KIP-881): partitions go first to members in a rack that holds a replica.

Topics with the same subscribers and the same size are handled as one, so that equal numbers of co-partitioned topics stay with one member.
As soon as one topic of the group needs racks, this applies to all of them.
"""

from collections import defaultdict, deque
from collections.abc import Iterator
from itertools import islice

import numpy as np

from assignors.assignment import UNASSIGNED
from assignors.group import NO_RACK, GroupSnapshot


def owners_by_rack(group: GroupSnapshot) -> Iterator[tuple[list[int], np.ndarray]]:
    """Yield topics and the owner of each partition number, int32, the same in all of them; no topics that plain range serves."""
    if not group.rack_name or not (group.member_rack != NO_RACK).any() or not (group.replica_rack != NO_RACK).any():
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
    partition, rack = _replicas(group, topic)
    topic_racks = np.unique(rack)
    if not np.isin(topic_racks, _subscriber_racks(group, topic)).any():
        return False
    held = np.unique(partition * len(group.rack_name) + rack)
    return held.size != topic_racks.size * group.partition_count[topic]


def _subscriber_racks(group: GroupSnapshot, topic: int) -> np.ndarray:
    racks = np.unique(group.member_rack[group.subscribers.of_topic(topic)])
    return racks[racks != NO_RACK]


def _replicas(group: GroupSnapshot, topic: int) -> tuple[np.ndarray, np.ndarray]:
    """Return partition and rack of each replica with a known rack."""
    tps = group.tps_of(topic)
    start = group.replica_start[tps.start : tps.stop + 1]
    rack = group.replica_rack[start[0] : start[-1]]
    partition = np.repeat(np.arange(tps.stop - tps.start), np.diff(start))
    return partition[rack != NO_RACK], rack[rack != NO_RACK]


def _owners(group: GroupSnapshot, topics: list[int]) -> np.ndarray:
    members = group.subscribers.of_topic(topics[0])
    rack_of_place = group.member_rack[members].tolist()
    fits_by_rack = matching(group, topics)
    places = _Places(len(rack_of_place), int(group.partition_count[topics[0]]))
    if len(topics) > 1:
        _fill_by_partition(places, rack_of_place, fits_by_rack)
    else:
        pools = {rack: places.unassigned(np.flatnonzero(fits).tolist()) for rack, fits in fits_by_rack.items()}
        _fill_by_place(places, [pools[rack] for rack in rack_of_place])
    _fill_by_place(places, [places.unassigned(range(len(places.owner)))] * len(rack_of_place))
    return members[places.owner]


def matching(group: GroupSnapshot, topics: list[int]) -> dict[int, np.ndarray]:
    """For each rack of the subscribers, bool (partitions,): in all the topics this partition has a replica there; `NO_RACK` matches all."""
    partition_count = int(group.partition_count[topics[0]])
    # TopicAssignmentState.racksMatch is true for a consumer without a rack.
    fits_by_rack = {rack: np.ones(partition_count, dtype=bool) for rack in (NO_RACK, *_subscriber_racks(group, topics[0]).tolist())}
    for topic in topics:
        partition, replica_rack = _replicas(group, topic)
        for rack, fits in fits_by_rack.items():
            if rack != NO_RACK:
                fits &= np.bincount(partition[replica_rack == rack], minlength=partition_count) > 0
    return fits_by_rack


class _Places:
    """Owners so far, members as places in MemberInfo order, and how many more partitions each may get."""

    def __init__(self, member_count: int, partition_count: int):
        self.owner = [UNASSIGNED] * partition_count
        self._base, self._extra_count = divmod(partition_count, member_count)
        self._given = [0] * member_count

    def capacity(self, place: int) -> int:
        # TopicAssignmentState.maxAssignable has the same bound: a member with an extra partition is beyond its share once no extra is left.
        return max(0, self._base + (self._extra_count > 0) - self._given[place])

    def give(self, place: int, partitions: list[int]):
        for partition in partitions:
            self.owner[partition] = place
        self._given[place] += len(partitions)
        if self._given[place] > self._base:
            self._extra_count -= 1

    def unassigned(self, partitions) -> Iterator[int]:
        """Yield the unassigned ones of `partitions`, as of the moment each is reached."""
        return (partition for partition in partitions if self.owner[partition] == UNASSIGNED)


def _fill_by_place(places: _Places, pools: list[Iterator[int]]):
    """Give each place in turn the first partitions of its pool, up to its capacity."""
    for place, pool in enumerate(pools):
        partitions = list(islice(pool, places.capacity(place)))
        if partitions:
            places.give(place, partitions)


def _fill_by_partition(places: _Places, rack_of_place: list[int], matching: dict[int, np.ndarray]):
    """Give each partition number in turn to the first place that matches and has capacity."""
    waiting = {rack: deque() for rack in matching}
    for place, rack in enumerate(rack_of_place):
        waiting[rack].append(place)
    # Capacity never grows, so a full place leaves its queue for good.
    for partition, fits in enumerate(zip(*(matches.tolist() for matches in matching.values()))):
        first = [_first_with_capacity(places, queue) for queue, matches in zip(waiting.values(), fits) if matches]
        place = min((place for place in first if place is not None), default=None)
        if place is not None:
            places.give(place, [partition])


def _first_with_capacity(places: _Places, queue: deque) -> int | None:
    while queue and not places.capacity(queue[0]):
        queue.popleft()
    return queue[0] if queue else None
