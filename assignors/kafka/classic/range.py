"""Range: each topic's partitions in contiguous runs, one run per subscriber.

Reproduces `org.apache.kafka.clients.consumer.RangeAssignor` with rack awareness (KIP-881).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assignors.assignment import UNASSIGNED, Assignment
from assignors.group import GroupSnapshot
from assignors.kafka.classic.range_racks import owners_by_rack
from assignors.kafka.classic.topic_runs import topic_runs
from assignors.kafka.release import Release


@dataclass(frozen=True)
class RangeAssignor(Release):
    """The `range` strategy. The first `partitions % subscribers` members get one more."""

    group_type: ClassVar[str] = "classic"
    name: ClassVar[str] = "range"
    protocol: ClassVar[str] = "range"
    java_class: ClassVar[str] = "org.apache.kafka.clients.consumer.RangeAssignor"
    known_since: ClassVar[str] = "3.5.0"
    librdkafka_name: ClassVar[str] = "range"
    kafka_python_class: ClassVar[str] = "RangePartitionAssignor"
    quirks: ClassVar[tuple[str, ...]] = ("Q-1", "Q-2", "remainder", "Q-25")
    quirk_owner: ClassVar[str] = "Kafka's range assignor"
    uses_racks: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what; without members nothing is assigned."""
        owner = owners_without_racks(group)
        for topics, owners in owners_by_rack(group):
            for topic in topics:
                owner[group.tps_of(topic)] = owners
        return Assignment(owner, assumed=group.member_order.assumed)


def owners_without_racks(group: GroupSnapshot) -> np.ndarray:
    """Return the owners by runs alone, int32 (P,)."""
    owner = np.empty(group.tp_count, dtype=np.int32)
    for topics, tps in topic_runs(group, group.subscribers.count_of_topic, group.partition_count):
        partition_count = int(group.partition_count[topics[0]])
        owner[tps].reshape(-1, partition_count)[:] = _ranges(_members(group, topics), partition_count)
    return owner


def _members(group: GroupSnapshot, topics: np.ndarray) -> np.ndarray:
    """Return the subscribers of topics with equal subscriber counts, int32: a row for each topic, or one row if all have the same."""
    members, sets = group.subscribers.members, group.subscribers.set_of_topic[topics]
    return members[sets[0]][None] if (sets == sets[0]).all() else np.stack([members[each] for each in sets.tolist()])


def _ranges(members: np.ndarray, partition_count: int) -> np.ndarray | int:
    """Return the owners of the topics' partitions, a row for each row of members; `UNASSIGNED` without members."""
    if not members.size:
        return UNASSIGNED
    least, more = divmod(partition_count, members.shape[1])
    return np.repeat(members, least + (np.arange(members.shape[1]) < more) if more else least, axis=1)
