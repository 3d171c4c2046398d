"""What printouts of `kafka-streams-groups.sh` say of an application, and what follows from it."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec

from evenkeel.assignors.group.application import RUNNING, UNKNOWN_SUM
from evenkeel.data.document import STABLE, Application, task_number
from evenkeel.data.document.application import Process, StreamsConsumer, Task
from evenkeel.data.document.application_decoding import is_process_id
from evenkeel.data.tables.arrow import first

if TYPE_CHECKING:
    import pyarrow as pa

_ACTIVE, _COPIES = ("owned", "current_active"), ("standby", "warmup", "current_standby", "current_warmup")
_THREAD = re.compile(r"-StreamThread-\d+(-consumer)?$")

Rows = Sequence[Mapping[str, Any]]


def from_printouts(document: Application, members: "pa.Table", offsets: "pa.Table", rows: Rows) -> Application:
    """Add to what the rows of TASKS and CONSUMERS say what follows from it, and name in `assumed` what does not.

    A Stable group has reached its target assignment. A subtopology is stateful if some process has a copy of one of its tasks. A group of
    one subtopology reads all listed topics with it.
    """
    is_stable = first([members], "group_state") == STABLE
    assumed: dict[str, None] = dict.fromkeys(document.assumed or ())
    processes = _processes(document, rows, is_stable, assumed)
    tasks = _tasks(document.tasks or (), rows, assumed)
    if not is_stable:
        assumed["tasks"] = None
    return msgspec.structs.replace(
        document,
        tasks=_with_input(tasks, offsets),
        processes=processes,
        settings=_settings(document, rows, assumed),
        assumed=list(assumed),
    )


def _processes(document: Application, rows: Rows, is_stable: bool, assumed: dict[str, None]) -> list[Process]:
    of_member = {row["member_id"]: row for row in rows}
    processes = []
    for place, process in enumerate(document.processes or ()):
        process_id = process.process_id
        if not is_process_id(process_id):
            process_id = _stand_in(process_id)
            assumed[f"processes[{place}].process_id"] = None
        consumers = [_consumer(consumer, of_member[consumer.member_id]) for consumer in process.consumers]
        client_id = process.client_id and _THREAD.sub("", process.client_id)
        processes.append(msgspec.structs.replace(process, process_id=process_id, client_id=client_id, consumers=consumers))
    if not is_stable:
        assumed.update(dict.fromkeys(_without_target(document, of_member)))
    return processes


def _without_target(document: Application, of_member: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the paths of targets that are not printed; one path of each key where no target is."""
    consumers = [
        (f"processes[{place}].consumers[{number}]", of_member[consumer.member_id])
        for place, process in enumerate(document.processes or ())
        for number, consumer in enumerate(process.consumers)
    ]
    unknown = [path for path, row in consumers if row["owned"] is None and row["current_active"] is not None]
    paths = ["processes[*].consumers[*]"] if len(unknown) == len(consumers) else unknown
    return [f"{path}.{key}" for path in paths for key in ("owned", "standby") if unknown]


def _stand_in(name: str) -> str:
    """Return the version-3 UUID of a process id that is none."""
    return str(UUID(bytes=hashlib.md5(name.encode(), usedforsecurity=False).digest(), version=3))


def _consumer(consumer: StreamsConsumer, row: Mapping[str, Any]) -> StreamsConsumer:
    """Return the consumer with its target; where that is not printed, with what it has now."""
    if row["current_active"] is None:
        return consumer
    running = dict.fromkeys(row["current_active"], RUNNING)
    copies = dict.fromkeys([*(row["current_standby"] or ()), *(row["current_warmup"] or ())], UNKNOWN_SUM)
    return msgspec.structs.replace(
        consumer,
        owned=row["current_active"] if consumer.owned is None else consumer.owned,
        standby=row["current_standby"] if consumer.standby is None else consumer.standby,
        task_offset_sums=copies | running if consumer.task_offset_sums is None else consumer.task_offset_sums,
    )


def _named(rows: Rows, columns: Iterable[str]) -> set[str]:
    return {task_id for row in rows for column in columns for task_id in row[column] or ()}


def _tasks(described: Sequence[Task], rows: Rows, assumed: dict[str, None]) -> list[Task]:
    """Return the tasks that are described, then those that only printed rows name; such a task is taken to be stateful."""
    known = {task.task_id for task in described}
    printed = [row for row in rows if row["current_active"] is not None]
    found = sorted(_named(printed, (*_ACTIVE, *_COPIES)) - known, key=task_number)
    copied = {task_number(task_id)[0] for task_id in _named(printed, _COPIES)}
    tasks = [*described, *(Task(task_id=task_id, stateful=True) for task_id in found)]
    unknown = [place for place, task in enumerate(tasks[len(described) :], len(described)) if task_number(task.task_id)[0] not in copied]
    all_are = bool(unknown) and len(unknown) == len(tasks)
    assumed.update(dict.fromkeys(["tasks[*].stateful"] if all_are else [f"tasks[{place}].stateful" for place in unknown]))
    return tasks


def _settings(document: Application, rows: Rows, assumed: dict[str, None]) -> dict[str, Any] | None:
    """Return the settings; the most standbys that a task has are taken to be `num.standby.replicas`."""
    counts: dict[str, int] = {}
    for row in rows:
        for task_id in row["standby"] or row["current_standby"] or ():
            counts[task_id] = counts.get(task_id, 0) + 1
    if not counts or document.settings is not None:
        return document.settings
    assumed['settings["num.standby.replicas"]'] = None
    return {"num.standby.replicas": max(counts.values())}


def _with_input(tasks: list[Task], offsets: "pa.Table") -> list[Task]:
    """Return the tasks of a single subtopology with the listed partitions that each reads."""
    listed = sorted({(row["topic"], row["partition"]) for row in offsets.select(["topic", "partition"]).to_pylist()})
    if len({task_number(task.task_id)[0] for task in tasks}) != 1 or not listed:
        return tasks
    read: dict[int, dict[str, list[int]]] = {}
    for topic, partition in listed:
        read.setdefault(partition, {})[topic] = [partition]
    return [
        task if task.input_partitions else msgspec.structs.replace(task, input_partitions=read.get(task_number(task.task_id)[1]))
        for task in tasks
    ]
