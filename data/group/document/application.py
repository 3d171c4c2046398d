"""The fields of the streams document `evenkeel.streams/1`: an application at one time."""

import re
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document.parsing import Kind, parsed, refuse_repeats
from evenkeel.data.group.document.shape import Held, Offset, Shape, Time

STREAMS_FORMAT = "evenkeel.streams/1"

OffsetSum = Annotated[int, msgspec.Meta(ge=-3, le=2**63 - 1)]
"""As in Kafka's protocol: -2 running, -3 unknown, else the sum of the offsets in the state."""

Rate = Annotated[float, msgspec.Meta(ge=0)]
"""Records per second."""

Racks = list[list[str | None]]
"""The racks of the replicas of each partition."""


class Task(Shape, frozen=True):
    """A task; `input_partitions`: the source partitions that it reads."""

    task_id: str
    stateful: bool
    end_offset_sum: Offset | None = None
    source_racks: Racks | None = None
    changelog_racks: Racks | None = None
    input_partitions: Held | None = None


class StreamsConsumer(Shape, frozen=True):
    """A consumer: a thread of a process.

    `standby`: an input of the assignor only for streams groups. `order`: index in the coordinator's
    list, which is not sorted by process.
    """

    member_id: str
    owned: list[str] | None = None
    standby: list[str] | None = None
    task_offset_sums: dict[str, OffsetSum] | None = None
    order: Annotated[int, msgspec.Meta(ge=0)] | None = None


class Process(Shape, frozen=True):
    """A KafkaStreams instance; its capacity is its number of consumers."""

    process_id: str
    consumers: list[StreamsConsumer]
    client_id: str | None = None
    host: str | None = None
    rack: str | None = None
    client_tags: dict[str, str] | None = None


class Application(Shape, frozen=True):
    """A Kafka Streams application; `settings` have Kafka's dotted names."""

    format: str
    application_id: str | None = None
    taken_at: Time | None = None
    type: Literal["classic", "streams"] | None = None
    assumed: list[str] | None = None
    settings: dict[str, Any] | None = None
    tasks: list[Task] | None = None
    processes: list[Process] | None = None
    restore_rates: dict[str, Rate] | None = None
    end_offset_rates: dict[str, Rate] | None = None


# Decoding: text becomes a streams document, or is refused with a reason.


_APPLICATION = Kind(STREAMS_FORMAT, "streams document", Application)
_TASK_ID = re.compile(r"(0|[1-9][0-9]{0,9})_(0|[1-9][0-9]{0,9})")
_PROCESS_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_LARGEST_INT = 2**31 - 1


def decode_application(text: bytes | str) -> Application:
    """Read a streams document.

    Raises
    ------
    SnapshotError
        If the document is invalid; the message has the path, the value and the expected value.
    """
    application = parsed(text, _APPLICATION)
    tasks, processes = application.tasks or [], application.processes or []
    for place, task in enumerate(tasks):
        _check_task_id(f"$.tasks[{place}].task_id", task.task_id)
    refuse_repeats("task_id", [task.task_id for task in tasks], "$.tasks")
    for place, process in enumerate(processes):
        _check_process(f"$.processes[{place}]", process)
    refuse_repeats(
        "process_id", [str(UUID(process.process_id)) for process in processes], "$.processes"
    )
    _refuse_repeated_members(processes)
    return application


def task_number(task_id: str) -> tuple[int, int]:
    """Return subtopology and partition of a valid task id."""
    subtopology, _, partition = task_id.partition("_")
    return int(subtopology), int(partition)


def is_process_id(text: str) -> bool:
    """Return whether a text is a UUID as Java writes it."""
    return bool(_PROCESS_ID.fullmatch(text))


def _check_task_id(path: str, task_id: str):
    if not _TASK_ID.fullmatch(task_id) or max(task_number(task_id)) > _LARGEST_INT:
        raise SnapshotError(
            f'{path}: found "{task_id}", expected subtopology and partition such as 0_3, both at'
            f" most {_LARGEST_INT}"
        )


def _check_process(path: str, process: Process):
    if not is_process_id(process.process_id):
        raise SnapshotError(
            f'{path}.process_id: found "{process.process_id}", expected a UUID in 36 characters'
        )
    if not process.consumers:
        raise SnapshotError(
            f"{path}.consumers: found [], expected at least one consumer: the capacity of a process"
            " is its number of consumers"
        )
    for place, consumer in enumerate(process.consumers):
        _check_consumer(f"{path}.consumers[{place}]", consumer)


def _check_consumer(path: str, consumer: StreamsConsumer):
    for key in ("owned", "standby"):
        for place, task_id in enumerate(getattr(consumer, key) or ()):
            _check_task_id(f"{path}.{key}[{place}]", task_id)
    for task_id, offset_sum in (consumer.task_offset_sums or {}).items():
        _check_task_id(f"{path}.task_offset_sums", task_id)
        if offset_sum == -1:
            raise SnapshotError(
                f"{path}.task_offset_sums.{task_id}: found -1, expected -2 (running), -3 (unknown)"
                " or a sum of offsets"
            )


def _refuse_repeated_members(processes: list[Process]):
    places = [
        f"$.processes[{place}].consumers[{number}]"
        for place, each in enumerate(processes)
        for number in range(len(each.consumers))
    ]
    names = [consumer.member_id for process in processes for consumer in process.consumers]
    refuse_repeats("member_id", names, places)
