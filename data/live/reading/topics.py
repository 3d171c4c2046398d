"""Topics of a live cluster: ids, sizes, racks of the replicas, and leaders."""

import base64
import uuid
from collections.abc import Iterable
from typing import NamedTuple

from evenkeel.data.live.connection import ANSWER_SECONDS, Connection, error_word


class LiveTopic(NamedTuple):
    """A topic. `topic_id`: as Kafka prints it. `racks`: racks of each partition's replicas, null if
    a broker has no rack.

    `leaders`: leader of each partition, -1 without a leader.
    """

    topic_id: str
    racks: list[list[str | None]]
    leaders: list[int]


def topics(
    connection: Connection, names: Iterable[str]
) -> tuple[dict[str, LiveTopic], dict[str, str]]:
    """Return the visible topics by name. For each other name: return why the topic is not
    visible.
    """
    wanted = sorted(names)
    if not wanted:
        return {}, {}
    answers, racks = connection.ask(lambda: connection.raw.topics.described(wanted))
    topics_by_name, problems = {}, {}
    for answer in answers:
        if answer.error_code:
            problems[answer.name] = error_word(answer.error_code)
            continue
        partitions = sorted(answer.partitions, key=lambda partition: partition.partition_index)
        replicas = [
            [racks.get(node) for node in partition.replica_nodes] for partition in partitions
        ]
        topics_by_name[answer.name] = LiveTopic(
            _as_kafka_prints(answer.topic_id),
            replicas,
            [partition.leader_id for partition in partitions],
        )
    return topics_by_name, problems


def _as_kafka_prints(topic_id: uuid.UUID) -> str:
    return base64.urlsafe_b64encode(topic_id.bytes).decode().rstrip("=")


def topic_names(connection: Connection) -> list[str]:
    """Return the names of all visible topics. Internal topics are included, because a member's
    regular expression may match an internal topic.
    """
    return sorted(
        connection.ask(lambda: connection.admin.list_topics(timeout=ANSWER_SECONDS)).topics
    )
