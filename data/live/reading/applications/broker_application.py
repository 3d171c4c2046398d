"""A streams group, KIP-1071, whose broker assigns: its document from the coordinator's answer."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from evenkeel.assignors.group.application import RUNNING, UNKNOWN_SUM
from evenkeel.data.document import STREAMS_FORMAT, Application, task_number
from evenkeel.data.document.application import StreamsConsumer
from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.reading.applications.application import LiveApplication
from evenkeel.data.live.reading.applications.changelogs import EndSums, way_sums
from evenkeel.data.live.reading.applications.copies import standby_count
from evenkeel.data.live.reading.applications.processes import OneThread, processes_of
from evenkeel.data.live.reading.applications.tasks import tasks_of
from evenkeel.data.live.reading.applications.topology import Subtopology, Topology
from evenkeel.data.live.reading.topics import LiveTopic
from evenkeel.data.live.wire.raw_topics import Place


def broker_application(
    application_id: str, answer: Any, seen: Mapping[str, LiveTopic], ends: Mapping[Place, int], taken_at: datetime
) -> LiveApplication:
    """Return the document.

    `seen`: source topics and changelogs. `ends`: end offsets of the changelogs.

    Raises
    ------
    SnapshotError
        Where the group has no topology, or subtopologies are not numbered.
    """
    topology, way = _topology(answer, seen)
    tasks, assumed = tasks_of(topology, EndSums(way_sums(way, topology, ends), frozenset(), way), seen)
    threads = [_thread(one) for one in answer.members]
    given = Counter(task for thread in threads for task in thread.consumer.standby or ())
    document = Application(
        format=STREAMS_FORMAT,
        application_id=application_id,
        taken_at=taken_at,
        type="streams",
        assumed=["settings", *assumed],
        settings={"num.standby.replicas": standby_count(given, [task.task_id for task in tasks if task.stateful])},
        tasks=tasks,
        processes=processes_of(threads),
    )
    return LiveApplication(document)


def changelogs_of(answer: Any) -> list[str]:
    """Return the names of a group's changelogs."""
    parts = answer.topology.subtopologies or () if answer.topology else ()
    return [topic.name for one in parts for topic in one.state_changelog_topics]


def _topology(answer: Any, seen: Mapping[str, LiveTopic]) -> tuple[Topology, dict[str, int]]:
    parts = answer.topology.subtopologies or () if answer.topology else ()
    if not parts:
        raise SnapshotError("the group has no topology yet")
    topology, way = {}, {}
    for one in parts:
        number = _number(one.subtopology_id)
        topics = frozenset([*one.source_topics, *(topic.name for topic in one.repartition_source_topics)])
        listed = [topic.partitions for topic in (*one.repartition_source_topics, *one.state_changelog_topics)]
        sizes = [len(seen[topic].racks) for topic in topics if topic in seen] or listed
        topology[number] = Subtopology(topics, max(sizes, default=0), bool(one.state_changelog_topics))
        way |= {topic.name: number for topic in one.state_changelog_topics}
    return topology, way


def _thread(member: Any) -> OneThread:
    """Brokers up to Kafka 4.3 tell no offsets: what runs counts as running, and how far a copy is remains unknown."""
    owned, standby = (_tasks(listed) for listed in (member.target_assignment.active_tasks, member.target_assignment.standby_tasks))
    told = {f"{_number(one.subtopology_id)}_{one.partition}": one.offset for one in member.task_offsets}
    sums = dict.fromkeys(standby, UNKNOWN_SUM) | told | dict.fromkeys(owned, RUNNING)
    tags = {tag.key: tag.value for tag in member.client_tags}
    consumer = StreamsConsumer(member.member_id, owned=owned, standby=standby, task_offset_sums=sums)
    return OneThread(member.process_id, consumer, member.client_id, member.client_host, member.rack_id or None, tags)


def _tasks(listed: Any) -> list[str]:
    found = [f"{_number(one.subtopology_id)}_{partition}" for one in listed for partition in one.partitions]
    return sorted(found, key=task_number)


def _number(subtopology_id: str) -> int:
    if not (subtopology_id.isascii() and subtopology_id.isdigit()):
        raise SnapshotError(f'subtopology "{subtopology_id}", expected a number')
    return int(subtopology_id)
