"""Client ids that clients take where their settings name none: a hint, because users set their own."""

import re
from collections.abc import Iterable

_DEFAULTS = {
    "java": re.compile(r"consumer-.*-\d+"),
    "librdkafka": re.compile(r"rdkafka"),
    "kafka-python": re.compile(r"kafka-python-.*"),
    "aiokafka": re.compile(r"aiokafka-.*"),
    "franz-go": re.compile(r"kgo"),
    "sarama": re.compile(r"sarama"),
    "kafka-go": re.compile(r".*\(github\.com/segmentio/kafka-go\)"),
    "kafkajs": re.compile(r"kafkajs"),
}


def named_by(client_ids: Iterable[str]) -> set[str]:
    """Return the clients whose default id some member has."""
    return {client for one in client_ids if (client := client_of_default(one or ""))}


def client_of_default(client_id: str) -> str | None:
    """Return the client whose default id this is, None where a user has set it."""
    return next((client for client, default in _DEFAULTS.items() if default.fullmatch(client_id)), None)
