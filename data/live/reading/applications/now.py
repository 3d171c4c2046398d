"""Now: what threads of a classic application would send if they rejoined, as far as their last assignment tells."""

from collections.abc import Mapping, Sequence

from evenkeel.assignors.group.application import RUNNING
from evenkeel.assignors.kafka.streams.assignor import StreamsSettings
from evenkeel.data.document import task_number
from evenkeel.data.document.application import Process, StreamsConsumer, Task
from evenkeel.data.live.reading.applications.processes import processes_of
from evenkeel.data.live.reading.applications.thread import Thread, one_thread

ASSUMED_SUMS = "processes[*].consumers[*].task_offset_sums"
"""Path of the offset sums: only the members know those of this moment."""

_ACCEPTABLE_RECOVERY_LAG = StreamsSettings.acceptable_recovery_lag
"""Kafka's default; the setting of the application is known to its leader alone."""


def now_of(threads: Sequence[Thread], tasks: Sequence[Task], is_probing: bool) -> list[Process]:
    """Return the processes. A stateful task that a thread was given counts as running, a standby as restored to the end.

    `is_probing`: the leader waits for warm-ups; then a standby that was far behind has what its thread last reported.
    """
    by_id = {task.task_id: task for task in tasks}
    roles: dict[str, set[str]] = {}
    for thread in threads:
        roles.setdefault(thread.info.process_id, set()).update(thread.inputs, thread.given.standby)
    return processes_of(one_thread(thread, _consumer(thread, by_id, roles[thread.info.process_id], is_probing)) for thread in threads)


def _consumer(thread: Thread, tasks: Mapping[str, Task], roles: set[str], is_probing: bool) -> StreamsConsumer:
    reported, standby = thread.info.offset_sums, sorted(thread.given.standby, key=task_number)
    owned = sorted(thread.inputs, key=task_number)
    on_disk = [task for task in reported if task in tasks and task not in roles]
    sums = {task: RUNNING for task in owned if tasks[task].stateful}
    sums |= {task: found for task in standby if (found := _of_copy(tasks[task], reported.get(task), is_probing)) is not None}
    sums |= {task: _of_disk(tasks[task], reported[task]) for task in on_disk}
    return StreamsConsumer(thread.answer.member_id, owned=owned, standby=standby, task_offset_sums=sums)


def _of_copy(task: Task, reported: int | None, is_probing: bool) -> int | None:
    end = task.end_offset_sum
    if end is None or (is_probing and reported != RUNNING and end - max(reported or 0, 0) > _ACCEPTABLE_RECOVERY_LAG):
        return reported
    return end


def _of_disk(task: Task, reported: int) -> int:
    """A task that ran here has left its state."""
    return task.end_offset_sum if reported == RUNNING and task.end_offset_sum is not None else reported
