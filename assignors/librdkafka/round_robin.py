"""Round-robin of librdkafka: partitions one by one, topic by topic, to members in turn.

Reproduces `rd_kafka_roundrobin_assignor_assign_cb`, all releases.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing import owners_in_ring
from evenkeel.assignors.librdkafka.client import LibrdkafkaAssignor
from evenkeel.assignors.librdkafka.members import known_members, sorted_members, subscribers_in


@dataclass(frozen=True)
class LibrdkafkaRoundRobinAssignor(LibrdkafkaAssignor):
    """The `roundrobin` strategy, with librdkafka's order of members. A group without members gets an empty answer, not an error."""

    name: ClassVar[str] = "roundrobin"
    protocol: ClassVar[str] = "roundrobin"
    quirks: ClassVar[tuple[str, ...]] = ("Q-3", "Q-39")
    quirk_owner: ClassVar[str] = "librdkafka's roundrobin assignor"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what."""
        ring = sorted_members(group, known_members(group))
        place = np.empty(group.member_count, dtype=np.int64)
        place[ring] = np.arange(ring.size)
        return Assignment(owners_in_ring(group, subscribers_in(group, ring), place))
