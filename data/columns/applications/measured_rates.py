"""Rates of an application, measured between two of its moments."""

import msgspec

from evenkeel.assignors.group.application import RUNNING
from evenkeel.assignors.kafka.streams.assignor import StreamsSettings
from evenkeel.data.document import Application
from evenkeel.data.document.application import Process


def with_measured_rates(later: Application, earlier: Application) -> Application:
    """Return the later document with the rates in records/s that it has not and that both moments tell.

    A changelog's end offset grows at one rate. A process restores at the rate at which its copies grew, where one that grew is still behind
    by more than `acceptable.recovery.lag`: then it was never idle in between. Else its rate is unknown.
    """
    if later.taken_at is None or earlier.taken_at is None or later.taken_at <= earlier.taken_at:
        return later
    seconds = (later.taken_at - earlier.taken_at).total_seconds()
    ends = {task.task_id: task.end_offset_sum for task in later.tasks or () if task.stateful and task.end_offset_sum is not None}
    grown = {
        task.task_id: (ends[task.task_id] - task.end_offset_sum) / seconds
        for task in earlier.tasks or ()
        if task.task_id in ends and task.end_offset_sum is not None and ends[task.task_id] >= task.end_offset_sum
    }
    before = {process.process_id: _sums(process) for process in earlier.processes or ()}
    near = _acceptable_lag(later)
    restored = {
        process.process_id: sum(each.values()) / seconds
        for process in later.processes or ()
        if (each := _restored(before.get(process.process_id, {}), _sums(process), ends, near))
    }
    return msgspec.structs.replace(
        later, restore_rates=restored | (later.restore_rates or {}) or None, end_offset_rates=grown | (later.end_offset_rates or {}) or None
    )


def _acceptable_lag(document: Application) -> int:
    """Return the setting; null, and what is no number, which the assignor refuses, count as missing."""
    found = (document.settings or {}).get("acceptable.recovery.lag")
    return found if isinstance(found, int) else StreamsSettings.acceptable_recovery_lag


def _sums(process: Process) -> dict[str, int]:
    return {task_id: offset_sum for consumer in process.consumers for task_id, offset_sum in (consumer.task_offset_sums or {}).items()}


def _restored(before: dict[str, int], after: dict[str, int], ends: dict[str, int], near: int) -> dict[str, int]:
    """Return the records that each copy grew by; nothing where no copy that grew is still behind."""
    copies = {task: offset_sum for task, offset_sum in after.items() if offset_sum >= 0 and task in ends}
    if not any(ends[task] - offset_sum > near and 0 <= before.get(task, RUNNING) < offset_sum for task, offset_sum in copies.items()):
        return {}
    # A copy that has become active since has been restored to its end; how many records that were then is unknown.
    if any(offset_sum >= 0 and after.get(task, RUNNING) < 0 for task, offset_sum in before.items()):
        return {}
    return {task: offset_sum - before[task] for task, offset_sum in copies.items() if 0 <= before.get(task, RUNNING) <= offset_sum}
