"""Assignors for consumers of kafka-python 3.0: `lag` (eager) and `cooperative-lag`.

settings = {
    "bootstrap_servers": "broker-1:9092",
    "group_id": "payments",
    "auto_offset_reset": "earliest",
}
strategy = [LagAssignor(settings)]
consumer = KafkaConsumer("orders", partition_assignment_strategy=strategy, **settings)
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from kafka import KafkaConsumer
from kafka.coordinator.assignors.abstract import AbstractPartitionAssignor, RebalanceProtocol
from kafka.protocol.consumer.metadata import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
)

from evenkeel_assignors import user_data
from evenkeel_assignors.kafka_lags import KafkaPythonReads
from evenkeel_assignors.leading import Journal, Leading
from evenkeel_assignors.reading import Partitions
from evenkeel_assignors.rule import Held, Member


class LagAssignor(AbstractPartitionAssignor):
    """The rule of KAFKA-5337 for consumers of kafka-python. Each consumer needs its own instance.

    Parameters
    ----------
    settings : mapping
        Settings of the consumer. The assignor reads lags with these settings.
    time_limit : float
        Time for reading lags, in seconds. If the lags arrive later, owners keep their partitions.
    read : function, optional
        Reads lags in place of Kafka: `read({topic: [numbers]})` returns `{(topic, number): lag}`;
        a missing lag is unknown.
    journal : path or function, optional
        Gets one JSON line for each assignment.
    """

    name = "lag"
    _is_cooperative = False
    _version = 0

    def __init__(
        self,
        settings: Mapping[str, Any],
        *,
        time_limit: float = 2.0,
        read: Callable[[Partitions], Mapping] | None = None,
        journal: Journal | None = None,
    ):
        self._leading = Leading(
            settings,
            KafkaPythonReads,
            client="kafka-python",
            protocol=self.name,
            time_limit=time_limit,
            session_timeout_ms=KafkaConsumer.DEFAULT_CONFIG["session_timeout_ms"],
            read=read,
            journal=journal,
            is_cooperative=self._is_cooperative,
        )
        self._owned: Held = {}
        self._generation = user_data.NONE

    def supported_protocols(self) -> list[RebalanceProtocol]:
        """Return the rebalance protocol of this assignor."""
        return [RebalanceProtocol.COOPERATIVE if self._is_cooperative else RebalanceProtocol.EAGER]

    def metadata(self, topics: Iterable[str]) -> ConsumerProtocolSubscription:
        """Return the subscription that this member sends when it joins."""
        sent = self._leading.user_data(self._owned, self._generation)
        return ConsumerProtocolSubscription(
            version=self._version, topics=sorted(topics), user_data=sent
        )

    def on_assignment(self, assignment: ConsumerProtocolAssignment, generation: int) -> None:
        """Store this member's partitions and generation."""
        self._owned, self._generation = _held(assignment.partitions()), generation
        self._leading.assigned()

    def assign(self, cluster: Any, members: Iterable[Any]) -> dict[str, ConsumerProtocolAssignment]:
        """Return the assignment of each member. This method never raises an error."""
        members = list(members)
        given = self._leading.assign(
            {member.member_id: list(member.metadata.topics) for member in members},
            lambda: [self._member(member.member_id, member.metadata) for member in members],
            cluster.partitions_for_topic,
        )
        return {
            member: ConsumerProtocolAssignment(self._version, sorted(held.items()), b"")
            for member, held in given.items()
        }

    def _member(self, member_id: str, sent: Any) -> Member:
        report = user_data.decode(sent.user_data)
        return Member(member_id, list(sent.topics), report.owned, report.generation)


class CooperativeLagAssignor(LagAssignor):
    """The rule of KAFKA-5337 in two rounds. A partition that moves is first revoked, then assigned
    in the second round. Other partitions do not pause.

    kafka-python refuses a list with eager and cooperative assignors.
    """

    name = "cooperative-lag"
    _is_cooperative = True
    _version = 2

    def metadata(self, topics: Iterable[str]) -> ConsumerProtocolSubscription:
        """Return the subscription that this member sends when it joins. The owned partitions are in
        Kafka's own field, not in user data.
        """
        owned = [
            ConsumerProtocolSubscription.TopicPartition(topic=topic, partitions=some)
            for topic, some in sorted(self._owned.items())
        ]
        return ConsumerProtocolSubscription(
            version=self._version,
            topics=sorted(topics),
            user_data=self._leading.user_data({}, self._generation),
            owned_partitions=owned,
            generation_id=self._generation,
        )

    def _member(self, member_id: str, sent: Any) -> Member:
        owned: dict[str, set[int]] = defaultdict(set)
        for claim in getattr(sent, "owned_partitions", None) or ():
            owned[claim.topic].update(claim.partitions)
        generation = getattr(sent, "generation_id", None)
        return Member(
            member_id,
            list(sent.topics),
            owned,
            user_data.NONE if generation is None else generation,
        )


def _held(tps: Iterable[Any]) -> Held:
    held: dict[str, set[int]] = defaultdict(set)
    for tp in tps:
        held[tp.topic].add(tp.partition)
    return {topic: sorted(numbers) for topic, numbers in sorted(held.items())}
