"""Offsets of partitions and groups on a live cluster: commits first, then begin and end offsets, so that no lag is below 0 by the order of the calls."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from confluent_kafka import IsolationLevel, KafkaError, TopicPartition
from confluent_kafka.admin import OffsetSpec

from data.clusters.connection import ANSWER_SECONDS, Connection
from data.live.refusals import NO_TOPIC, error_word, in_words
from data.live.topics import topics
from data.wire.raw_groups import Wanted

Place = tuple[str, int]
"""A topic's name and a partition number."""

_NOT_COMMITTED = -1
_NO_REASON = KafkaError(KafkaError._NOENT).name()


class Committed(NamedTuple):
    """What one group has committed: offsets by place, null where it has no commit; `problems` by place or, for the group, under null."""

    offsets: dict[Place, int | None]
    problems: dict[Place | None, str]


def committed(connection: Connection, wanted: Mapping[str, Wanted], require_stable: bool = False) -> dict[str, Committed]:
    """Ask what groups have committed.

    Parameters
    ----------
    wanted : dict
        For each group partition numbers by topic; asked by name, a partition that may not be seen is a problem and not left out. None asks for all that has a commit.
    require_stable : bool
        Whether a commit of an open transaction is a problem; else the one before it counts.
    """
    answers = connection.ask(lambda: connection.raw.committed(wanted, require_stable))
    return {group_id: _committed(answers[group_id]) for group_id in wanted}


def ends(connection: Connection, places: Iterable[Place]) -> tuple[dict[Place, int], dict[Place, int], dict[Place, str]]:
    """Return begin offsets, end offsets and problems of partitions, by place; begin offsets are asked first."""
    wanted = [TopicPartition(*place) for place in places]
    problems: dict[Place, str] = {}
    begin = _listed(connection, wanted, OffsetSpec.earliest(), problems)
    end = _listed(connection, wanted, OffsetSpec.latest(), problems)
    return begin, end, _explained(connection, problems)


def _committed(answer: Any) -> Committed:
    if answer.error_code:
        return Committed({}, {None: error_word(answer.error_code)})
    found, problems = {}, {}
    for topic in answer.topics:
        for one in topic.partitions:
            place = (topic.name, one.partition_index)
            if one.error_code:
                problems[place] = error_word(one.error_code)
            else:
                found[place] = None if one.committed_offset <= _NOT_COMMITTED else one.committed_offset
    return Committed(found, problems)


def _explained(connection: Connection, problems: dict[Place, str]) -> dict[Place, str]:
    """Where none of the topics asked for can be seen librdkafka does not say why."""
    unexplained = {topic for (topic, _), word in problems.items() if word == _NO_REASON}
    _, reasons = topics(connection, unexplained)
    return {place: reasons.get(place[0], NO_TOPIC) if word == _NO_REASON else word for place, word in problems.items()}


def _listed(connection: Connection, wanted: list[TopicPartition], spec: OffsetSpec, problems: dict[Place, str]) -> dict[Place, int]:
    if not wanted:
        return {}
    level = IsolationLevel.READ_COMMITTED if connection.profile.reads_committed else IsolationLevel.READ_UNCOMMITTED
    asked = connection.ask(lambda: connection.admin.list_offsets(dict.fromkeys(wanted, spec), isolation_level=level, request_timeout=ANSWER_SECONDS))
    found = {}
    for place, answer in asked.items():
        failed = answer.exception()
        if failed is None:
            found[place.topic, place.partition] = answer.result().offset
        else:
            problems[place.topic, place.partition] = in_words(failed.args[0].name())
    return found
