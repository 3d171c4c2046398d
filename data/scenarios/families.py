"""Families: which clients the members of a group use, where that shows."""

import re

import numpy as np

from assignors.group import NO_RACK
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
    """Return the client of each member, None where it does not show: few members keep the client id of their library."""
    empty = _has_empty_rack(observed)
    return tuple(
        "librdkafka" if is_empty else _of_id(client_id or "") for client_id, is_empty in zip(observed.client_id, empty, strict=True)
    )


def possible_leaders(observed: ObservedGroup) -> list[str]:
    """Return the clients that may lead the group, the present leader first: every client that a member is known to use."""
    leader = [observed.leader.client] if observed.leader else []
    return list(dict.fromkeys([*leader, *filter(None, families(observed))]))


def _has_empty_rack(observed: ObservedGroup) -> list[bool]:
    """Tell which members sent an empty rack: only librdkafka does."""
    names = np.array([*observed.snapshot.rack_name, None], dtype=object)
    return (names[np.where(observed.snapshot.member_rack == NO_RACK, -1, observed.snapshot.member_rack)] == "").tolist()


def _of_id(client_id: str) -> str | None:
    return next((client for client, pattern in _DEFAULT_IDS.items() if pattern.fullmatch(client_id)), None)
