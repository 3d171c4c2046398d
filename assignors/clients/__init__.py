"""Client families: for each, the assignors that answer if it leads a classic group, and facts about
it.
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
"""The client whose classes `ASSIGNORS` has; it leads if nothing else is known."""

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
"""The families by name, the most used first."""
