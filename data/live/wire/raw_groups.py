"""RawGroups: describe and offset requests, sent by kafka-python. Private parts of kafka-python are
used only in this folder.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from kafka import errors
from kafka.admin import KafkaAdminClient
from kafka.protocol.admin.configs import DescribeConfigsRequest
from kafka.protocol.admin.groups import DescribeGroupsRequest, ListGroupsRequest
from kafka.protocol.api_message import ApiMessage, ApiMessageData
from kafka.protocol.consumer.group import OffsetFetchRequest
from kafka.protocol.metadata import FindCoordinatorRequest

from evenkeel.assignors.protocol import CLASSIC, CONSUMER, SHARE, STREAMS
from evenkeel.data.live.wire.raw_topics import UNREACHABLE, RawTopics, sent

Wanted = Mapping[str, list[int]] | None
"""Partition numbers by topic. None: all partitions with a commit."""

# kafka-python does not have the describe messages of consumer (KIP-848), share (KIP-932, KIP-1226)
# and streams (KIP-1071) groups.
_HERE = "evenkeel.data.live.wire.messages"


def _message(name: str) -> ApiMessageData:
    return ApiMessageData(name, (ApiMessage,), {}, load_json=_HERE)


ConsumerGroupDescribeRequest = _message("ConsumerGroupDescribeRequest")
"""API 69."""

ShareGroupDescribeRequest = _message("ShareGroupDescribeRequest")
"""API 77."""

StreamsGroupDescribeRequest = _message("StreamsGroupDescribeRequest")
"""API 89."""

ConsumerGroupDescribeResponse = _message("ConsumerGroupDescribeResponse")
"""API 69."""

ShareGroupDescribeResponse = _message("ShareGroupDescribeResponse")
"""API 77."""

DescribeShareGroupOffsetsRequest = _message("DescribeShareGroupOffsetsRequest")
"""API 90."""

DescribeShareGroupOffsetsResponse = _message("DescribeShareGroupOffsetsResponse")
"""API 90."""

StreamsGroupDescribeResponse = _message("StreamsGroupDescribeResponse")
"""API 89."""

_DESCRIBE = {
    CONSUMER: ConsumerGroupDescribeRequest,
    SHARE: ShareGroupDescribeRequest,
    STREAMS: StreamsGroupDescribeRequest,
}
# Measured on Kafka 4.3.1: 5,000 groups are described in 0.5 s, with 500 groups in a request.
_GROUPS_A_REQUEST, _IN_FLIGHT = 500, 4
_BROKER = 4
"""DescribeConfigs' resource type of a broker."""
_RETRIED = {
    errors.CoordinatorLoadInProgressError.errno,
    errors.CoordinatorNotAvailableError.errno,
    errors.NotCoordinatorError.errno,
}
_RETRY_SECONDS, _PAUSE_SECONDS = 4.0, 0.2
_NAMED_SECONDS = 12.0
"""Metadata names a crashed broker for 9 s, until its session ends."""


class GroupListing(NamedTuple):
    """A listed group. `group_type`: classic, consumer, share or streams. `state`: as Kafka prints
    it, empty if the broker is old.
    """

    group_id: str
    group_type: str
    state: str
    protocol_type: str


class RawGroups:
    """A client for Kafka 3.0 and newer. `topics`: requests about topics. All methods block and are
    thread-safe.

    Parameters
    ----------
    settings : dict
        Settings of kafka-python, by kafka-python's names.
    """

    def __init__(self, settings: Mapping[str, Any]):
        self._client = KafkaAdminClient(**settings)
        self._manager = self._client._manager
        self.topics = RawTopics(self._manager)
        self._coordinators: dict[str, int] = {}

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def listed(self) -> list[GroupListing]:
        """Return the groups of all brokers, ordered by id.

        If a broker does not answer, the request is repeated until the broker is no longer in the
        metadata. Then other brokers are the coordinators of its groups.

        Raises
        ------
        kafka.errors.KafkaError
            If a broker refuses, or if a broker in the metadata remains silent.
        """
        begun = time.monotonic()
        deadline = begun + _RETRY_SECONDS
        while True:
            try:
                groups, away, is_silent = self._manager.run(self._listed)
                if not away:
                    return sorted(groups)
                # New coordinators load the groups of a crashed broker only later.
                deadline = time.monotonic() + _RETRY_SECONDS
                if is_silent or time.monotonic() > begun + _NAMED_SECONDS:
                    raise errors.KafkaConnectionError(
                        f"broker {', '.join(map(str, away))} does not list its groups"
                    )
                time.sleep(_PAUSE_SECONDS)
            except (errors.CoordinatorLoadInProgressError, errors.CoordinatorNotAvailableError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(_PAUSE_SECONDS)

    def described(self, group_ids: Iterable[str], group_type: str) -> dict[str, Any]:
        """Return the answer about each group. It is a structure with `error_code`.

        The structure comes from DescribeGroups, ConsumerGroupDescribe, ShareGroupDescribe or
        StreamsGroupDescribe, according to the type of the group.
        """
        if group_type in _DESCRIBE:
            return self._of_each(group_ids, lambda some: _DESCRIBE[group_type](group_ids=some))
        return self._of_each(group_ids, lambda some: DescribeGroupsRequest(groups=some))

    def committed(
        self, wanted: Mapping[str, Wanted], require_stable: bool = False
    ) -> dict[str, Any]:
        """Return the answer about the commits of each group: a structure with `error_code` and
        `topics`.
        """
        return self._of_each(
            wanted,
            lambda some: _fetching(
                {group_id: wanted[group_id] for group_id in some}, require_stable
            ),
        )

    def started(self, group_ids: Iterable[str]) -> dict[str, Any]:
        """Return the answer about the start offsets and lags of each share group: a structure with
        `error_code` and `topics`.

        Empty if the brokers do not know this request.
        """
        group = DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup
        with suppress(errors.IncompatibleBrokerVersion):
            return self._of_each(
                group_ids,
                lambda some: DescribeShareGroupOffsetsRequest(
                    groups=[group(group_id=group_id, topics=None) for group_id in some]
                ),
            )
        return {}

    def coordinator_of(self, group_id: str) -> int | None:
        """Return the group's coordinator, None if unknown."""
        return self._coordinators.get(group_id)

    def features(self) -> dict[str, int]:
        """Return the finalized level of each cluster feature. Empty if the brokers do not know
        features. The user needs no right for this request.
        """
        with suppress(errors.IncompatibleBrokerVersion):
            features = self._client.describe_features()
            return {
                name: about["finalized"][1]
                for name, about in features.items()
                if "finalized" in about
            }
        return {}

    def broker_settings(
        self, nodes: Iterable[int], names: Iterable[str]
    ) -> dict[int, dict[str, str] | int]:
        """Return the settings of each broker. If a broker refuses, its value is the error code. A
        broker that does not answer is left out.
        """
        return self._manager.run(self._broker_settings, list(nodes), list(names))

    async def _broker_settings(
        self, nodes: list[int], names: list[str]
    ) -> dict[int, dict[str, str] | int]:
        resource = DescribeConfigsRequest.DescribeConfigsResource
        requests = [
            (
                node,
                self._manager.send(
                    DescribeConfigsRequest(resources=[resource(_BROKER, str(node), names)]),
                    node_id=node,
                ),
            )
            for node in nodes
        ]
        settings: dict[int, dict[str, str] | int] = {}
        for node, answer in requests:
            with suppress(*UNREACHABLE):
                (result,) = (await answer).results
                settings[node] = result.error_code or {
                    each.name: each.value for each in result.configs if each.value is not None
                }
        return settings

    async def _listed(self) -> tuple[set[GroupListing], list[int], bool]:
        """Return the groups, the brokers that do not answer, and whether no broker answers."""
        await self._manager.cluster.refresh_metadata()
        answers = {
            broker.node_id: sent(self._manager, ListGroupsRequest(), broker.node_id)
            for broker in self._manager.cluster.brokers()
        }
        groups, away = set[GroupListing](), list[int]()
        for number, answer in answers.items():
            try:
                response = await answer
            except UNREACHABLE:
                away.append(number)
                continue
            if response.error_code:
                raise errors.for_code(response.error_code)("ListGroups")
            # Old brokers report no type, because all their groups are classic.
            groups |= {
                GroupListing(
                    group.group_id,
                    (group.group_type or CLASSIC).lower(),
                    group.group_state or "",
                    group.protocol_type,
                )
                for group in response.groups
            }
        return groups, away, len(away) == len(answers)

    def _of_each(
        self, group_ids: Iterable[str], request_of: Callable[[list[str]], Any]
    ) -> dict[str, Any]:
        answers_by_group: dict[str, Any] = {}
        left, deadline = list(group_ids), time.monotonic() + _RETRY_SECONDS
        while left:
            answers_by_group |= self._manager.run(self._once, left, request_of)
            left = [
                group_id
                for group_id in left
                if group_id not in answers_by_group
                or answers_by_group[group_id].error_code in _RETRIED
            ]
            for group_id in left:
                self._coordinators.pop(group_id, None)
            if left and time.monotonic() > deadline:
                break
            time.sleep(_PAUSE_SECONDS if left else 0)
        if any(group_id not in answers_by_group for group_id in left):
            raise errors.KafkaConnectionError("a coordinator does not answer")
        return answers_by_group

    async def _once(
        self, group_ids: list[str], request_of: Callable[[list[str]], Any]
    ) -> dict[str, Any]:
        answers_by_group = await self._find_coordinators(
            [group_id for group_id in group_ids if group_id not in self._coordinators]
        )
        by_node = defaultdict(list)
        for group_id in group_ids:
            if group_id not in answers_by_group and group_id in self._coordinators:
                by_node[self._coordinators[group_id]].append(group_id)
        requests = [
            (node, some)
            for node, ids in by_node.items()
            for some in _pieces(ids, _GROUPS_A_REQUEST)
        ]
        for some in _pieces(requests, _IN_FLIGHT):
            for answer in [sent(self._manager, request_of(ids), node) for node, ids in some]:
                # A coordinator that is down has been replaced or will be replaced, so its groups
                # are requested again.
                with suppress(*UNREACHABLE):
                    answers_by_group |= {
                        described.group_id: described for described in (await answer).groups
                    }
        return answers_by_group

    async def _find_coordinators(self, group_ids: list[str]) -> dict[str, Any]:
        """Find the coordinator of each group and remember it. Return the answers that have an error
        code.
        """
        refused: dict[str, Any] = {}
        for some in _pieces(group_ids, _GROUPS_A_REQUEST):
            with suppress(*UNREACHABLE):
                # Since version 4, a request has many groups (KIP-699).
                response = await self._manager.send(
                    FindCoordinatorRequest(key_type=0, coordinator_keys=some, min_version=4)
                )
                refused |= {
                    coordinator.key: coordinator
                    for coordinator in response.coordinators
                    if coordinator.error_code
                }
                self._coordinators |= {
                    coordinator.key: coordinator.node_id
                    for coordinator in response.coordinators
                    if not coordinator.error_code
                }
        return refused


def _fetching(wanted: Mapping[str, Wanted], require_stable: bool) -> OffsetFetchRequest:
    group = OffsetFetchRequest.OffsetFetchRequestGroup
    topics = {
        group_id: partitions
        and [
            group.OffsetFetchRequestTopics(name=topic, partition_indexes=numbers)
            for topic, numbers in partitions.items()
        ]
        for group_id, partitions in wanted.items()
    }
    groups = [
        group(group_id=group_id, topics=partitions) for group_id, partitions in topics.items()
    ]
    # Since version 8, a request has many groups (KIP-709). Since version 10, topics have ids
    # instead of names.
    return OffsetFetchRequest(
        groups=groups, require_stable=require_stable, min_version=8, max_version=9
    )


def _pieces(items: list, size: int) -> Iterator[list]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
