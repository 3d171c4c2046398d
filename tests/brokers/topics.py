"""Topics of a test."""

from collections.abc import Sequence

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient, NewTopic

from tests.waiting import until


def create_topic(admin: AdminClient, name: str, partitions: int, replicas: int = 1) -> None:
    """Create a topic; see `create_topics`."""
    create_topics(admin, [NewTopic(name, partitions, replicas)])


def create_topics(admin: AdminClient, topics: Sequence[NewTopic]) -> None:
    """Create topics and wait until consumers see them: a busy broker answers before it knows a
    topic itself.

    The client repeats its request if a busy broker takes long, and the second answer says that the
    topic exists.
    """
    for created in admin.create_topics(topics).values():
        try:
            created.result()
        except KafkaException as error:
            if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                raise
    for topic in topics:
        until(lambda topic=topic: _partition_count(admin, topic.topic) >= topic.num_partitions)


def _partition_count(admin: AdminClient, name: str) -> int:
    return len(admin.list_topics(name, timeout=60).topics[name].partitions)
