"""Client families: facts about each client, and the assignors that its members use as leader of a
classic group.
"""

from evenkeel.assignors.clients import (
    aiokafka,
    franz_go,
    java,
    kafka_go,
    kafka_python,
    kafkajs,
    librdkafka,
    platformatic,
    sarama,
)

JAVA = java.CLIENT.name
"""The client of the classes in `ASSIGNORS`. It is the assumed leader if the leader is unknown."""

_FAMILIES = (
    java,
    librdkafka,
    kafka_python,
    aiokafka,
    franz_go,
    sarama,
    kafka_go,
    kafkajs,
    platformatic,
)

CLIENTS = {family.CLIENT.name: family.CLIENT for family in _FAMILIES}
"""The families by name, most used first."""
