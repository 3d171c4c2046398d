"""Commits for groups of a test that need no members."""

import time
from collections.abc import Mapping

from confluent_kafka import ConsumerGroupTopicPartitions, KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient

_NOT_YET = {
    KafkaError._TIMED_OUT,
    KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
    KafkaError.COORDINATOR_NOT_AVAILABLE,
    KafkaError.NOT_COORDINATOR,
    KafkaError.UNKNOWN_TOPIC_OR_PART,
}
_LIMIT_SECONDS, _ANSWER_SECONDS, _PAUSE_SECONDS = 60, 10, 0.1


def commit(admin: AdminClient, group_id: str, offsets: Mapping[tuple[str, int], int]) -> None:
    """Commit offsets by topic and partition; a broker that has just started is asked until it can."""
    places, deadline = [TopicPartition(*place, offset) for place, offset in offsets.items()], time.monotonic() + _LIMIT_SECONDS
    while errors := _errors(admin, ConsumerGroupTopicPartitions(group_id, places)):
        if time.monotonic() > deadline or any(error.code() not in _NOT_YET for error in errors):
            raise KafkaException(errors[0])
        time.sleep(_PAUSE_SECONDS)


def _errors(admin: AdminClient, wanted: ConsumerGroupTopicPartitions) -> list[KafkaError]:
    try:
        done = admin.alter_consumer_group_offsets([wanted], request_timeout=_ANSWER_SECONDS)[wanted.group_id].result()
    except KafkaException as error:
        return [error.args[0]]
    return [one.error for one in done.topic_partitions if one.error]
