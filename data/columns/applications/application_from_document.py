"""A streams document becomes the snapshot of an application."""

from collections.abc import Iterable, Sequence
from itertools import chain
from uuid import UUID

import numpy as np

from evenkeel.assignors.group import NO_RACK, UNKNOWN
from evenkeel.assignors.group.application import NO_TAG, ApplicationSnapshot, TaskPartitions
from evenkeel.data.document import Application, task_number
from evenkeel.data.document.application import Process, Racks, StreamsConsumer, Task


def application_from_document(document: Application) -> ApplicationSnapshot:
    """Number the names of a document. What consumers say of tasks that the document does not list is left out."""
    tasks = [document.tasks[place] for place in task_order(document).tolist()]
    processes = document.processes or []
    consumers = [consumer for process in processes for consumer in process.consumers]
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
        end_offset_sum=np.array([UNKNOWN if task.end_offset_sum is None else task.end_offset_sum for task in tasks], dtype=np.int64),
        process_id=np.array([_halves(process.process_id) for process in processes], dtype=np.int64).reshape(-1, 2),
        member_id=tuple(consumer.member_id for consumer in consumers),
        member_process=np.repeat(np.arange(len(processes), dtype=np.int32), [len(process.consumers) for process in processes]),
        tag_key=tag_key,
        tag_value=tag_value,
        rack_name=tuple(racks),
        process_rack=np.array([racks[process.rack] if process.rack else NO_RACK for process in processes], dtype=np.int32),
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


def task_order(document: Application) -> np.ndarray:
    """int64 (K,): place in the document of each row of the snapshot."""
    tasks = document.tasks or []
    return np.array(sorted(range(len(tasks)), key=lambda place: task_number(tasks[place].task_id)), dtype=np.int64)


def _list_place(consumers: Sequence[StreamsConsumer]) -> np.ndarray | None:
    """Return int64 (M,); None where a consumer does not say."""
    places = [consumer.order for consumer in consumers]
    return None if None in places else np.array(places, dtype=np.int64)


def _reported(consumers: Sequence[StreamsConsumer], row: dict[str, int]) -> Iterable[tuple[int, int, int]]:
    for member, consumer in enumerate(consumers):
        for task_id, offset_sum in (consumer.task_offset_sums or {}).items():
            if task_id in row:
                yield member, row[task_id], offset_sum


def _listed(row: dict[str, int], tasks: Sequence[Sequence[str] | None]) -> Iterable[tuple[int, int]]:
    """Yield (consumer, task) of the tasks that each consumer lists."""
    for member, listed in enumerate(tasks):
        yield from ((member, row[task_id]) for task_id in listed or () if task_id in row)


def _names_other(process: Process, row: dict[str, int]) -> bool:
    return any(task_id not in row for consumer in process.consumers for task_id in consumer.owned or ())


def _columns(rows: Iterable[Sequence[int]], width: int) -> np.ndarray:
    return np.array(list(rows), dtype=np.int64).reshape(-1, width).T


def _halves(process_id: str) -> tuple[int, int]:
    octets = UUID(process_id).bytes
    return int.from_bytes(octets[:8], signed=True), int.from_bytes(octets[8:], signed=True)


def _tags(processes: Sequence[Process]) -> tuple[tuple[str, ...], np.ndarray]:
    """Return the keys, and int32 (C, G): numbers of the values."""
    tags = [process.client_tags or {} for process in processes]
    keys = tuple(dict.fromkeys(key for one in tags for key in one))
    number: dict[str | None, int] = {None: NO_TAG}
    for value in (value for one in tags for value in one.values()):
        number.setdefault(value, len(number) - 1)
    values = [[number[one.get(key)] for key in keys] for one in tags]
    return keys, np.array(values, dtype=np.int32).reshape(len(processes), len(keys))


def _rack_numbers(tasks: Sequence[Task], processes: Sequence[Process]) -> dict[str, int]:
    """Number the names. A consumer's empty rack is no rack, a broker's is one."""
    partitions = chain.from_iterable((task.source_racks or []) + (task.changelog_racks or []) for task in tasks)
    names = chain((process.rack or None for process in processes), chain.from_iterable(partitions))
    return {name: number for number, name in enumerate(dict.fromkeys(name for name in names if name is not None))}


def _partitions(listed: Sequence[Racks | None], number: dict[str, int]) -> TaskPartitions:
    partitions = [racks for task in listed for racks in task or ()]
    return TaskPartitions(
        start=np.cumsum([0, *(len(task or ()) for task in listed)]),
        replica_start=np.cumsum([0, *map(len, partitions)]),
        replica_rack=np.array([NO_RACK if name is None else number[name] for racks in partitions for name in racks], dtype=np.int32),
    )
