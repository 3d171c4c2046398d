"""Sticky: as even as possible, and then as few changes of owner as possible.

Reproduces `org.apache.kafka.clients.consumer.StickyAssignor` with rack awareness (KIP-881).
"""

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.kafka.classic.abstract_sticky.assignor import AbstractStickyAssignor


@dataclass(frozen=True)
class StickyAssignor(AbstractStickyAssignor):
    """The `sticky` strategy, eager: every member first gives up everything, so partitions that move go to their new owner at once.

    Members report what they own, and the generation in which they got it, in the user data of their subscription.
    """

    name: ClassVar[str] = "sticky"
    protocol: ClassVar[str] = "sticky"
    java_class: ClassVar[str] = "org.apache.kafka.clients.consumer.StickyAssignor"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what."""
        outcome = self._outcome(group)
        return Assignment(outcome.owner, outcome.extra, assumed=outcome.assumed)
