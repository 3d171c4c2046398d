"""Topics, and commits of groups that have no members."""

import time

from confluent_kafka import ConsumerGroupTopicPartitions, KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

_LIMIT_SECONDS = 30


def create_topic(admin: AdminClient, name: str, partitions: int, replicas: int = 1) -> None:
    """Create a topic; the client repeats its request where a busy broker takes long, and then hears that there is one."""
    try:
        admin.create_topics([NewTopic(name, partitions, replicas)])[name].result()
    except KafkaException as error:
        if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
            raise


def commit(admin: AdminClient, group_id: str, topic: str, offsets: list[int]) -> None:
    """Commit one offset for each partition from 0 on; a coordinator may hear of a new topic a little later than its creator."""
    wanted = [ConsumerGroupTopicPartitions(group_id, [TopicPartition(topic, number, offset) for number, offset in enumerate(offsets)])]
    deadline = time.monotonic() + _LIMIT_SECONDS
    while any(one.error for one in admin.alter_consumer_group_offsets(wanted)[group_id].result().topic_partitions):
        if time.monotonic() > deadline:
            raise AssertionError(f"{group_id}: the broker does not take commits of {topic}")
        time.sleep(0.1)
