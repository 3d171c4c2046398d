"""Sticky: as even as possible, and then as few changes of owner as possible.

Reproduces `org.apache.kafka.clients.consumer.StickyAssignor` with rack awareness (KIP-881).
"""

from dataclasses import dataclass
from typing import ClassVar

from assignors.assignment import Assignment
from assignors.errors import AssignorError
from assignors.group import GroupSnapshot
from assignors.kafka.classic.abstract_sticky.assign import assign_sticky
from assignors.kafka.release import Release


@dataclass(frozen=True)
class StickyAssignor(Release):
    """The `sticky` strategy, eager: every member first gives up everything, so partitions that move go to their new owner at once.

    Members report what they own, and the generation in which they got it, in the user data of their subscription.
    """

    group_type: ClassVar[str] = "classic"
    name: ClassVar[str] = "sticky"
    protocol: ClassVar[str] = "sticky"
    java_class: ClassVar[str] = "org.apache.kafka.clients.consumer.StickyAssignor"
    known_since: ClassVar[str] = "3.7.1"
    kafka_python_class: ClassVar[str] = "StickyPartitionAssignor"
    differs_in: ClassVar[tuple[str, ...]] = ("kafka-python",)
    quirks: ClassVar[tuple[str, ...]] = ("Q-4", "Q-5", "Q-6", "Q-8", "Q-9")
    quirk_owner: ClassVar[str] = "Kafka's sticky assignors"
    uses_racks: ClassVar[bool] = True
    uses_generations: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what."""
        try:
            outcome = assign_sticky(group, self.max_generation)
        except AssignorError as error:
            raise error.named(self.name) from error
        return Assignment(outcome.owner, outcome.extra, assumed=outcome.assumed)
