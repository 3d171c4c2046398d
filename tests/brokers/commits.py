"""Commits for groups of a test that need no members."""

import time
from collections.abc import Mapping

from confluent_kafka.admin import AdminClient
from kafka import TopicPartition, errors
from kafka.admin import KafkaAdminClient
from kafka.structs import OffsetAndMetadata

_NOT_YET = (
    errors.CoordinatorLoadInProgressError,
    errors.CoordinatorNotAvailableError,
    errors.NotCoordinatorError,
    errors.UnknownTopicOrPartitionError,
    errors.RequestTimedOutError,
    errors.KafkaConnectionError,
    errors.NodeNotReadyError,
)
_LIMIT_SECONDS, _PAUSE_SECONDS = 120, 0.1


def commit(admin: AdminClient, group_id: str, offsets: Mapping[tuple[str, int], int]) -> None:
    """Commit offsets by topic and partition; a broker that has just started is asked until it can.

    `admin` only says where the brokers are: librdkafka aborts the process where the coordinator is
    not there yet.
    """
    brokers = [
        f"{one.host}:{one.port}"
        for one in admin.list_topics(timeout=_LIMIT_SECONDS).brokers.values()
    ]
    wanted = {
        TopicPartition(*place): OffsetAndMetadata(offset, "", -1)
        for place, offset in offsets.items()
    }
    deadline = time.monotonic() + _LIMIT_SECONDS
    with KafkaAdminClient(bootstrap_servers=brokers) as client:
        while (error := _error(client, group_id, wanted)) is not None:
            if time.monotonic() > deadline or not issubclass(error, _NOT_YET):
                raise error(group_id)
            time.sleep(_PAUSE_SECONDS)


def _error(
    client: KafkaAdminClient, group_id: str, wanted: Mapping[TopicPartition, OffsetAndMetadata]
) -> type[errors.KafkaError] | None:
    try:
        answers = client.alter_group_offsets(group_id, wanted).values()
    except errors.KafkaError as error:
        return type(error)
    return next((answer for answer in answers if answer is not errors.NoError), None)
