"""The assignor `lag` for consumers of aiokafka 0.14.

    settings = {
        "bootstrap_servers": "broker-1:9092",
        "group_id": "payments",
        "auto_offset_reset": "earliest",
    }
    strategy = [LagAssignor(settings)]
    consumer = AIOKafkaConsumer("orders", partition_assignment_strategy=strategy, **settings)

In aiokafka an assignor cannot be a coroutine. So the event loop of the group's leader is blocked
while the assignor reads lags, for at most `time_limit` seconds.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from aiokafka import AIOKafkaConsumer
from aiokafka.coordinator.assignors.abstract import AbstractPartitionAssignor
from aiokafka.coordinator.protocol import (
    ConsumerProtocolMemberAssignment,
    ConsumerProtocolMemberMetadata,
)

from evenkeel_assignors import user_data
from evenkeel_assignors.kafka_lags import AiokafkaReads
from evenkeel_assignors.leading import Journal, Leading
from evenkeel_assignors.reading import Partitions
from evenkeel_assignors.rule import Held, Member

_VERSION = 0


class LagAssignor(AbstractPartitionAssignor):
    """The rule of KAFKA-5337 for consumers of aiokafka. Each consumer needs its own instance.

    The parameters are as in `evenkeel_assignors.kafka_python.LagAssignor`. A group may have members
    with both assignors.
    """

    name = "lag"

    def __init__(
        self,
        settings: Mapping[str, Any],
        *,
        time_limit: float = 1.0,
        read: Callable[[Partitions], Mapping] | None = None,
        journal: Journal | None = None,
    ):
        session = inspect.signature(AIOKafkaConsumer).parameters["session_timeout_ms"].default
        self._leading = Leading(
            settings,
            AiokafkaReads,
            client="aiokafka",
            protocol=self.name,
            time_limit=time_limit,
            session_timeout_ms=session,
            read=read,
            journal=journal,
        )
        self._owned: Held = {}
        self._is_open = read is not None

    def metadata(self, topics: Iterable[str]) -> ConsumerProtocolMemberMetadata:
        """Return the metadata that this member sends when it joins."""
        if not self._is_open:
            # A client needs 0.3 s to connect. In the first assignment, this would block the loop.
            self._leading.open()
            self._is_open = True
        return ConsumerProtocolMemberMetadata(
            _VERSION, sorted(topics), self._leading.user_data(self._owned, user_data.NONE)
        )

    def on_assignment(self, assignment: ConsumerProtocolMemberAssignment) -> None:
        """Store the partitions of this member. The generation is unknown, because aiokafka does not
        pass it to this method.
        """
        held: dict[str, set[int]] = {}
        for tp in assignment.partitions():
            held.setdefault(tp.topic, set()).add(tp.partition)
        self._owned = {topic: sorted(numbers) for topic, numbers in sorted(held.items())}
        self._leading.assigned()

    def assign(
        self, cluster: Any, members: Mapping[str, ConsumerProtocolMemberMetadata]
    ) -> dict[str, ConsumerProtocolMemberAssignment]:
        """Return the assignment of each member. This method never raises an error."""
        given = self._leading.assign(
            {member: list(sent.subscription) for member, sent in members.items()},
            lambda: [_member(member, sent) for member, sent in members.items()],
            cluster.partitions_for_topic,
        )
        return {
            member: ConsumerProtocolMemberAssignment(_VERSION, sorted(held.items()), b"")
            for member, held in given.items()
        }


def _member(member_id: str, sent: ConsumerProtocolMemberMetadata) -> Member:
    report = user_data.decode(sent.user_data)
    return Member(member_id, list(sent.subscription), report.owned, report.generation)
