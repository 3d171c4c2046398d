"""Kafka Streams applications of a cluster as streams documents. In a classic group the leader
assigns the tasks, in a streams group (KIP-1071) the broker.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from evenkeel.assignors.group.application import RUNNING, UNKNOWN_SUM
from evenkeel.assignors.protocol import CLASSIC, STREAMS
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import STABLE, STREAMS_FORMAT, Application, task_number
from evenkeel.data.group.document.application import StreamsConsumer
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.application import LiveApplication
from evenkeel.data.live.reading.offsets import ends
from evenkeel.data.live.reading.threads import (
    ASSUMED_SUMS,
    PROTOCOL,
    OneThread,
    Thread,
    now_of,
    one_thread,
    processes_of,
    standby_count,
    thread_of,
    with_state,
)
from evenkeel.data.live.reading.topics import LiveTopic, topic_names, topics
from evenkeel.data.live.reading.topology import (
    EndSums,
    SourcePartition,
    Subtopology,
    Topology,
    changelog_names,
    end_sums,
    tasks_of,
    topology_of,
    way_sums,
)
from evenkeel.data.live.wire.raw_topics import Place
from evenkeel.data.live.wire.streams_user_data import NO_REBALANCE


class ApplicationReading(NamedTuple):
    """An application. If it cannot be read: null, and the reason in `problem`."""

    application: LiveApplication | None
    problem: str | None = None


def is_application(answer: Any) -> bool:
    """Return whether a coordinator's answer is about a Kafka Streams application whose members can
    be read.
    """
    if hasattr(answer, "topology"):
        return bool(answer.members)
    return (
        getattr(answer, "protocol_data", None) == PROTOCOL
        and answer.group_state == STABLE
        and bool(answer.members)
    )


def applications(
    connection: Connection,
    answers: Mapping[str, Any],
    sources: Mapping[str, LiveTopic],
    taken_at: datetime,
) -> dict[str, ApplicationReading]:
    """Return the applications in the coordinators' answers. The answers and the result have group
    ids as keys. `sources`: input topics of the applications.

    Raises
    ------
    SnapshotError
        If the cluster does not answer.
    """
    if not answers:
        return {}
    changelogs = _changelogs(connection, answers)
    seen, _ = topics(connection, {name for names in changelogs.values() for name in names})
    places = {(name, number) for name, topic in seen.items() for number in range(len(topic.racks))}
    end_offsets = ends(connection, places, seen).end
    return {
        group_id: _reading(
            group_id,
            answer,
            {**sources, **seen},
            {place: end for place, end in end_offsets.items() if place[0] in changelogs[group_id]},
            taken_at,
        )
        for group_id, answer in answers.items()
    }


def _changelogs(connection: Connection, answers: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the names of each application's changelogs. For a classic application, the topics of
    the cluster are searched for changelogs.
    """
    is_classic = any(not hasattr(answer, "topology") for answer in answers.values())
    names, groups = (
        (
            topic_names(connection),
            [group.group_id for group in connection.ask(connection.raw.listed)],
        )
        if is_classic
        else ([], [])
    )
    return {
        group_id: changelogs_of(answer)
        if hasattr(answer, "topology")
        else changelog_names(group_id, names, groups)
        for group_id, answer in answers.items()
    }


def _reading(
    group_id: str,
    answer: Any,
    seen: Mapping[str, LiveTopic],
    ends: Mapping[tuple[str, int], int],
    taken_at: datetime,
) -> ApplicationReading:
    try:
        if hasattr(answer, "topology"):
            return ApplicationReading(broker_application(group_id, answer, seen, ends, taken_at))
        return ApplicationReading(
            classic_application(
                group_id, [thread_of(member) for member in answer.members], seen, ends, taken_at
            )
        )
    except SnapshotError as error:
        return ApplicationReading(None, f"Kafka Streams: {error}")


# A classic Kafka Streams application: a leader assigns its tasks. Its documents are decoded from
# its threads' user data.


_STANDBYS = "num.standby.replicas"


def classic_application(
    application_id: str,
    threads: Sequence[Thread],
    seen: Mapping[str, LiveTopic],
    ends: Mapping[Place, int],
    taken_at: datetime,
) -> LiveApplication:
    """Return the documents of a classic application.

    Parameters
    ----------
    seen : mapping
        Source topics and the application's changelogs. Other topics are ignored.
    ends : mapping
        End offsets of the changelogs.
    """
    reported = {task_id for thread in threads for task_id in thread.info.offset_sums}
    topology = with_state(topology_of(_reads(threads), seen), _standby(threads), reported)
    changelogs = {topic: seen[topic] for topic, _ in ends if topic in seen}
    sums = end_sums(topology, changelogs, ends, _largest(threads, topology))
    tasks, assumed = tasks_of(topology, sums, seen)
    unread = {topic for thread in threads for topic in thread.sent.topics}.difference(
        *(subtopology.topics for subtopology in topology.values())
    )
    given = Counter(_standby(threads))
    document = Application(
        format=STREAMS_FORMAT,
        application_id=application_id,
        taken_at=taken_at,
        type=CLASSIC,
        assumed=["settings", *(["tasks"] if unread else []), *assumed],
        settings={
            _STANDBYS: standby_count(given, [task.task_id for task in tasks if task.stateful])
        },
        tasks=tasks,
    )
    moments = [thread.given.next_rebalance_ms for thread in threads]
    scheduled = [moment for moment in moments if moment and moment != NO_REBALANCE]
    next_probing = min(scheduled, default=None)
    joined = msgspec.structs.replace(
        document, processes=processes_of(_as_joined(thread, topology) for thread in threads)
    )
    after = msgspec.structs.replace(
        document,
        processes=now_of(threads, tasks, next_probing is not None),
        assumed=[*(document.assumed or ()), ASSUMED_SUMS],
    )
    return LiveApplication(after, joined, next_probing)


def _reads(threads: Iterable[Thread]) -> Iterable[SourcePartition]:
    for thread in threads:
        for task_id, places in chain(thread.inputs.items(), thread.given.standby.items()):
            yield from (SourcePartition(task_id, *place) for place in places)


def _standby(threads: Iterable[Thread]) -> list[str]:
    return [task_id for thread in threads for task_id in thread.given.standby]


def _largest(threads: Iterable[Thread], topology: Topology) -> dict[str, int]:
    """Return the largest offset sum that a thread reported for each task."""
    largest: dict[str, int] = {}
    for task_id, offset_sum in chain.from_iterable(
        thread.info.offset_sums.items() for thread in threads
    ):
        if offset_sum >= 0 and task_number(task_id)[0] in topology:
            largest[task_id] = max(offset_sum, largest.get(task_id, 0))
    return largest


def _as_joined(thread: Thread, topology: Topology) -> OneThread:
    reader = {
        topic: number for number, subtopology in topology.items() for topic in subtopology.topics
    }
    owned = set()
    for topic, partitions in (thread.sent.owned or {}).items():
        if topic in reader:
            owned |= {f"{reader[topic]}_{partition}" for partition in partitions}
    return one_thread(
        thread,
        StreamsConsumer(
            thread.answer.member_id,
            owned=sorted(owned, key=task_number),
            task_offset_sums=thread.info.offset_sums,
        ),
    )


# A streams group (KIP-1071): the broker assigns its tasks. Its document is the coordinator's
# answer.


def broker_application(
    application_id: str,
    answer: Any,
    seen: Mapping[str, LiveTopic],
    ends: Mapping[Place, int],
    taken_at: datetime,
) -> LiveApplication:
    """Return the document of a streams group.

    `seen`: source topics and changelogs. `ends`: end offsets of the changelogs.

    Raises
    ------
    SnapshotError
        If the group has no topology, or the id of a subtopology is not a number.
    """
    topology, way = _topology(answer, seen)
    tasks, assumed = tasks_of(
        topology, EndSums(way_sums(way, topology, ends), frozenset(), way), seen
    )
    threads = [_thread(member) for member in answer.members]
    given = Counter(task for thread in threads for task in thread.consumer.standby or ())
    document = Application(
        format=STREAMS_FORMAT,
        application_id=application_id,
        taken_at=taken_at,
        type=STREAMS,
        assumed=["settings", *assumed],
        settings={
            "num.standby.replicas": standby_count(
                given, [task.task_id for task in tasks if task.stateful]
            )
        },
        tasks=tasks,
        processes=processes_of(threads),
    )
    return LiveApplication(document)


def changelogs_of(answer: Any) -> list[str]:
    """Return the names of a streams group's changelogs."""
    parts = answer.topology.subtopologies or () if answer.topology else ()
    return [topic.name for subtopology in parts for topic in subtopology.state_changelog_topics]


def _topology(answer: Any, seen: Mapping[str, LiveTopic]) -> tuple[Topology, dict[str, int]]:
    parts = answer.topology.subtopologies or () if answer.topology else ()
    if not parts:
        raise SnapshotError("the group has no topology yet")
    topology: Topology = {}
    way: dict[str, int] = {}
    for subtopology in parts:
        number = _number(subtopology.subtopology_id)
        topics = frozenset(
            [
                *subtopology.source_topics,
                *(topic.name for topic in subtopology.repartition_source_topics),
            ]
        )
        listed = [
            topic.partitions
            for topic in (
                *subtopology.repartition_source_topics,
                *subtopology.state_changelog_topics,
            )
        ]
        sizes = [len(seen[topic].racks) for topic in topics if topic in seen] or listed
        topology[number] = Subtopology(
            topics, max(sizes, default=0), bool(subtopology.state_changelog_topics)
        )
        way |= {topic.name: number for topic in subtopology.state_changelog_topics}
    return topology, way


def _thread(member: Any) -> OneThread:
    """Return a member as a thread. Brokers up to Kafka 4.3 report no offsets. So an active task
    counts as running, and the offset of a standby is unknown.
    """
    owned, standby = (
        _tasks(listed)
        for listed in (
            member.target_assignment.active_tasks,
            member.target_assignment.standby_tasks,
        )
    )
    sums_sent = {
        f"{_number(task_offset.subtopology_id)}_{task_offset.partition}": task_offset.offset
        for task_offset in member.task_offsets
    }
    sums = dict.fromkeys(standby, UNKNOWN_SUM) | sums_sent | dict.fromkeys(owned, RUNNING)
    tags = {tag.key: tag.value for tag in member.client_tags}
    consumer = StreamsConsumer(
        member.member_id, owned=owned, standby=standby, task_offset_sums=sums
    )
    return OneThread(
        member.process_id,
        consumer,
        member.client_id,
        member.client_host,
        member.rack_id or None,
        tags,
    )


def _tasks(listed: Any) -> list[str]:
    task_ids = [
        f"{_number(tasks.subtopology_id)}_{partition}"
        for tasks in listed
        for partition in tasks.partitions
    ]
    return sorted(task_ids, key=task_number)


def _number(subtopology_id: str) -> int:
    if not (subtopology_id.isascii() and subtopology_id.isdigit()):
        raise SnapshotError(f'subtopology "{subtopology_id}", expected a number')
    return int(subtopology_id)
