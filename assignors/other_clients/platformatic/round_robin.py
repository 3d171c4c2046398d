"""Round-robin of @platformatic/kafka: the leader's topics, dealt to all members in the order reported.

Reproduces `roundRobinAssigner` of @platformatic/kafka 1.35.0 and 2.12.1.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.other_clients.client import ClientAssignor
from evenkeel.assignors.other_clients.leaders_topics import dealt_to_all


@dataclass(frozen=True)
class PlatformaticRoundRobinAssignor(ClientAssignor):
    """The `roundrobin` strategy: a member can get partitions of topics that it does not subscribe to."""

    client: ClassVar[str] = "platformatic"
    name: ClassVar[str] = "roundrobin"
    protocol: ClassVar[str] = "roundrobin"
    quirks: ClassVar[tuple[str, ...]] = ("Q-32", "Q-10")
    quirk_owner: ClassVar[str] = "platformatic's roundrobin"
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what."""
        return dealt_to_all(group, np.arange(group.member_count, dtype=np.int32))
