"""AbstractStickyAssignor: what both sticky assignors say of themselves, and the answer of both before cooperation.

Named after `org.apache.kafka.clients.consumer.internals.AbstractStickyAssignor`.
"""

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.kafka.classic.abstract_sticky.assign import assign_sticky
from evenkeel.assignors.kafka.classic.abstract_sticky.outcome import Outcome
from evenkeel.assignors.kafka.release import Release


@dataclass(frozen=True)
class AbstractStickyAssignor(Release):
    """The base of both."""

    group_type: ClassVar[str] = "classic"
    known_since: ClassVar[str] = "3.7.1"
    quirks: ClassVar[tuple[str, ...]] = ("Q-4", "Q-5", "Q-6", "Q-8", "Q-9")
    quirk_owner: ClassVar[str] = "Kafka's sticky assignors"
    uses_racks: ClassVar[bool] = True
    uses_generations: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def _outcome(self, group: GroupSnapshot) -> Outcome:
        try:
            return assign_sticky(group, self.max_generation)
        except AssignorError as error:
            raise error.named(self.name) from error
