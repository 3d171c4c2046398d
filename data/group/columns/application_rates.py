"""Restore rates of an application, and the application's document some time after a rebalance."""

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from evenkeel.assignors.assignment import TaskAssignment
from evenkeel.assignors.group import UNKNOWN
from evenkeel.assignors.group.application import RUNNING, ApplicationSnapshot
from evenkeel.assignors.kafka.streams.assignor import StreamsSettings
from evenkeel.assignors.protocol import STREAMS
from evenkeel.assignors.rounds.restoring import Restoring
from evenkeel.data.group.columns.application_document import ordered_tasks, task_order
from evenkeel.data.group.document import Application
from evenkeel.data.group.document.application import Process, StreamsConsumer


def restoring_rates(document: Application) -> Restoring:
    """Return the restore rate of each process and the growth of each changelog; NaN if unknown."""
    of_process, of_task = document.restore_rates or {}, document.end_offset_rates or {}
    tasks = [task.task_id for task in ordered_tasks(document)]
    return Restoring(
        np.array(
            [of_process.get(process.process_id, np.nan) for process in document.processes or ()],
            dtype=np.float64,
        ),
        np.array([of_task.get(task, np.nan) for task in tasks], dtype=np.float64),
    )


# Rates of an application, measured between two moments.


def with_measured_rates(later: Application, earlier: Application) -> Application:
    """Return `later`; its missing rates, in records/s, are measured between the two documents.

    A rate of a task is the growth of the end offset of its changelog. A rate of a process is the
    growth of all its copies. A process may have had nothing to restore, so its rate is measured
    only if a copy has grown and is still behind by more than `acceptable.recovery.lag`.
    """
    if later.taken_at is None or earlier.taken_at is None or later.taken_at <= earlier.taken_at:
        return later
    seconds = (later.taken_at - earlier.taken_at).total_seconds()
    ends = {
        task.task_id: task.end_offset_sum
        for task in later.tasks or ()
        if task.stateful and task.end_offset_sum is not None
    }
    grown = {
        task.task_id: (ends[task.task_id] - task.end_offset_sum) / seconds
        for task in earlier.tasks or ()
        if task.task_id in ends
        and task.end_offset_sum is not None
        and ends[task.task_id] >= task.end_offset_sum
    }
    before = {process.process_id: _sums(process) for process in earlier.processes or ()}
    near = _acceptable_lag(later)
    restored = {
        process.process_id: sum(each.values()) / seconds
        for process in later.processes or ()
        if (each := _restored(before.get(process.process_id, {}), _sums(process), ends, near))
    }
    return msgspec.structs.replace(
        later,
        restore_rates=restored | (later.restore_rates or {}) or None,
        end_offset_rates=grown | (later.end_offset_rates or {}) or None,
    )


def _acceptable_lag(document: Application) -> int:
    """Return `acceptable.recovery.lag`; the default if it is missing or not a number."""
    lag = (document.settings or {}).get("acceptable.recovery.lag")
    return lag if isinstance(lag, int) else StreamsSettings.acceptable_recovery_lag


def _sums(process: Process) -> dict[str, int]:
    return {
        task_id: offset_sum
        for consumer in process.consumers
        for task_id, offset_sum in (consumer.task_offset_sums or {}).items()
    }


def _restored(
    before: dict[str, int], after: dict[str, int], ends: dict[str, int], near: int
) -> dict[str, int]:
    """Return how many records each copy restored.

    Empty if the process may have been idle: at least one copy must have grown and still be behind
    by more than `near` records.
    """
    copies = {
        task: offset_sum for task, offset_sum in after.items() if offset_sum >= 0 and task in ends
    }
    if not any(
        ends[task] - offset_sum > near and 0 <= before.get(task, RUNNING) < offset_sum
        for task, offset_sum in copies.items()
    ):
        return {}
    # A copy that became active in the meantime was restored to its end, by an unknown number of
    # records.
    if any(offset_sum >= 0 and after.get(task, RUNNING) < 0 for task, offset_sum in before.items()):
        return {}
    return {
        task: offset_sum - before[task]
        for task, offset_sum in copies.items()
        if 0 <= before.get(task, RUNNING) <= offset_sum
    }


# The streams document of an application some time after a rebalance.


def document_after(
    document: Application, application: ApplicationSnapshot, answer: TaskAssignment
) -> Application:
    """Return the document with the application's tasks, reported offsets and changelog end offsets.

    `application` has the document's processes and consumers, in the same order. `answer`:
    assignment by the last rebalance.
    """
    place = task_order(document).tolist()
    names = [task.task_id for task in ordered_tasks(document)]
    owned = _by_member(
        application,
        zip(application.owned_member.tolist(), application.owned_task.tolist(), strict=True),
        names,
    )
    standby = _by_member(
        application,
        zip(answer.standby_member.tolist(), answer.standby[:, 1].tolist(), strict=True),
        names,
    )
    sums: list[dict[str, int]] = [{} for _ in application.member_id]
    for member, task, offset_sum in zip(
        application.reported_member.tolist(),
        application.reported_task.tolist(),
        application.reported_sum.tolist(),
        strict=True,
    ):
        sums[member][names[task]] = offset_sum
    tasks = list(document.tasks or ())
    for row, number in enumerate(place):
        end = int(application.end_offset_sum[row])
        tasks[number] = msgspec.structs.replace(
            tasks[number], end_offset_sum=None if end == UNKNOWN else end
        )
    rows = iter(range(application.member_count))
    keeps_standby = document.type == STREAMS

    def consumers_of(consumers: Sequence[StreamsConsumer]) -> list[StreamsConsumer]:
        return [
            msgspec.structs.replace(
                consumer,
                owned=owned[row],
                standby=standby[row] if keeps_standby else consumer.standby,
                task_offset_sums=sums[row],
            )
            for consumer, row in zip(consumers, rows, strict=False)
        ]

    processes = [
        msgspec.structs.replace(process, consumers=consumers_of(process.consumers))
        for process in document.processes or ()
    ]
    return msgspec.structs.replace(document, tasks=tasks, processes=processes)


def _by_member(
    application: ApplicationSnapshot, pairs: Iterable[tuple[int, int]], names: Sequence[str]
) -> list[list[str]]:
    tasks_of_members: list[list[str]] = [[] for _ in application.member_id]
    for member, task in sorted(pairs):
        tasks_of_members[member].append(names[task])
    return tasks_of_members
