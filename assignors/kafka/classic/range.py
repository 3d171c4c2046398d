"""Range: each topic's partitions in contiguous runs, one run per subscriber.

Reproduces `org.apache.kafka.clients.consumer.RangeAssignor` with rack awareness (KIP-881).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing import even_ranges
from evenkeel.assignors.kafka.classic.range_racks import owners_by_rack
from evenkeel.assignors.kafka.release import Release


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
    """Return the owners by ranges alone, int32 (P,)."""
    return even_ranges(group, group.subscribers)
