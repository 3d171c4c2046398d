"""kafkajs: its only assignor deals the leader's topics to all members, by member id.

Reproduces `RoundRobinAssigner` of kafkajs 2.2.4.
"""

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.other_clients.client import ClientAssignor
from evenkeel.assignors.other_clients.leaders_topics import dealt_to_all


@dataclass(frozen=True)
class KafkajsRoundRobinAssignor(ClientAssignor):
    """The `RoundRobinAssigner` strategy: a member can get partitions of topics that it does not subscribe to."""

    client: ClassVar[str] = "kafkajs"
    name: ClassVar[str] = "roundrobin"
    protocol: ClassVar[str] = "RoundRobinAssigner"
    quirks: ClassVar[tuple[str, ...]] = ("Q-32", "Q-10")
    quirk_owner: ClassVar[str] = "kafkajs's roundrobin"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what."""
        # JavaScript compares strings by UTF-16 unit, as Java does.
        return dealt_to_all(group, group.members_by_id)
