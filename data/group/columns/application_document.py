"""From a streams document to arrays, and from a task assignor's answer to the document's names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import chain
from typing import Any
from uuid import UUID

import numpy as np

from evenkeel.assignors.assignment import Assumption, TaskAssignment
from evenkeel.assignors.group import NO_RACK, UNKNOWN
from evenkeel.assignors.group.application import NO_TAG, ApplicationSnapshot, TaskPartitions
from evenkeel.assignors.protocol import STREAMS
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.rows import require_short_names
from evenkeel.data.group.document import Application, task_number
from evenkeel.data.group.document.application import Process, Racks, StreamsConsumer, Task


def application_from_document(document: Application) -> ApplicationSnapshot:
    """Return the document's application as arrays, with row numbers in place of names.

    If a consumer mentions a task that the document does not list, this task is left out.
    """
    tasks = ordered_tasks(document)
    processes = document.processes or []
    consumers = [consumer for process in processes for consumer in process.consumers]
    require_short_names("consumers.member_id", (consumer.member_id for consumer in consumers))
    row = {task.task_id: number for number, task in enumerate(tasks)}
    ids = np.array([task_number(task.task_id) for task in tasks], dtype=np.int32).reshape(-1, 2)
    reported = _columns(_reported(consumers, row), 3)
    owned = _columns(_listed(row, [consumer.owned for consumer in consumers]), 2)
    standby = _columns(_listed(row, [consumer.standby for consumer in consumers]), 2)
    tag_key, tag_value = _tags(processes)
    racks = _rack_numbers(tasks, processes)
    return ApplicationSnapshot(
        task_subtopology=ids[:, 0],
        task_partition=ids[:, 1],
        is_stateful=np.array([task.stateful for task in tasks], dtype=bool),
        end_offset_sum=np.array(
            [UNKNOWN if task.end_offset_sum is None else task.end_offset_sum for task in tasks],
            dtype=np.int64,
        ),
        process_id=np.array(
            [_halves(process.process_id) for process in processes], dtype=np.int64
        ).reshape(-1, 2),
        member_id=tuple(consumer.member_id for consumer in consumers),
        member_process=np.repeat(
            np.arange(len(processes), dtype=np.int32),
            [len(process.consumers) for process in processes],
        ),
        tag_key=tag_key,
        tag_value=tag_value,
        rack_name=tuple(racks),
        process_rack=np.array(
            [racks[process.rack] if process.rack else NO_RACK for process in processes],
            dtype=np.int32,
        ),
        source=_partitions([task.source_racks for task in tasks], racks),
        changelog=_partitions([task.changelog_racks for task in tasks], racks),
        owned_member=owned[0].astype(np.int32),
        owned_task=owned[1].astype(np.int32),
        owns_unknown=np.array([_names_other(process, row) for process in processes], dtype=bool),
        reported_member=reported[0].astype(np.int32),
        reported_task=reported[1].astype(np.int32),
        reported_sum=reported[2],
        standby_member=standby[0].astype(np.int32),
        standby_task=standby[1].astype(np.int32),
        list_place=_list_place(consumers),
    )


def ordered_tasks(document: Application) -> list[Task]:
    """Return the document's tasks in the snapshot's order."""
    return sorted(document.tasks or [], key=lambda task: task_number(task.task_id))


def task_order(document: Application) -> np.ndarray:
    """Return the index in the document of each task of the snapshot, int64 (K,)."""
    tasks = document.tasks or []
    return np.array(
        sorted(range(len(tasks)), key=lambda place: task_number(tasks[place].task_id)),
        dtype=np.int64,
    )


def _list_place(consumers: Sequence[StreamsConsumer]) -> np.ndarray | None:
    """Return each consumer's index in the coordinator's list, int64 (M,); None if not all known."""
    places = [consumer.order for consumer in consumers]
    return None if None in places else np.array(places, dtype=np.int64)


def _reported(
    consumers: Sequence[StreamsConsumer], row: dict[str, int]
) -> Iterable[tuple[int, int, int]]:
    for member, consumer in enumerate(consumers):
        for task_id, offset_sum in (consumer.task_offset_sums or {}).items():
            if task_id in row:
                yield member, row[task_id], offset_sum


def _listed(
    row: dict[str, int], tasks: Sequence[Sequence[str] | None]
) -> Iterable[tuple[int, int]]:
    """Yield (consumer, task) for each task that a consumer lists, as row numbers."""
    for member, listed in enumerate(tasks):
        yield from ((member, row[task_id]) for task_id in listed or () if task_id in row)


def _names_other(process: Process, row: dict[str, int]) -> bool:
    return any(
        task_id not in row for consumer in process.consumers for task_id in consumer.owned or ()
    )


def _columns(rows: Iterable[Sequence[int]], width: int) -> np.ndarray:
    return np.array(list(rows), dtype=np.int64).reshape(-1, width).T


def _halves(process_id: str) -> tuple[int, int]:
    octets = UUID(process_id).bytes
    return int.from_bytes(octets[:8], signed=True), int.from_bytes(octets[8:], signed=True)


def _tags(processes: Sequence[Process]) -> tuple[tuple[str, ...], np.ndarray]:
    """Return the tag keys, and each process's tag values as numbers, int32 (C, G)."""
    tags = [process.client_tags or {} for process in processes]
    keys = tuple(dict.fromkeys(key for process_tags in tags for key in process_tags))
    number: dict[str | None, int] = {None: NO_TAG}
    for value in (value for process_tags in tags for value in process_tags.values()):
        number.setdefault(value, len(number) - 1)
    values = [[number[process_tags.get(key)] for key in keys] for process_tags in tags]
    return keys, np.array(values, dtype=np.int32).reshape(len(processes), len(keys))


def _rack_numbers(tasks: Sequence[Task], processes: Sequence[Process]) -> dict[str, int]:
    """Return a number for each rack name.

    The empty name means "no rack" for a consumer, but is a rack for a broker.
    """
    partitions = chain.from_iterable(
        (task.source_racks or []) + (task.changelog_racks or []) for task in tasks
    )
    names = chain((process.rack or None for process in processes), chain.from_iterable(partitions))
    return {
        name: number
        for number, name in enumerate(dict.fromkeys(name for name in names if name is not None))
    }


def _partitions(listed: Sequence[Racks | None], number: dict[str, int]) -> TaskPartitions:
    partitions = [racks for task in listed for racks in task or ()]
    return TaskPartitions(
        start=np.cumsum([0, *(len(task or ()) for task in listed)]),
        replica_start=np.cumsum([0, *map(len, partitions)]),
        replica_rack=np.array(
            [NO_RACK if name is None else number[name] for racks in partitions for name in racks],
            dtype=np.int32,
        ),
    )


# A task assignor's answer, with the names of the streams document.


Roles = dict[str, list[str]]
"""`active`, `standby` and `warmup` to task ids, in Kafka's ascending order."""

_NEVER_MATTERS = re.compile(
    r"(application_id|taken_at|type|restore_rates|end_offset_rates).*|processes(\[[^\]]*\])?\.(client_id|host)"
    r"|processes.*\.standby|tasks(\[[^\]]*\])?\.input_partitions.*"
)
"""Paths that never affect an answer of `evenkeel assign`."""


class TaskNames:
    """The names of a snapshot's tasks, processes and consumers."""

    def __init__(self, document: Application):
        self._place = task_order(document)
        self._task = [task.task_id for task in ordered_tasks(document)]
        self._process = [process.process_id for process in document.processes or ()]
        self._member = [
            consumer.member_id
            for process in document.processes or ()
            for consumer in process.consumers
        ]
        self._assumed = document.assumed or ()

    def by_process(self, answer: TaskAssignment) -> dict[str, Roles]:
        """Return the tasks of each process by role. As in Kafka, a warmup is also a standby."""
        by_process: dict[str, Roles] = {
            process: {"active": [], "standby": [], "warmup": []} for process in self._process
        }
        self._fill(by_process, "active", self._process, _pairs(answer.active))
        self._fill(by_process, "standby", self._process, answer.standby.tolist())
        self._fill(by_process, "warmup", self._process, answer.warmup.tolist())
        return by_process

    def by_owner(self, answer: TaskAssignment, group_type: str) -> dict[str, Roles]:
        """Return the tasks of each owner by role.

        An owner is a member in a `streams` group, because the broker assigns tasks to members;
        otherwise a process.
        """
        if group_type != STREAMS:
            return self.by_process(answer)
        return {member: {**roles, "warmup": []} for member, roles in self.by_member(answer).items()}

    def by_member(self, answer: TaskAssignment) -> dict[str, Roles]:
        """Return the tasks of each consumer by role, before the revocation step."""
        by_member: dict[str, Roles] = {
            member: {"active": [], "standby": []} for member in self._member
        }
        self._fill(by_member, "active", self._member, _pairs(answer.active_member))
        self._fill(
            by_member,
            "standby",
            self._member,
            zip(answer.standby_member.tolist(), answer.standby[:, 1].tolist(), strict=True),
        )
        return by_member

    def withheld(self, answer: TaskAssignment) -> dict[str, list[str]]:
        """Return the tasks withheld from each consumer; a consumer without them is left out."""
        by_member: dict[str, list[str]] = {}
        for member, task in answer.withheld.tolist():
            by_member.setdefault(self._member[member], []).append(self._task[task])
        return by_member

    def assumed_paths(self, answer: TaskAssignment) -> list[str]:
        """Return the assumptions that may affect the answer, sorted.

        They come from the document and from the answer itself.
        """
        paths = {path for path in self._assumed if not _NEVER_MATTERS.fullmatch(path)}
        return sorted(paths.union(*(self._paths(assumed) for assumed in answer.assumed)))

    def _paths(self, assumed: Assumption) -> list[str]:
        if not assumed.rows.size:
            return [assumed.column]
        if assumed.column == "rack":
            return [f"processes[{process}].rack" for process in assumed.rows.tolist()]
        return [f"tasks[{place}].{assumed.column}" for place in self._place[assumed.rows].tolist()]

    def _fill(
        self,
        names_by_owner: dict[str, Roles],
        role: str,
        names: list[str],
        pairs: Iterable[tuple[int, int]],
    ):
        for owner, task in sorted(pairs):
            names_by_owner[names[owner]][role].append(self._task[task])


def _pairs(owner: np.ndarray) -> Iterable[tuple[int, int]]:
    return zip(owner.tolist(), range(owner.size), strict=True)


# Settings with Kafka's dotted names become the fields of a task assignor.


_OURS = ("jdk",)
_LAST = ("traffic_cost", "non_overlap_cost")
_LISTS = ("rack_aware_assignment_tags",)


def task_settings(assignor: type, settings: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return the settings by field name of the task assignor; a setting that is null is left out.

    In `settings`, Kafka's settings have their dotted names, and Evenkeel's are in snake case.

    Raises
    ------
    SnapshotError
        If a setting is unknown; the message starts with `path`.
    """
    names = [field.name for field in fields(assignor)]
    field_of = {name if name in _OURS else dotted(name): name for name in names}
    unknown = sorted(settings.keys() - field_of.keys())
    if unknown:
        raise SnapshotError(
            f'{path}: "{unknown[0]}" is not a setting of {assignor.name}, expected'
            f" {', '.join(field_of)}"
        )
    return {
        field_of[name]: _value(field_of[name], value)
        for name, value in settings.items()
        if value is not None
    }


def dotted(name: str) -> str:
    """Return Kafka's name of a setting."""
    last = next(filter(name.endswith, _LAST), "")
    return name.removesuffix(last).replace("_", ".") + last


def _value(field: str, value: Any) -> Any:
    """Return the value of a setting; a text with commas becomes a list if the setting is a list."""
    if field not in _LISTS or isinstance(value, list):
        return tuple(value) if isinstance(value, list) else value
    return (
        tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value
    )
