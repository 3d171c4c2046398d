"""Cooperative-sticky: sticky in two rounds; what moves is revoked first and assigned next (KIP-429).

Reproduces `org.apache.kafka.clients.consumer.CooperativeStickyAssignor`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assignors.assignment import UNASSIGNED, Assignment
from assignors.errors import AssignorError
from assignors.group import GroupSnapshot
from assignors.kafka.classic.abstract_sticky.assign import assign_sticky
from assignors.kafka.release import Release


@dataclass(frozen=True)
class CooperativeStickyAssignor(Release):
    """The `cooperative-sticky` strategy: members keep working; what another member still has is withheld until the next round."""

    group_type: ClassVar[str] = "classic"
    name: ClassVar[str] = "cooperative-sticky"
    protocol: ClassVar[str] = "cooperative-sticky"
    java_class: ClassVar[str] = "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"
    known_since: ClassVar[str] = "3.7.1"
    is_cooperative: ClassVar[bool] = True
    librdkafka_name: ClassVar[str] = "cooperative-sticky"
    kafka_python_class: ClassVar[str] = "CooperativeStickyAssignor"
    differs_in: ClassVar[tuple[str, ...]] = ("librdkafka", "kafka-python")
    quirks: ClassVar[tuple[str, ...]] = ("Q-4", "Q-5", "Q-6", "Q-8", "Q-9")
    quirk_owner: ClassVar[str] = "Kafka's sticky assignors"
    uses_racks: ClassVar[bool] = True
    uses_generations: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what after this round, and what is withheld."""
        try:
            outcome = assign_sticky(group, self.max_generation)
        except AssignorError as error:
            raise error.named(self.name) from error
        withheld = np.column_stack((outcome.owner[outcome.transferred], outcome.transferred)).astype(np.int32)
        outcome.owner[outcome.transferred] = UNASSIGNED
        return Assignment(outcome.owner, outcome.extra, withheld, outcome.assumed)
