"""Streams applications and their answers, spelled in short."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from evenkeel.assignors.assignment import TaskAssignment
from evenkeel.assignors.group import NO_RACK
from evenkeel.assignors.group.application import NO_TAG, ApplicationSnapshot, TaskPartitions

UNBOUNDED = 2**63 - 1
END = UNBOUNDED
"""End offset sum of every stateful task: a client without state then has an unbounded lag."""


@dataclass(frozen=True)
class Client:
    """One process.

    `lag` is of every stateful task, or by task with `other_lag` for the rest.
    """

    lag: int | Mapping[str, int] = UNBOUNDED
    capacity: int = 1
    other_lag: int = UNBOUNDED
    tags: Mapping[str, str] = field(default_factory=dict)
    process_id: tuple[int, int] | None = None
    owned: Sequence[str] = ()
    rack: int = NO_RACK


def numbered(task: str) -> tuple[int, int]:
    subtopology, partition = task.split(".")
    return int(subtopology), int(partition)


def application(
    tasks: str,
    stateful: str,
    clients: Sequence[Client],
    end: int = END,
    source: Mapping[str, Sequence[int]] | None = None,
    changelog: Mapping[str, Sequence[int]] | None = None,
) -> ApplicationSnapshot:
    """Clients are UUID(0, 1), UUID(0, 2), ... where they say no other; the first consumer of each
    reports all its sums.

    `source`, `changelog`: the rack numbers of each task's one partition.
    """
    ids = sorted(map(numbered, tasks.split()))
    row = {
        f"{subtopology}.{partition}": place for place, (subtopology, partition) in enumerate(ids)
    }
    keys = sorted({key for client in clients for key in client.tags})
    values = [NO_TAG, *sorted({value for client in clients for value in client.tags.values()})]
    member_process = np.repeat(
        np.arange(len(clients)), [client.capacity for client in clients]
    ).astype(np.int32)
    first = np.searchsorted(member_process, np.arange(len(clients)))
    sums = [
        (first[place], row[task], lag if lag < 0 else end - lag)
        for place, client in enumerate(clients)
        for task in stateful.split()
        if (
            lag := client.lag.get(task, client.other_lag)
            if isinstance(client.lag, Mapping)
            else client.lag
        )
        != UNBOUNDED
    ]
    owned = [
        (first[place], row[task]) for place, client in enumerate(clients) for task in client.owned
    ]
    return ApplicationSnapshot(
        task_subtopology=np.array([task[0] for task in ids], dtype=np.int32),
        task_partition=np.array([task[1] for task in ids], dtype=np.int32),
        is_stateful=np.isin(list(row), stateful.split()),
        end_offset_sum=np.full(len(ids), end, dtype=np.int64),
        process_id=np.array(
            [client.process_id or (0, place) for place, client in enumerate(clients, 1)],
            dtype=np.int64,
        ).reshape(-1, 2),
        member_id=tuple(
            f"c{place}-{number}"
            for place, client in enumerate(clients, 1)
            for number in range(client.capacity)
        ),
        member_process=member_process,
        tag_key=tuple(keys),
        tag_value=np.array(
            [
                [values.index(client.tags.get(key, NO_TAG)) - 1 for key in keys]
                for client in clients
            ],
            dtype=np.int32,
        ).reshape(len(clients), len(keys)),
        rack_name=tuple("abcdef"),
        process_rack=np.array([client.rack for client in clients], dtype=np.int32),
        source=_partitions(row, source or {}),
        changelog=_partitions(row, changelog or {}),
        owned_member=np.array([one[0] for one in owned], dtype=np.int32),
        owned_task=np.array([one[1] for one in owned], dtype=np.int32),
        owns_unknown=np.zeros(len(clients), dtype=bool),
        reported_member=np.array([one[0] for one in sums], dtype=np.int32),
        reported_task=np.array([one[1] for one in sums], dtype=np.int32),
        reported_sum=np.array([one[2] for one in sums], dtype=np.int64),
    )


def _partitions(tasks: Sequence[str], racks: Mapping[str, Sequence[int]]) -> TaskPartitions:
    known = [racks[task] for task in tasks if task in racks]
    return TaskPartitions(
        np.cumsum([0, *(task in racks for task in tasks)]),
        np.cumsum([0, *map(len, known)]),
        np.array([rack for each in known for rack in each], dtype=np.int32),
    )


def spelled(snapshot: ApplicationSnapshot, answer: TaskAssignment, first: int = 1) -> str:
    """`P` or `·` for a probing rebalance, then `C1[active tasks|standbys]` for each process."""
    names = [
        f"{subtopology}.{partition}"
        for subtopology, partition in zip(
            snapshot.task_subtopology, snapshot.task_partition, strict=True
        )
    ]
    parts = ["P" if answer.is_probing_rebalance_needed else "·"]
    for process in range(snapshot.process_count):
        active = [names[task] for task in np.flatnonzero(answer.active == process)]
        standby = [names[task] for task in answer.standby[answer.standby[:, 0] == process, 1]]
        parts.append(f"C{first + process}[{' '.join(active) or '–'}|{' '.join(standby) or '–'}]")
    return " ".join(parts)
