"""Threads of a classic Kafka Streams application, decoded from bytes, and the processes in which
the threads run.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from evenkeel.assignors.group.application import RUNNING
from evenkeel.assignors.kafka.streams.assignor import StreamsSettings
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import task_number
from evenkeel.data.group.document.application import Process, StreamsConsumer, Task
from evenkeel.data.live.reading.topology import Topology, task_ids
from evenkeel.data.live.wire.consumer_protocol import (
    Subscription,
    assignment_with_user_data,
    subscription,
)
from evenkeel.data.live.wire.raw_topics import Place
from evenkeel.data.live.wire.streams_user_data import (
    AssignmentInfo,
    SubscriptionInfo,
    assignment_info,
    subscription_info,
)

PROTOCOL = "stream"
"""Protocol name of classic Kafka Streams applications."""

_ERRORS = {
    1: "INCOMPLETE_SOURCE_TOPIC_METADATA",
    2: "VERSION_PROBING",
    3: "ASSIGNMENT_ERROR",
    4: "SHUTDOWN_REQUESTED",
}
"""Kafka's `AssignorError`."""


class Thread(NamedTuple):
    """A thread. `sent`: its last subscription. `info`: user data in the subscription. `given`: user
    data in the leader's assignment. `inputs`: partitions that each active task reads.
    """

    answer: Any
    sent: Subscription
    info: SubscriptionInfo
    given: AssignmentInfo
    inputs: dict[str, list[Place]]


def thread_of(answer: Any) -> Thread:
    """Decode a member of a DescribeGroups answer.

    Raises
    ------
    SnapshotError
        If the bytes are of another protocol, or the leader reports an error. The message has the
        member's id.
    """
    try:
        sent = subscription(bytes(answer.member_metadata))
        assigned, given = assignment_with_user_data(bytes(answer.member_assignment))
        info = assignment_info(given or b"")
        if info.error_code:
            raise SnapshotError(
                "the leader assigned nothing:"
                f" {_ERRORS.get(info.error_code, f'error {info.error_code}')}"
            )
        return Thread(
            answer,
            sent,
            subscription_info(sent.user_data or b""),
            info,
            _inputs(assigned, info.active),
        )
    except SnapshotError as error:
        raise SnapshotError(f"{answer.member_id}: {error}") from None


class OneThread(NamedTuple):
    """A consumer, and data of its process according to one thread."""

    process_id: str
    consumer: StreamsConsumer
    client_id: str | None
    host: str | None
    rack: str | None
    client_tags: dict[str, str] | None


def one_thread(thread: Thread, consumer: StreamsConsumer) -> OneThread:
    """Return a consumer, and data of its process according to this thread."""
    answer, info = thread.answer, thread.info
    return OneThread(
        info.process_id,
        consumer,
        answer.client_id,
        answer.client_host,
        thread.sent.rack,
        info.client_tags,
    )


def _inputs(assigned: dict[str, list[int]], active: list[str]) -> dict[str, list[Place]]:
    """Return the partitions of each active task. The n-th entry in `active` belongs to the n-th
    partition in sorted order.
    """
    places = sorted((topic, number) for topic, numbers in assigned.items() for number in numbers)
    if len(places) != len(active):
        raise SnapshotError(
            f"AssignmentInfo: {len(active)} active tasks for {len(places)} assigned partitions,"
            " expected one for each"
        )
    places_by_task: dict[str, list[Place]] = {}
    for place, task_id in zip(places, active, strict=True):
        places_by_task.setdefault(task_id, []).append(place)
    return places_by_task


# Processes: threads by KafkaStreams instance.


_OF_THREAD = re.compile(r"-StreamThread-\d+(-consumer)?$")


def processes_of(threads: Iterable[OneThread]) -> list[Process]:
    """Return the processes with their threads, in the coordinator's order. Host, client id and tags
    of a process come from its first thread.

    If the threads of a process report different racks, or no rack, the process has no rack. Then
    rack awareness is off, as in Kafka.
    """
    by_process: dict[str, list[OneThread]] = {}
    for order, thread in enumerate(threads):
        listed = thread._replace(consumer=msgspec.structs.replace(thread.consumer, order=order))
        by_process.setdefault(thread.process_id, []).append(listed)
    return [_process(process_id, some) for process_id, some in by_process.items()]


def _process(process_id: str, threads: list[OneThread]) -> Process:
    first, racks = threads[0], {thread.rack for thread in threads}
    return Process(
        process_id=process_id,
        consumers=[thread.consumer for thread in threads],
        client_id=_OF_THREAD.sub("", first.client_id) if first.client_id else None,
        host=first.host,
        rack=racks.pop() if len(racks) == 1 else None,
        client_tags=first.client_tags or None,
    )


# Conclusions from an application's standbys about its settings and state.


def with_state(topology: Topology, standby: Iterable[str], reported: Iterable[str]) -> Topology:
    """Mark a subtopology as stateful if one of its tasks has a standby or a reported offset sum.

    If all tasks of some subtopology have standbys, then num.standby.replicas is at least 1, so each
    stateful task has a standby. Then a subtopology without standbys is stateless.
    """
    copies = Counter(standby)
    seen = {task_number(task)[0] for task in (*copies, *reported)}
    is_complete = any(
        copies and all(copies[task] for task in task_ids({number: subtopology}))
        for number, subtopology in topology.items()
    )
    is_otherwise = False if is_complete else None
    return {
        number: replace(subtopology, is_stateful=True if number in seen else is_otherwise)
        for number, subtopology in topology.items()
    }


def standby_count(standby: Mapping[str, int], stateful: Iterable[str]) -> int:
    """Return num.standby.replicas: the smallest number of standbys of a stateful task. A larger
    number includes warm-ups.

    `standby`: number of copies of each task. If there are too few processes, the result is smaller
    than the setting.
    """
    return min((standby.get(task, 0) for task in stateful), default=0)


# What the threads of a classic application would send if they rejoined now, derived from their last
# assignment.


ASSUMED_SUMS = "processes[*].consumers[*].task_offset_sums"
"""Path of the offset sums. They are assumed, because only the members know the present sums."""

_ACCEPTABLE_RECOVERY_LAG = StreamsSettings.acceptable_recovery_lag
"""Kafka's default. Only the application's leader knows the setting."""


def now_of(threads: Sequence[Thread], tasks: Sequence[Task], is_probing: bool) -> list[Process]:
    """Return the processes with the data that the threads would send now. Assigned stateful tasks
    are running, and standbys are restored completely.

    If `is_probing`, the leader waits for warm-ups. Then a standby that had many records to restore
    keeps the last reported offset sum.
    """
    by_id = {task.task_id: task for task in tasks}
    roles: dict[str, set[str]] = {}
    for thread in threads:
        roles.setdefault(thread.info.process_id, set()).update(thread.inputs, thread.given.standby)
    return processes_of(
        one_thread(thread, _consumer(thread, by_id, roles[thread.info.process_id], is_probing))
        for thread in threads
    )


def _consumer(
    thread: Thread, tasks: Mapping[str, Task], roles: set[str], is_probing: bool
) -> StreamsConsumer:
    reported, standby = thread.info.offset_sums, sorted(thread.given.standby, key=task_number)
    owned = sorted(thread.inputs, key=task_number)
    on_disk = [task for task in reported if task in tasks and task not in roles]
    sums = {task: RUNNING for task in owned if tasks[task].stateful}
    sums |= {
        task: copy
        for task in standby
        if (copy := _of_copy(tasks[task], reported.get(task), is_probing)) is not None
    }
    sums |= {task: _of_disk(tasks[task], reported[task]) for task in on_disk}
    return StreamsConsumer(
        thread.answer.member_id, owned=owned, standby=standby, task_offset_sums=sums
    )


def _of_copy(task: Task, reported: int | None, is_probing: bool) -> int | None:
    end = task.end_offset_sum
    if end is None:
        return reported
    is_far = reported != RUNNING and end - max(reported or 0, 0) > _ACCEPTABLE_RECOVERY_LAG
    return reported if is_probing and is_far else end


def _of_disk(task: Task, reported: int) -> int:
    """Return the offset sum of a task whose state is only on disk. If the task was running, its
    state is complete.
    """
    if reported == RUNNING and task.end_offset_sum is not None:
        return task.end_offset_sum
    return reported
