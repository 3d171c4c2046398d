"""Reader of the topic `__consumer_offsets`, from the begin offsets to the present end offsets. It
joins no group and commits nothing.

with connected("production") as connection:
    for record in offsets_records(connection, counts, group="payments"):
        ...
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from time import monotonic
from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from evenkeel.assignors.java.hashing import string_hashes
from evenkeel.data.errors import UnansweredError
from evenkeel.data.live.connection import ANSWER_SECONDS, Connection
from evenkeel.data.live.reading.topics import topics
from evenkeel.data.live.wire.coordinator_records import TOPIC, Record, RecordCounts, record

_AT_ONCE, _SILENCE_SECONDS = 2_000, 30.0
_NO_GROUP = "evenkeel-reads-without-a-group"


class UnreadableTopicError(UnansweredError):
    """The topic cannot be read. The message names the missing right, and two other ways to get the
    records.
    """


def partition_of(group: str, partition_count: int) -> int:
    """Return the number of the `__consumer_offsets` partition that stores the records of a group.
    Like Kafka: abs(hash of the group id) modulo the partition count.
    """
    number = int(string_hashes([group])[0]) & 0xFFFF_FFFF
    signed = number - 2**32 if number >= 2**31 else number
    return (0 if signed == -(2**31) else abs(signed)) % partition_count


def offsets_records(
    connection: Connection, counts: RecordCounts, group: str | None = None
) -> Iterator[Record]:
    """Yield the records in the order in which they are received. The records of a partition are in
    offset order. With `group`: read only the partition that stores this group.

    Raises
    ------
    UnreadableTopicError
        If READ on the topic is missing, or the cluster hides the topic.
    UnansweredError
        If the cluster does not answer.
    """
    settings = connection.profile.librdkafka() | {
        "group.id": _NO_GROUP,
        "enable.auto.commit": "false",
        "enable.auto.offset.store": "false",
        "auto.offset.reset": "error",
        "enable.partition.eof": "true",
        "isolation.level": "read_uncommitted",
    }
    causes: list[KafkaError] = []
    consumer = connection.ask(lambda: Consumer(settings | {"error_cb": causes.append}))
    with closing(consumer):
        spans = _spans(connection, consumer, group)
        consumer.assign(
            [TopicPartition(TOPIC, number, begin) for number, (begin, _) in spans.items()]
        )
        yield from _until_end(
            connection, consumer, {number: end for number, (_, end) in spans.items()}, counts
        )


def _spans(
    connection: Connection, consumer: Consumer, group: str | None
) -> dict[int, tuple[int, int]]:
    """Return the present begin and end offset of each non-empty partition. Records that are written
    later are not read: otherwise reading a busy topic would never end.
    """
    topics = connection.ask(lambda: consumer.list_topics(TOPIC, timeout=ANSWER_SECONDS)).topics[
        TOPIC
    ]
    if topics.error is not None:
        raise _unreadable(connection, topics.error.name())
    numbers = sorted(topics.partitions)
    if group is not None:
        numbers = [partition_of(group, len(numbers))]
    spans = {number: _span(connection, consumer, number) for number in numbers}
    return {number: (begin, end) for number, (begin, end) in spans.items() if begin < end}


def _span(connection: Connection, consumer: Consumer, number: int) -> tuple[int, int]:
    try:
        return consumer.get_watermark_offsets(TopicPartition(TOPIC, number), timeout=ANSWER_SECONDS)
    except KafkaException as error:
        raise _refused(connection, error.args[0]) from None


def _until_end(
    connection: Connection, consumer: Consumer, ends: dict[int, int], counts: RecordCounts
) -> Iterator[Record]:
    deadline = monotonic() + _SILENCE_SECONDS
    while ends:
        for message in connection.ask(lambda: consumer.consume(_AT_ONCE, 0.5)):
            deadline = monotonic() + _SILENCE_SECONDS
            record = _record_in(connection, message, ends, counts)
            if record is not None:
                yield record
        if monotonic() > deadline:
            raise connection.error(
                KafkaError(
                    KafkaError._TIMED_OUT, f"no record of {TOPIC} for {_SILENCE_SECONDS:.0f} s"
                )
            )


def _record_in(
    connection: Connection, message: Message, ends: dict[int, int], counts: RecordCounts
) -> Record | None:
    error, partition, offset = message.error(), message.partition(), message.offset()
    if error is None:
        if partition is None or offset is None:
            return None
        end = ends.get(partition, 0)
        if offset + 1 >= end:
            ends.pop(partition, None)
        if offset >= end:
            return None
        counts.records += 1
        time = message.timestamp()[1]
        return record(
            partition,
            offset,
            time,
            message.key() or b"",
            message.value(),
            counts,
        )
    if partition is not None and error.code() == KafkaError._PARTITION_EOF:
        ends.pop(partition, None)
    elif error.code() != KafkaError.GROUP_AUTHORIZATION_FAILED:
        # librdkafka requests the coordinator of its group.id, although no such group exists. A
        # refusal of this request is not an error.
        raise _refused(connection, error)
    return None


def _refused(connection: Connection, error: Any) -> UnansweredError:
    codes = (
        KafkaError.TOPIC_AUTHORIZATION_FAILED,
        KafkaError.UNKNOWN_TOPIC_OR_PART,
        KafkaError._UNKNOWN_TOPIC,
    )
    if isinstance(error, KafkaError) and error.code() in codes:
        return _unreadable(connection, error.name())
    return connection.error(error)


def _unreadable(connection: Connection, word: str) -> UnreadableTopicError:
    hides = word != "TOPIC_AUTHORIZATION_FAILED"
    why = (
        f"the cluster shows no topic {TOPIC}"
        if hides
        else f"the right READ on the topic {TOPIC} is missing"
    )
    return UnreadableTopicError(
        f"cluster {connection.profile.name}: {word}: {why}. Two other ways: read a broker's log"
        " (evenkeel rebalances server.log), or a person with this right runs: evenkeel rebalances"
        f" --cluster {connection.profile.name} --group GROUP --json"
    )


def topic_ids(connection: Connection, names: Callable[[], set[str]]) -> dict[str, str]:
    """Return the names of visible topics by topic id."""
    known_topics, _ = topics(connection, names())
    return {topic.topic_id: name for name, topic in known_topics.items()}
