"""Cooperative-sticky: sticky in two rounds; what moves is revoked first and assigned next (KIP-429).

Reproduces `org.apache.kafka.clients.consumer.CooperativeStickyAssignor`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.kafka.classic.abstract_sticky.assignor import AbstractStickyAssignor


@dataclass(frozen=True)
class CooperativeStickyAssignor(AbstractStickyAssignor):
    """The `cooperative-sticky` strategy: members keep working; what another member still has is withheld until the next round."""

    name: ClassVar[str] = "cooperative-sticky"
    protocol: ClassVar[str] = "cooperative-sticky"
    java_class: ClassVar[str] = "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"
    is_cooperative: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what after this round, and what is withheld."""
        outcome = self._outcome(group)
        withheld = np.column_stack((outcome.owner[outcome.transferred], outcome.transferred)).astype(np.int32)
        outcome.owner[outcome.transferred] = UNASSIGNED
        return Assignment(outcome.owner, outcome.extra, withheld, outcome.assumed)
