"""RawTopics: metadata of topics, and begin and end offsets from partition leaders, read by
kafka-python.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from kafka import errors
from kafka.future import Future
from kafka.protocol.consumer import ListOffsetsRequest
from kafka.protocol.metadata import MetadataRequest

Place = tuple[str, int]
"""Topic name and partition number."""

RETRIED = {
    errors.LeaderNotAvailableError.errno,
    errors.NotLeaderForPartitionError.errno,
    errors.OffsetNotAvailableError.errno,
}
"""Error codes of a partition whose leader is changing."""

UNREACHABLE = (
    errors.NodeNotReadyError,
    errors.KafkaConnectionError,
    errors.KafkaTimeoutError,
    errors.RequestTimedOutError,
)

# Timestamps in ListOffsets that mean the earliest and the latest offset.
_BEGIN, _END = -2, -1
UNCOMMITTED, COMMITTED = 0, 1
"""Isolation levels."""


class Bounds(NamedTuple):
    """Begin and end offsets by partition, and the error code of each refused partition."""

    begin: dict[Place, int]
    end: dict[Place, int]
    refused: dict[Place, int]


def sent(manager: Any, request: Any, node: int) -> Future:
    """Send a request to a broker. Return the answer as a Future. If the broker is not in the
    metadata, the Future fails with NodeNotReadyError.
    """
    try:
        return manager.send(request, node_id=node)
    except errors.UnknownBrokerIdError:
        return Future().failure(errors.NodeNotReadyError(node))


class RawTopics:
    """Requests about topics. `manager`: the manager of kafka-python's client."""

    def __init__(self, manager: Any):
        self._manager = manager

    def described(self, names: Iterable[str]) -> tuple[list[Any], dict[int, str | None]]:
        """Return the metadata of each topic and the rack of each broker.

        The metadata of a topic is a structure with `error_code`, `name`, `topic_id` and
        `partitions`.
        """
        wanted = [MetadataRequest.MetadataRequestTopic(name=name) for name in names]
        # Since version 10, topics have ids (KIP-516).
        response = self._manager.run(
            self._answer,
            MetadataRequest(topics=wanted, allow_auto_topic_creation=False, min_version=10),
        )
        return response.topics, {broker.node_id: broker.rack or None for broker in response.brokers}

    def bounds(self, leaders: Mapping[Place, int], reads_committed: bool) -> Bounds:
        """Return the begin and end offsets of partitions. The requests to all leaders are sent at
        once.

        If a leader cannot be reached, its partitions have the error LEADER_NOT_AVAILABLE.
        """
        return self._manager.run(
            self._bounds, leaders, COMMITTED if reads_committed else UNCOMMITTED
        )

    async def _answer(self, request: Any) -> Any:
        return await self._manager.send(request)

    async def _bounds(self, leaders: Mapping[Place, int], isolation: int) -> Bounds:
        by_node: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for (topic, number), node in leaders.items():
            by_node[node][topic].append(number)
        bounds = Bounds({}, {}, {})
        answers = [
            (offsets, topics, sent(self._manager, _listing(topics, which, isolation), node))
            for node, topics in by_node.items()
            for which, offsets in ((_BEGIN, bounds.begin), (_END, bounds.end))
        ]
        for offsets, topics, answer in answers:
            try:
                response = await answer
            except UNREACHABLE:
                bounds.refused.update(
                    ((topic, number), errors.LeaderNotAvailableError.errno)
                    for topic, numbers in topics.items()
                    for number in numbers
                )
                continue
            for topic in response.topics:
                name = topic.name
                for partition in topic.partitions:
                    if partition.error_code:
                        bounds.refused[name, partition.partition_index] = partition.error_code
                    else:
                        offsets[name, partition.partition_index] = partition.offset
        return bounds


def _listing(topics: Mapping[str, list[int]], which: int, isolation: int) -> ListOffsetsRequest:
    kind = ListOffsetsRequest.ListOffsetsTopic
    wanted = [
        kind(
            name=topic,
            partitions=[
                kind.ListOffsetsPartition(
                    partition_index=number, current_leader_epoch=-1, timestamp=which
                )
                for number in numbers
            ],
        )
        for topic, numbers in topics.items()
    ]
    # Since version 2, a request has the isolation level (KIP-98).
    return ListOffsetsRequest(
        replica_id=-1, isolation_level=isolation, topics=wanted, min_version=2, max_version=7
    )
