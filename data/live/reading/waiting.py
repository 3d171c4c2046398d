"""Last stable offsets of partitions with lag, and the topic settings by which Kafka deletes unread
records. The findings of a timeline need these values. A value that does not arrive in time is
unknown.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from confluent_kafka import KafkaException
from confluent_kafka.admin import ConfigResource

from evenkeel.data.errors import UnansweredError
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.documents import LiveGroup
from evenkeel.data.live.reading.topics import topics
from evenkeel.data.live.wire.raw_topics import Place
from evenkeel.data.text.formats import counted

MOST_PLACES = 2_000
"""At most this many last stable offsets are requested for a slot. Partitions come first if their
commit has not changed for a long time.
"""

MOST_TOPICS = 500
"""Most topics in a request for settings."""

_FRESH_SECONDS = 600.0
_ANSWER_SECONDS = 5.0
_SETTINGS = {
    "cleanup.policy": "cleanup_policy",
    "retention.ms": "retention_ms",
    "retention.bytes": "retention_bytes",
    "segment.ms": "segment_ms",
    "segment.bytes": "segment_bytes",
}


class Waiting(NamedTuple):
    """Data of partitions with lag. `stable`: last stable offsets by partition. `settings`: by
    topic, values for columns of TOPICS. `unread`: a sentence about topics for which
    DESCRIBE_CONFIGS is missing.
    """

    stable: Mapping[Place, int]
    settings: Mapping[str, Mapping[str, str | int]]
    unread: str | None


NOTHING = Waiting({}, {}, None)


class _Memory:
    """Commits and topic settings of a cluster that this process has read for the previous slot."""

    def __init__(self) -> None:
        self.commits: dict[tuple[str, Place], tuple[int, int]] = {}
        self.settings: dict[str, tuple[float, Mapping[str, str | int]]] = {}


_MEMORY: dict[str, _Memory] = {}


def waiting(connection: Connection, groups: Sequence[LiveGroup]) -> Waiting:
    """Return the data of partitions with lag, for groups that were just read. If a request fails,
    its values are unknown.
    """
    memory = _MEMORY.setdefault(connection.profile.name, _Memory())
    behind = list(_behind(groups))
    ranked = _longest_first(memory, behind)
    names = {topic for topic, _ in ranked}
    try:
        stable = _stable(connection, ranked[:MOST_PLACES], names) if ranked else {}
    except UnansweredError:
        stable = {}
    settings, refused = _settings(
        connection, memory, sorted({place[0] for _, place, _, _ in behind})
    )
    unread = (
        f"retention of {counted(refused, 'topic')}: the right DESCRIBE_CONFIGS is missing"
        if refused
        else None
    )
    return Waiting(stable, settings, unread)


def _behind(groups: Iterable[LiveGroup]) -> Iterator[tuple[str, Place, int, bool]]:
    """Yield each partition with lag: its group, topic and number, its commit, and whether it has an
    owner.
    """
    for group in groups:
        if group.document is None:
            continue
        owned = {
            (topic, number)
            for member in group.document.members or ()
            for topic, numbers in (member.owned or {}).items()
            for number in numbers or ()
        }
        for topic in group.document.topics or ():
            if isinstance(topic.partitions, int):
                continue
            for number, each in enumerate(topic.partitions):
                committed, end = each.committed_offset, each.end_offset
                if committed is not None and end is not None and committed < end:
                    place = topic.name, number
                    yield group.group_id, place, committed, place in owned


def _longest_first(memory: _Memory, behind: Iterable[tuple[str, Place, int, bool]]) -> list[Place]:
    """Return the partitions that have an owner. First comes the partition whose commit has not
    changed for the longest time.
    """
    commits: dict[tuple[str, Place], tuple[int, int]] = {}
    slots: dict[Place, int] = {}
    for group, place, committed, has_owner in behind:
        before, count = memory.commits.get((group, place), (None, 0))
        count = count + 1 if before == committed else 0
        commits[group, place] = committed, count
        if has_owner:
            slots[place] = max(count, slots.get(place, 0))
    memory.commits = commits
    return sorted(slots, key=lambda place: (-slots[place], place))


def _stable(
    connection: Connection, places: Sequence[Place], names: Iterable[str]
) -> dict[Place, int]:
    if connection.profile.reads_committed:
        # Then the end offsets are last stable offsets already.
        return {}
    seen, _ = topics(connection, set(names))
    leaders = {
        (topic, number): seen[topic].leaders[number]
        for topic, number in places
        if topic in seen and number < len(seen[topic].leaders) and seen[topic].leaders[number] >= 0
    }
    if not leaders:
        return {}
    answer = connection.ask(lambda: connection.raw.topics.bounds(leaders, True))
    return {place: offset for place, offset in answer.end.items() if offset >= 0}


def _settings(
    connection: Connection, memory: _Memory, names: Sequence[str]
) -> tuple[dict[str, Mapping[str, str | int]], int]:
    """Return the settings of each topic, and the number of topics whose settings cannot be read.
    The settings of a topic are requested at most once in ten minutes.
    """
    now = time.monotonic()
    old = [
        name
        for name in names
        if name not in memory.settings or now - memory.settings[name][0] > _FRESH_SECONDS
    ][:MOST_TOPICS]
    if old:
        memory.settings |= _described(connection, old, now)
    known = {name: memory.settings[name][1] for name in names if name in memory.settings}
    return known, sum(not columns for columns in known.values())


def _described(
    connection: Connection, names: Sequence[str], now: float
) -> dict[str, tuple[float, Mapping[str, str | int]]]:
    """Return the settings of each topic, and the time at which they were read. If the broker
    refuses, the settings are empty.
    """
    try:
        resources = [ConfigResource(ConfigResource.Type.TOPIC, name) for name in names]
        answers = connection.admin.describe_configs(resources, request_timeout=_ANSWER_SECONDS)
    except KafkaException:
        return dict.fromkeys(names, (now, {}))
    columns_by_topic: dict[str, tuple[float, Mapping[str, str | int]]] = {}
    for resource, answer in answers.items():
        try:
            columns_by_topic[resource.name] = now, _columns(answer.result())
        except KafkaException:
            columns_by_topic[resource.name] = now, {}
    return columns_by_topic


def _columns(entries: Mapping[str, object]) -> dict[str, str | int]:
    columns: dict[str, str | int] = {}
    for name, column in _SETTINGS.items():
        value = getattr(entries.get(name), "value", None)
        if value is not None:
            columns[column] = value if column == "cleanup_policy" else int(value)
    return columns
