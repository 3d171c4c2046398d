"""Topics of a test."""

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient, NewTopic


def create_topic(admin: AdminClient, name: str, partitions: int, replicas: int = 1) -> None:
    """Create a topic; the client repeats its request where a busy broker takes long, and then hears that there is one."""
    try:
        admin.create_topics([NewTopic(name, partitions, replicas)])[name].result()
    except KafkaException as error:
        if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
            raise
