"""A streams document from TASKS and CONSUMERS; the source may be `kafka-streams-groups.sh`."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

import msgspec
import numpy as np

from evenkeel.assignors.group.application import RUNNING, UNKNOWN_SUM
from evenkeel.data.group.columns.from_tables import (
    GroupKey,
    at_instant,
    instant_of,
    keys_of,
    of_group,
)
from evenkeel.data.group.document import STABLE, STREAMS_FORMAT, Application, task_number
from evenkeel.data.group.document.application import Process, StreamsConsumer, Task, is_process_id
from evenkeel.data.group.tables.arrow import as_datetime, first, names

if TYPE_CHECKING:
    import pyarrow as pa

_RATES = ("restore_rates", "end_offset_rates")


class ApplicationTables(NamedTuple):
    """The tables TASKS, CONSUMERS, MEMBERS and OFFSETS of `schemas.py`."""

    tasks: "pa.Table"
    consumers: "pa.Table"
    members: "pa.Table"
    offsets: "pa.Table"


def application_keys(consumers: "pa.Table") -> list[GroupKey]:
    """Return the keys of Kafka Streams applications in CONSUMERS, in the order of first rows."""
    return list(dict.fromkeys(keys_of(consumers)))


def application_from_tables(
    tables: ApplicationTables,
    group_id: str | None,
    source_file: str | None = None,
    at: datetime | None = None,
) -> Application | None:
    """Return an application as a streams document; None if the group is no application.

    `at`: time of the rows; None is the latest time. If the source is a streams document, this
    document is returned. If it is a printout of Kafka's tool, required values that the tool did not
    print are in `assumed`.
    """
    key = GroupKey(group_id, source_file)
    tables = ApplicationTables(*(of_group(table, key) for table in tables))
    instant = instant_of([tables.consumers, tables.members, tables.offsets], at)
    tables = ApplicationTables(*(at_instant(table, instant) for table in tables))
    if not tables.consumers.num_rows:
        return None
    is_consumer = names(tables.consumers["member_id"]).code >= 0
    rows = _merged(_in_order(tables.consumers.filter(is_consumer), "member_order"))
    document = _document(tables, rows, group_id, None if instant is None else as_datetime(instant))
    is_written = set(tables.consumers["source_format"].unique().to_pylist()) == {STREAMS_FORMAT}
    return (
        document if is_written else from_printouts(document, tables.members, tables.offsets, rows)
    )


Rows = Sequence[Mapping[str, Any]]


def _document(
    tables: ApplicationTables, rows: Rows, group_id: str | None, taken_at: datetime | None
) -> Application:
    """Return the document of an application; `rows`: one row for each consumer."""
    consumers = tables.consumers
    settings = first([consumers], "settings")
    return Application(
        format=STREAMS_FORMAT,
        application_id=group_id,
        taken_at=taken_at,
        type=first([consumers], "group_type"),
        assumed=first([consumers], "assumed"),
        settings=None if settings is None else msgspec.json.decode(settings),
        tasks=[_task(row) for row in _in_order(tables.tasks, "task_order")],
        processes=_processes(rows),
        **{column: _by_name(first([consumers], column), "name", "rate") for column in _RATES},
    )


def _in_order(table: "pa.Table", order: str) -> list[dict[str, Any]]:
    """Return the rows sorted by column `order`; rows without an order come last."""
    return sorted(table.to_pylist(), key=lambda row: np.inf if row[order] is None else row[order])


def _merged(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one row for each consumer; each column has its first known value."""
    merged: dict[str, dict[str, Any]] = {}
    for row in rows:
        values = merged.setdefault(row["member_id"], {})
        values.update((key, value) for key, value in row.items() if values.get(key) is None)
    return list(merged.values())


def _task(row: Mapping[str, Any]) -> Task:
    columns = ("task_id", "stateful", "end_offset_sum", "source_racks", "changelog_racks")
    held = row["input_partitions"]
    return Task(
        **{column: row[column] for column in columns},
        input_partitions=None
        if held is None
        else {assignment["topic"]: assignment["partitions"] for assignment in held},
    )


def _processes(rows: Rows) -> list[Process]:
    by_process: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_process.setdefault(row["process_id"], []).append(row)
    return [_process(consumers) for consumers in by_process.values()]


def _process(rows: Rows) -> Process:
    about = {
        key: next((row[key] for row in rows if row[key] is not None), None)
        for key in ("client_id", "host", "rack", "client_tags")
    }
    tags = _by_name(about.pop("client_tags"), "key", "value")
    return Process(
        process_id=rows[0]["process_id"],
        consumers=[_consumer(row) for row in rows],
        client_tags=tags,
        **about,
    )


def _consumer(row: Mapping[str, Any]) -> StreamsConsumer:
    sums = _by_name(row["task_offset_sums"], "task_id", "offset_sum")
    return StreamsConsumer(
        member_id=row["member_id"],
        order=row["list_order"],
        owned=row["owned"],
        standby=row["standby"],
        task_offset_sums=sums,
    )


def _by_name(
    pairs: Iterable[Mapping[str, Any]] | None, key: str, value: str
) -> dict[str, Any] | None:
    return None if pairs is None else {pair[key]: pair[value] for pair in pairs}


# Values that follow from printouts of `kafka-streams-groups.sh`.


_ACTIVE, _COPIES = (
    ("owned", "current_active"),
    ("standby", "warmup", "current_standby", "current_warmup"),
)
_THREAD = re.compile(r"-StreamThread-\d+(-consumer)?$")


def from_printouts(
    document: Application, members: "pa.Table", offsets: "pa.Table", rows: Rows
) -> Application:
    """Add values that follow from the printed rows.

    If the group is Stable, its members have their target assignment. If a process has a copy of a
    task, the task's subtopology is stateful. If a group has one subtopology, this subtopology reads
    all listed topics. Required values that do not follow are assumed and listed in `assumed`.
    """
    is_stable = first([members], "group_state") == STABLE
    assumed: dict[str, None] = dict.fromkeys(document.assumed or ())
    processes = _printed_processes(document, rows, is_stable, assumed)
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


def _printed_processes(
    document: Application, rows: Rows, is_stable: bool, assumed: dict[str, None]
) -> list[Process]:
    of_member = {row["member_id"]: row for row in rows}
    processes = []
    for place, process in enumerate(document.processes or ()):
        process_id = process.process_id
        if not is_process_id(process_id):
            process_id = _stand_in(process_id)
            assumed[f"processes[{place}].process_id"] = None
        consumers = [
            _printed_consumer(consumer, of_member[consumer.member_id])
            for consumer in process.consumers
        ]
        client_id = process.client_id and _THREAD.sub("", process.client_id)
        processes.append(
            msgspec.structs.replace(
                process, process_id=process_id, client_id=client_id, consumers=consumers
            )
        )
    if not is_stable:
        assumed.update(dict.fromkeys(_without_target(document, of_member)))
    return processes


def _without_target(document: Application, of_member: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the paths of targets that were not printed; one path with `*` if none was printed."""
    consumers = [
        (f"processes[{place}].consumers[{number}]", of_member[consumer.member_id])
        for place, process in enumerate(document.processes or ())
        for number, consumer in enumerate(process.consumers)
    ]
    unknown = [
        path
        for path, row in consumers
        if row["owned"] is None and row["current_active"] is not None
    ]
    paths = ["processes[*].consumers[*]"] if len(unknown) == len(consumers) else unknown
    return [f"{path}.{key}" for path in paths for key in ("owned", "standby") if unknown]


def _stand_in(name: str) -> str:
    """Return a version-3 UUID that replaces an invalid process id."""
    return str(UUID(bytes=hashlib.md5(name.encode(), usedforsecurity=False).digest(), version=3))


def _printed_consumer(consumer: StreamsConsumer, row: Mapping[str, Any]) -> StreamsConsumer:
    """Return the consumer with its target tasks; with its current tasks if no target is printed."""
    if row["current_active"] is None:
        return consumer
    running = dict.fromkeys(row["current_active"], RUNNING)
    copies = dict.fromkeys(
        [*(row["current_standby"] or ()), *(row["current_warmup"] or ())], UNKNOWN_SUM
    )
    return msgspec.structs.replace(
        consumer,
        owned=row["current_active"] if consumer.owned is None else consumer.owned,
        standby=row["current_standby"] if consumer.standby is None else consumer.standby,
        task_offset_sums=copies | running
        if consumer.task_offset_sums is None
        else consumer.task_offset_sums,
    )


def _named(rows: Rows, columns: Iterable[str]) -> set[str]:
    return {task_id for row in rows for column in columns for task_id in row[column] or ()}


def _tasks(described: Sequence[Task], rows: Rows, assumed: dict[str, None]) -> list[Task]:
    """Return the described tasks, then tasks that appear only in printed rows.

    Tasks from printed rows are assumed to be stateful.
    """
    known = {task.task_id for task in described}
    printed = [row for row in rows if row["current_active"] is not None]
    restored_ids = sorted(_named(printed, (*_ACTIVE, *_COPIES)) - known, key=task_number)
    copied = {task_number(task_id)[0] for task_id in _named(printed, _COPIES)}
    tasks = [*described, *(Task(task_id=task_id, stateful=True) for task_id in restored_ids)]
    unknown = [
        place
        for place, task in enumerate(tasks[len(described) :], len(described))
        if task_number(task.task_id)[0] not in copied
    ]
    all_are = bool(unknown) and len(unknown) == len(tasks)
    assumed.update(
        dict.fromkeys(
            ["tasks[*].stateful"] if all_are else [f"tasks[{place}].stateful" for place in unknown]
        )
    )
    return tasks


def _settings(document: Application, rows: Rows, assumed: dict[str, None]) -> dict[str, Any] | None:
    """Return the settings. If they are unknown, `num.standby.replicas` is assumed: the largest
    number of standbys of a task.
    """
    counts: dict[str, int] = {}
    for row in rows:
        for task_id in row["standby"] or row["current_standby"] or ():
            counts[task_id] = counts.get(task_id, 0) + 1
    if not counts or document.settings is not None:
        return document.settings
    assumed['settings["num.standby.replicas"]'] = None
    return {"num.standby.replicas": max(counts.values())}


def _with_input(tasks: list[Task], offsets: "pa.Table") -> list[Task]:
    """Add input partitions to tasks: the listed partitions with the task's partition number.

    If there are several subtopologies, nothing is added.
    """
    listed = sorted(
        {
            (row["topic"], row["partition"])
            for row in offsets.select(["topic", "partition"]).to_pylist()
        }
    )
    if len({task_number(task.task_id)[0] for task in tasks}) != 1 or not listed:
        return tasks
    read: dict[int, dict[str, list[int]]] = {}
    for topic, partition in listed:
        read.setdefault(partition, {})[topic] = [partition]
    return [
        task
        if task.input_partitions
        else msgspec.structs.replace(task, input_partitions=read.get(task_number(task.task_id)[1]))
        for task in tasks
    ]
