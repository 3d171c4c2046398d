"""Families: which clients the members of a group use, where that shows."""

import re

from data.columns.observed import ObservedGroup

_DEFAULT_IDS = {
    "java": re.compile(r"consumer-.*-\d+"),
    "librdkafka": re.compile(r"rdkafka"),
    "kafka-python": re.compile(r"kafka-python-[\d.]+.*"),
    "aiokafka": re.compile(r"aiokafka-[\d.]+.*"),
    "franz-go": re.compile(r"kgo"),
    "sarama": re.compile(r"sarama"),
    "kafka-go": re.compile(r".*\(github\.com/segmentio/kafka-go\)"),
    "kafkajs": re.compile(r"kafkajs"),
}
"""Client ids that each client takes where its settings name none."""


def families(observed: ObservedGroup) -> tuple[str | None, ...]:
    """Return the client of each member, None where it does not show: few keep their library's client id; librdkafka sends an empty rack."""
    return tuple(
        "librdkafka" if observed.snapshot.rack_of(row) == "" else _of_id(client_id or "")
        for row, client_id in enumerate(observed.client_id)
    )


def possible_leaders(observed: ObservedGroup) -> list[str]:
    """Return the clients that may lead the group, the present leader first: every client that a member is known to use."""
    leader = [observed.leader.client] if observed.leader else []
    return list(dict.fromkeys([*leader, *filter(None, families(observed))]))


def _of_id(client_id: str) -> str | None:
    return next((client for client, pattern in _DEFAULT_IDS.items() if pattern.fullmatch(client_id)), None)
