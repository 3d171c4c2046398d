"""aiokafka: range and roundrobin by member id, sticky; static membership does not count.

Reproduces `aiokafka.coordinator.assignors` of aiokafka 0.14.0.
"""

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.other_clients.client import ClientAssignor
from evenkeel.assignors.other_clients.eager import OrderedRangeAssignor, OrderedRoundRobinAssignor
from evenkeel.assignors.other_clients.member_orders import by_member_id
from evenkeel.assignors.other_clients.python_sticky.assign import assign_python_sticky


@dataclass(frozen=True)
class AiokafkaRangeAssignor(OrderedRangeAssignor):
    """The `range` strategy (`RangePartitionAssignor`)."""

    client: ClassVar[str] = "aiokafka"
    quirk_owner: ClassVar[str] = "aiokafka's range"
    members_in_order = staticmethod(by_member_id)


@dataclass(frozen=True)
class AiokafkaRoundRobinAssignor(OrderedRoundRobinAssignor):
    """The `roundrobin` strategy (`RoundRobinPartitionAssignor`), aiokafka's default."""

    client: ClassVar[str] = "aiokafka"
    quirk_owner: ClassVar[str] = "aiokafka's roundrobin"
    members_in_order = staticmethod(by_member_id)


@dataclass(frozen=True)
class AiokafkaStickyAssignor(ClientAssignor):
    """The `sticky` strategy (`StickyPartitionAssignor`); its own members report no generation."""

    client: ClassVar[str] = "aiokafka"
    name: ClassVar[str] = "sticky"
    protocol: ClassVar[str] = "sticky"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10",)
    quirk_owner: ClassVar[str] = "aiokafka's sticky"
    uses_generations: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what."""
        return assign_python_sticky(group, moves_both=False)
