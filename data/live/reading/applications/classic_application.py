"""A classic Kafka Streams application, whose leader assigns: its documents from the bytes of its threads."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain

import msgspec

from evenkeel.data.document import STREAMS_FORMAT, Application, task_number
from evenkeel.data.document.application import StreamsConsumer
from evenkeel.data.live.reading.applications.application import LiveApplication
from evenkeel.data.live.reading.applications.changelogs import end_sums
from evenkeel.data.live.reading.applications.copies import standby_count, with_state
from evenkeel.data.live.reading.applications.now import ASSUMED_SUMS, now_of
from evenkeel.data.live.reading.applications.processes import OneThread, processes_of
from evenkeel.data.live.reading.applications.tasks import tasks_of
from evenkeel.data.live.reading.applications.thread import Thread, one_thread
from evenkeel.data.live.reading.applications.topology import Read, Topology, topology_of
from evenkeel.data.live.reading.topics import LiveTopic
from evenkeel.data.live.wire.assignment_info import NO_REBALANCE
from evenkeel.data.live.wire.raw_topics import Place

_STANDBYS = "num.standby.replicas"


def classic_application(
    application_id: str, threads: Sequence[Thread], seen: Mapping[str, LiveTopic], ends: Mapping[Place, int], taken_at: datetime
) -> LiveApplication:
    """Return the documents.

    Parameters
    ----------
    seen : mapping
        Source topics and the application's changelogs; others are ignored.
    ends : mapping
        End offsets of the changelogs.
    """
    topology = with_state(topology_of(_reads(threads), seen), _standby(threads), _reported(threads))
    changelogs = {topic: seen[topic] for topic, _ in ends if topic in seen}
    sums = end_sums(topology, changelogs, ends, _largest(threads, topology))
    tasks, assumed = tasks_of(topology, sums, seen)
    unread = {topic for thread in threads for topic in thread.sent.topics}.difference(*(one.topics for one in topology.values()))
    given = Counter(_standby(threads))
    document = Application(
        format=STREAMS_FORMAT,
        application_id=application_id,
        taken_at=taken_at,
        type="classic",
        assumed=["settings", *(["tasks"] if unread else []), *assumed],
        settings={_STANDBYS: standby_count(given, [task.task_id for task in tasks if task.stateful])},
        tasks=tasks,
    )
    next_probing = _next_probing(threads)
    joined = msgspec.structs.replace(document, processes=processes_of(_as_joined(thread, topology) for thread in threads))
    after = msgspec.structs.replace(
        document, processes=now_of(threads, tasks, next_probing is not None), assumed=[*document.assumed, ASSUMED_SUMS]
    )
    return LiveApplication(after, joined, next_probing)


def _reads(threads: Iterable[Thread]) -> Iterable[Read]:
    for thread in threads:
        for task_id, places in chain(thread.inputs.items(), thread.given.standby.items()):
            yield from (Read(task_id, *place) for place in places)


def _standby(threads: Iterable[Thread]) -> list[str]:
    return [task_id for thread in threads for task_id in thread.given.standby]


def _reported(threads: Iterable[Thread]) -> set[str]:
    return {task_id for thread in threads for task_id in thread.info.offset_sums}


def _largest(threads: Iterable[Thread], topology: Topology) -> dict[str, int]:
    """Return the largest sum of offsets that a thread reported for each task."""
    found: dict[str, int] = {}
    for task_id, offset_sum in chain.from_iterable(thread.info.offset_sums.items() for thread in threads):
        if offset_sum >= 0 and task_number(task_id)[0] in topology:
            found[task_id] = max(offset_sum, found.get(task_id, 0))
    return found


def _next_probing(threads: Iterable[Thread]) -> int | None:
    asked = [thread.given.next_rebalance_ms for thread in threads]
    return min((each for each in asked if each and each != NO_REBALANCE), default=None)


def _as_joined(thread: Thread, topology: Topology) -> OneThread:
    reader = {topic: number for number, one in topology.items() for topic in one.topics}
    owned = {
        f"{reader[topic]}_{partition}" for topic, numbers in (thread.sent.owned or {}).items() if topic in reader for partition in numbers
    }
    return one_thread(
        thread, StreamsConsumer(thread.answer.member_id, owned=sorted(owned, key=task_number), task_offset_sums=thread.info.offset_sums)
    )
