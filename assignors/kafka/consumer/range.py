"""Range on the broker: each topic's partitions in contiguous runs, one run per subscriber.

Reproduces `org.apache.kafka.coordinator.group.assignor.RangeAssignor`.
"""

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.kafka.classic.range import owners_without_racks
from evenkeel.assignors.kafka.release import Release


@dataclass(frozen=True)
class BrokerRangeAssignor(Release):
    """The broker's `range` strategy, KIP-848: the client's in the same member order; neither racks nor what is owned count."""

    group_type: ClassVar[str] = "consumer"
    name: ClassVar[str] = "broker-range"
    protocol: ClassVar[str] = "range"
    known_since: ClassVar[str] = "3.9.0"
    label: ClassVar[str] = "KIP-848"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10", "remainder", "Q-25")
    quirk_owner: ClassVar[str] = "Kafka's broker"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what; without members nothing is assigned."""
        return Assignment(owners_without_racks(group), assumed=group.member_order.assumed)
