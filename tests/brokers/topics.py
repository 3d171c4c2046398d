"""Topics of a test."""

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient, NewTopic

from tests.waiting import until


def create_topic(admin: AdminClient, name: str, partitions: int, replicas: int = 1) -> None:
    """Create a topic and wait until consumers see it: a busy broker answers before it knows the
    topic itself.

    The client repeats its request where a busy broker takes long, and then hears that there is one.
    """
    try:
        admin.create_topics([NewTopic(name, partitions, replicas)])[name].result()
    except KafkaException as error:
        if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
            raise
    until(lambda: len(admin.list_topics(name, timeout=10).topics[name].partitions) >= partitions)
