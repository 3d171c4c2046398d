"""Round-robin: partitions one by one, topic by topic, to members in turn.

Reproduces `org.apache.kafka.clients.consumer.RoundRobinAssignor`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assignors.arrays import deal_in_turn
from assignors.assignment import UNASSIGNED, Assignment
from assignors.errors import AssignorError
from assignors.group import GroupSnapshot
from assignors.kafka.classic.topic_runs import topic_runs
from assignors.kafka.release import Release


@dataclass(frozen=True)
class RoundRobinAssignor(Release):
    """The `roundrobin` strategy.

    Members stand in a ring. A member that does not subscribe to a topic is skipped, which makes unequal subscriptions uneven. Racks and
    owned partitions do not count.
    """

    group_type: ClassVar[str] = "classic"
    name: ClassVar[str] = "roundrobin"
    protocol: ClassVar[str] = "roundrobin"
    java_class: ClassVar[str] = "org.apache.kafka.clients.consumer.RoundRobinAssignor"
    known_since: ClassVar[str] = "2.4.0"
    librdkafka_name: ClassVar[str] = "roundrobin"
    kafka_python_class: ClassVar[str] = "RoundRobinPartitionAssignor"
    quirks: ClassVar[tuple[str, ...]] = ("Q-3", "Q-25")
    quirk_owner: ClassVar[str] = "Kafka's roundrobin assignor"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what; a group without members raises IllegalArgumentException, as Kafka's ring does."""
        if not group.member_count:
            raise AssignorError("IllegalArgumentException", f"{self.name}: the group has 0 members, expected at least 1")
        owner = np.empty(group.tp_count, dtype=np.int32)
        # Set once: RoundRobinAssignor has one CircularIterator for all topics.
        pointer = 0
        for topics, tps in topic_runs(group, group.subscribers.set_of_topic):
            members = group.subscribers.of_topic(topics[0])
            if members.size:
                last = _deal(owner[tps], members, np.searchsorted(group.member_place[members], pointer) if pointer else 0)
                pointer = group.member_place[last] + 1
            else:
                owner[tps] = UNASSIGNED
        return Assignment(owner, assumed=group.member_order.assumed)


def _deal(owner: np.ndarray, members: np.ndarray, start: int) -> int:
    """Write members in turn into `owner`, from the one at `start`; return the last one written."""
    turn = np.concatenate((members[start:], members[:start]))[: owner.size]
    deal_in_turn(owner, turn)
    return owner[-1]
