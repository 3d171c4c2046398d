"""One line of `kafka-topics --describe`; such lines need no header."""

import re
from typing import NamedTuple

from evenkeel.data.sources.parsing.numbers import INT32, MAX_PARTITION, Unreadable, partition_number, whole

FORMAT = "kafka-topics --describe"

# Kafka 2.3 prints no blank behind the colons of the summary.
_SUMMARY = re.compile(r"\s*Topic: ?(\S+)\s+(?:TopicId: ?(\S+)\s+)?PartitionCount: ?(\S+)\s+ReplicationFactor: ?(\S+)(?:\s.*)?", re.DOTALL)
# Kafka 3.9 and later print Elr and LastKnownElr behind Isr.
_PARTITION = re.compile(r"\s*Topic: ?(\S+)\s+Partition: ?(\S+)\s+Leader: ?(\S+)\s+Replicas: ?([^\s:]*)\s+Isr:(?:.*)", re.DOTALL)
_TOPIC_ID = re.compile("[A-Za-z0-9_-]{22}")


class TopicRow(NamedTuple):
    """One row of TOPICS: the columns that this listing has."""

    topic: str
    topic_id: str | None
    partition_count: int | None
    partition: int | None
    replicas: list[int] | None


def read(text: str) -> TopicRow | None:
    """Return the row of TOPICS that a line gives, None when it is a line of something else.

    Raises
    ------
    Unreadable
        When it is a line of this listing with a number that is none.
    """
    if summary := _SUMMARY.fullmatch(text):
        topic, topic_id, count, _ = summary.groups()
        if topic_id is not None and not _TOPIC_ID.fullmatch(topic_id):
            raise Unreadable(f"TopicId is {topic_id[:80]!r}, expected 22 characters of base64url")
        return TopicRow(topic, topic_id, whole(count, "PartitionCount", 0, MAX_PARTITION + 1), None, None)
    if partition := _PARTITION.fullmatch(text):
        topic, number, _, replicas = partition.groups()
        brokers = [whole(broker, "Replicas", 0, INT32) for broker in replicas.split(",") if broker]
        return TopicRow(topic, None, None, partition_number(number, "Partition"), brokers)
    if text.lstrip().startswith("Topic:"):
        raise Unreadable(f"line of {FORMAT} is cut, expected PartitionCount and ReplicationFactor, or Partition, Leader, Replicas and Isr")
    return None
