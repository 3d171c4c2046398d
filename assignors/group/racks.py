"""Racks of replicas and members, and whether racks have an influence on the assignment
(KIP-881).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.group.snapshot import NO_RACK, GroupSnapshot


@dataclass(frozen=True, eq=False)
class Racks:
    """The rack of each member, and the racks with a replica of each partition.

    Parameters
    ----------
    member_rack : int32 (M,)
        Number of the member's rack, or `NO_RACK`.
    has : bool (P + B, racks)
        Whether the rack has a replica of the partition. Always False for the last B partitions,
        which members claim although they do not exist.
    """

    member_rack: np.ndarray
    has: np.ndarray

    def match(self, member: np.ndarray | int, row: np.ndarray | int) -> np.ndarray:
        """Return whether the member has a rack, and its rack has a replica of the partition."""
        rack = self.member_rack[member]
        return (rack != NO_RACK) & self.has[row, rack]

    def mismatch(self, member: np.ndarray | int, row: np.ndarray | int) -> np.ndarray:
        """Return whether the member has a rack, but its rack has no replica of the partition."""
        rack = self.member_rack[member]
        return (rack != NO_RACK) & ~self.has[row, rack]

    def near_count(self, row: np.ndarray) -> np.ndarray:
        """Return how many members have a replica of the partition in their rack, int64."""
        with_rack = self.member_rack[self.member_rack != NO_RACK]
        return self.has[row] @ np.bincount(with_rack, minlength=self.has.shape[1])


def has_racks(group: GroupSnapshot) -> bool:
    """Return whether at least one member and at least one replica have a rack."""
    return bool(
        group.rack_name
        and (group.member_rack != NO_RACK).any()
        and (group.replica_rack != NO_RACK).any()
    )


def racks_of(group: GroupSnapshot, members: np.ndarray) -> np.ndarray:
    """Return the different racks of these members, ascending, without `NO_RACK`."""
    racks = np.unique(group.member_rack[members])
    return racks[racks != NO_RACK]


def topic_needs_racks(group: GroupSnapshot, topic: int, members: np.ndarray) -> bool:
    """Return whether racks can change the assignment of a topic.

    True if a member's rack has a replica, and not all partitions have replicas in the same racks.
    `members`: the subscribers.
    """
    partition, rack = _replicas(group, topic)
    topic_racks = np.unique(rack)
    if not np.isin(topic_racks, racks_of(group, members)).any():
        return False
    held = np.unique(partition * len(group.rack_name) + rack)
    return held.size != topic_racks.size * group.partition_count[topic]


def partitions_in(
    group: GroupSnapshot, topics: Sequence[int], racks: Iterable[int]
) -> dict[int, np.ndarray]:
    """For each rack, mark partition n if partition n of every topic has a replica in the rack.

    Return bool (partitions,) for each rack. All topics have the same number of partitions.
    """
    partition_count = int(group.partition_count[topics[0]])
    fits = {rack: np.ones(partition_count, dtype=bool) for rack in racks}
    for topic in topics:
        partition, replica_rack = _replicas(group, topic)
        for rack, each in fits.items():
            each &= np.bincount(partition[replica_rack == rack], minlength=partition_count) > 0
    return fits


def _replicas(group: GroupSnapshot, topic: int) -> tuple[np.ndarray, np.ndarray]:
    """Return partition number and rack of each replica that has a rack."""
    tps = group.tps_of(topic)
    start = group.replica_start[tps.start : tps.stop + 1]
    rack = group.replica_rack[start[0] : start[-1]]
    partition = np.repeat(np.arange(tps.stop - tps.start), np.diff(start))
    return partition[rack != NO_RACK], rack[rack != NO_RACK]
