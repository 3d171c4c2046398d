"""Decoding: text becomes a streams document, or is refused with the reason."""

import re
from uuid import UUID

from evenkeel.data.document.application import STREAMS_FORMAT, Application, Process, StreamsConsumer
from evenkeel.data.document.parsing import parsed, refuse_repeats
from evenkeel.data.document.refusal import Kind
from evenkeel.data.errors import SnapshotError

_APPLICATION = Kind(STREAMS_FORMAT, "streams document", Application)
_TASK_ID = re.compile(r"(0|[1-9][0-9]{0,9})_(0|[1-9][0-9]{0,9})")
_PROCESS_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_LARGEST_INT = 2**31 - 1


def decode_application(text: bytes | str) -> Application:
    """Read one streams document.

    Raises
    ------
    SnapshotError
        Where the document breaks the contract: with the path, the value found and the value expected.
    """
    application = parsed(text, _APPLICATION)
    tasks, processes = application.tasks or [], application.processes or []
    for place, task in enumerate(tasks):
        _check_task_id(f"$.tasks[{place}].task_id", task.task_id)
    refuse_repeats("task_id", [task.task_id for task in tasks], "$.tasks")
    for place, process in enumerate(processes):
        _check_process(f"$.processes[{place}]", process)
    refuse_repeats("process_id", [str(UUID(process.process_id)) for process in processes], "$.processes")
    _refuse_repeated_members(processes)
    return application


def task_number(task_id: str) -> tuple[int, int]:
    """Return subtopology and partition of a checked task id."""
    subtopology, _, partition = task_id.partition("_")
    return int(subtopology), int(partition)


def is_process_id(text: str) -> bool:
    """Tell whether a text is a UUID as Java prints it."""
    return bool(_PROCESS_ID.fullmatch(text))


def _check_task_id(path: str, task_id: str):
    if not _TASK_ID.fullmatch(task_id) or max(task_number(task_id)) > _LARGEST_INT:
        raise SnapshotError(f'{path}: found "{task_id}", expected subtopology and partition such as 0_3, both at most {_LARGEST_INT}')


def _check_process(path: str, process: Process):
    if not is_process_id(process.process_id):
        raise SnapshotError(f'{path}.process_id: found "{process.process_id}", expected a UUID in 36 characters')
    if not process.consumers:
        raise SnapshotError(f"{path}.consumers: found [], expected at least one: a process has as much capacity as consumers")
    for place, consumer in enumerate(process.consumers):
        _check_consumer(f"{path}.consumers[{place}]", consumer)


def _check_consumer(path: str, consumer: StreamsConsumer):
    for key in ("owned", "standby"):
        for place, task_id in enumerate(getattr(consumer, key) or ()):
            _check_task_id(f"{path}.{key}[{place}]", task_id)
    for task_id, offset_sum in (consumer.task_offset_sums or {}).items():
        _check_task_id(f"{path}.task_offset_sums", task_id)
        if offset_sum == -1:
            raise SnapshotError(f"{path}.task_offset_sums.{task_id}: found -1, expected -2 (running), -3 (unknown) or a sum of offsets")


def _refuse_repeated_members(processes: list[Process]):
    places = [f"$.processes[{place}].consumers[{number}]" for place, each in enumerate(processes) for number in range(len(each.consumers))]
    names = [consumer.member_id for process in processes for consumer in process.consumers]
    refuse_repeats("member_id", names, places)
