"""Round-robin: partitions are dealt one at a time, topic by topic, to members in turn.

Reproduces `org.apache.kafka.clients.consumer.RoundRobinAssignor`.
"""

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing.rings import owners_in_ring
from evenkeel.assignors.kafka.release import Release
from evenkeel.assignors.protocol import CLASSIC, TopicOrder


@dataclass(frozen=True)
class RoundRobinAssignor(Release):
    """The `roundrobin` strategy.

    Members take turns in a ring. Members that do not subscribe to the topic are skipped. If
    subscriptions differ, partition counts are therefore uneven. Racks and owned partitions have no
    effect.
    """

    group_type: ClassVar[str] = CLASSIC
    name: ClassVar[str] = "roundrobin"
    java_class: ClassVar[str] = "org.apache.kafka.clients.consumer.RoundRobinAssignor"
    known_since: ClassVar[str] = "2.4.0"
    quirks: ClassVar[tuple[str, ...]] = ("Q-3", "Q-25")
    topic_order: ClassVar[TopicOrder] = TopicOrder.ASCENDING
    quirk_owner: ClassVar[str] = "Kafka's roundrobin assignor"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners.

        Raise IllegalArgumentException if the group has no members, as Kafka's CircularIterator
        does.
        """
        if not group.member_count:
            raise AssignorError(
                "IllegalArgumentException",
                f"{self.name}: the group has 0 members, expected at least 1",
            )
        return Assignment(
            owners_in_ring(group, group.subscribers, group.member_place),
            assumed=group.member_order.assumed,
        )
