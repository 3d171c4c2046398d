"""Topics on a live cluster: ids, sizes, racks of the replicas."""

from collections.abc import Iterable
from typing import NamedTuple

from confluent_kafka import TopicCollection

from data.clusters.connection import ANSWER_SECONDS, Connection
from data.live.refusals import in_words


class LiveTopic(NamedTuple):
    """`topic_id` as Kafka prints it; `racks`: for each partition those of its replicas, null where a broker has none."""

    topic_id: str
    racks: list[list[str | None]]


def topics(connection: Connection, names: Iterable[str]) -> tuple[dict[str, LiveTopic], dict[str, str]]:
    """Return the topics that can be seen, and why others cannot, by name."""
    wanted = sorted(names)
    if not wanted:
        return {}, {}
    asked = connection.ask(lambda: connection.admin.describe_topics(TopicCollection(wanted), request_timeout=ANSWER_SECONDS))
    found, problems = {}, {}
    for name, answer in asked.items():
        failed = answer.exception()
        if failed is None:
            described = answer.result()
            found[name] = LiveTopic(_as_kafka_prints(str(described.topic_id)), [[node.rack or None for node in one.replicas] for one in described.partitions])
        else:
            problems[name] = in_words(failed.args[0].name())
    return found, problems


def topic_names(connection: Connection) -> list[str]:
    """Return the names of all topics that can be seen, but for Kafka's internal ones, in order."""
    return sorted(name for name in connection.ask(lambda: connection.admin.list_topics(timeout=ANSWER_SECONDS)).topics if not name.startswith("__"))


def _as_kafka_prints(topic_id: str) -> str:
    """confluent-kafka writes plain base64, Kafka the one for addresses."""
    return topic_id.replace("+", "-").replace("/", "_")
