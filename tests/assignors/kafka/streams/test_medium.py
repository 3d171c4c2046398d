"""120 tasks on 8 clients: digests of the answers of Kafka's class."""

import hashlib

import numpy as np
import pytest

from assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from tests.assignors.applications import Client, application

TASKS = [(subtopology, partition) for subtopology in range(6) for partition in range(20)]
STATEFUL = [task for task in TASKS if task[0] % 3 != 2]


def client(number: int) -> Client:
    return Client(
        {f"{g}.{p}": (7 * g + 13 * p + 29 * number) % 11 * 40 for g, p in STATEFUL},
        capacity=1 + number % 3,
        tags={"zone": f"z{number % 3}", "cluster": f"k{number % 2}"},
    )


def spelled_tasks(tasks) -> str:
    return " ".join(f"{subtopology}.{partition}" for subtopology, partition in tasks)


APPLICATION = application(spelled_tasks(TASKS), spelled_tasks(STATEFUL), [client(number) for number in range(1, 9)])


def digest(answer) -> str:
    names = [f"{subtopology}_{partition}" for subtopology, partition in TASKS]
    lines = []
    for process in range(8):
        active = ",".join(names[task] for task in np.flatnonzero(answer.active == process))
        standby = ",".join(names[task] for task in answer.standby[answer.standby[:, 0] == process, 1])
        lines.append(f"00000000-0000-0000-0000-{process + 1:012}:{active}|{standby}\n")
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("standbys", "tags", "expected"),
    [
        (0, (), "7d5a5d88d267362c"),
        (1, (), "5ec8e4c9625a9a6a"),
        (2, (), "73247f52f4f46cf3"),
        (1, ("zone", "cluster"), "362fed15b19cc29d"),
        (2, ("zone", "cluster"), "a69af8ce06f58bac"),
    ],
)
def test_high_availability_has_kafkas_digests(standbys, tags, expected):
    assert digest(HighAvailabilityTaskAssignor(100, 4, standbys, rack_aware_assignment_tags=tags).assign(APPLICATION)) == expected
