"""kafka-go (segmentio): range and roundrobin in member id order. Each topic is assigned separately.

Reproduces `RangeGroupBalancer` and `RoundRobinGroupBalancer` of kafka-go 0.4.51.
"""

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.clients.client import (
    Client,
    ClientAssignor,
    SentSubscription,
    WrittenAssignment,
    by_name,
)
from evenkeel.assignors.clients.strategies import by_member_id
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing.ranges import even_ranges
from evenkeel.assignors.group.dealing.rings import deal_and_tell


@dataclass(frozen=True)
class KafkaGoRangeAssignor(ClientAssignor):
    """The `range` strategy. If the partitions do not divide evenly, some subscribers get one more
    partition. These subscribers are spread over the list of subscribers and always include the
    last.
    """

    client: ClassVar[str] = "kafka-go"
    name: ClassVar[str] = "range"
    quirks: ClassVar[tuple[str, ...]] = ("Q-37", "Q-10")
    quirk_owner: ClassVar[str] = "kafka-go's range"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners."""
        return Assignment(
            even_ranges(group, group.subscribers_in(by_member_id(group).rows), _rounded_down)
        )


@dataclass(frozen=True)
class KafkaGoRoundRobinAssignor(ClientAssignor):
    """The `roundrobin` strategy. Each topic starts with its first subscriber."""

    client: ClassVar[str] = "kafka-go"
    name: ClassVar[str] = "roundrobin"
    quirks: ClassVar[tuple[str, ...]] = ("remainder", "Q-10")
    quirk_owner: ClassVar[str] = "kafka-go's roundrobin"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners."""
        owner = group.unowned()
        subscribers = group.subscribers_in(by_member_id(group).rows)
        for topic in np.flatnonzero(group.in_play).tolist():
            deal_and_tell(owner[tps := group.tps_of(topic)], subscribers.of_topic(topic), tps)
        return Assignment(owner)


def _rounded_down(partition_count: int, subscriber_count: int) -> np.ndarray:
    return np.diff(np.arange(subscriber_count + 1) * partition_count // subscriber_count)


def _sends(sent: SentSubscription, _protocol: str) -> bool:
    # The version field is 1, but the bytes end after the user data.
    return sent.version == 1 and sent.owned is None


def _writes(assignment: WrittenAssignment, _protocol: str) -> bool:
    return (assignment.version, assignment.user_data) == (1, None)


CLIENT = Client(
    name="kafka-go",
    assignors=by_name(KafkaGoRangeAssignor, KafkaGoRoundRobinAssignor),
    releases="0.4",
    default_client_id=re.compile(r".*\(github\.com/segmentio/kafka-go\)"),
    own_protocols=("rack-affinity",),
    sends=_sends,
    writes=_writes,
)
