"""120 tasks on 8 clients: digests of the answers of Kafka's class."""

import hashlib

import numpy as np
import pytest

from assignors.kafka.streams.fallback_prior import FallbackPriorTaskAssignor
from assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from assignors.kafka.streams.legacy_sticky import LegacyStickyTaskAssignor
from tests.assignors.applications import Client, application

TASKS = [(subtopology, partition) for subtopology in range(6) for partition in range(20)]
STATEFUL = [task for task in TASKS if task[0] % 3 != 2]


def client(number: int) -> Client:
    """What high availability looks at: lags and tags."""
    return Client(
        {f"{g}.{p}": (7 * g + 13 * p + 29 * number) % 11 * 40 for g, p in STATEFUL},
        capacity=1 + number % 3,
        tags={"zone": f"z{number % 3}", "cluster": f"k{number % 2}"},
    )


def previous(number: int) -> Client:
    """What the sticky assignors look at: what it ran and of what it keeps state."""
    ran = [f"{g}.{p}" for g, p in TASKS if (20 * g + p) % 8 == number - 1]
    kept = [f"{g}.{p}" for g, p in STATEFUL if (20 * g + p + 3) % 8 == number - 1]
    return Client(dict.fromkeys(kept, 0), capacity=1 + number % 3, owned=ran)


def spelled_tasks(tasks) -> str:
    return " ".join(f"{subtopology}.{partition}" for subtopology, partition in tasks)


APPLICATION = application(spelled_tasks(TASKS), spelled_tasks(STATEFUL), [client(number) for number in range(1, 9)])
STICKY = application(spelled_tasks(TASKS), spelled_tasks(STATEFUL), [previous(number) for number in range(1, 9)])


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


@pytest.mark.parametrize(("standbys", "expected"), [(0, "15180de3e7018781"), (1, "faab58620258e868"), (2, "3f19f342e8678e13")])
def test_legacy_sticky_has_kafkas_digests(standbys, expected):
    assert digest(LegacyStickyTaskAssignor(num_standby_replicas=standbys).assign(STICKY)) == expected


@pytest.mark.parametrize(("standbys", "expected"), [(0, "56895a750af6c0bc"), (1, "5f11c50321eada81"), (2, "b2fa25343053672f")])
def test_fallback_prior_has_kafkas_digests_and_leaves_every_task_where_it_ran(standbys, expected):
    answer = FallbackPriorTaskAssignor(num_standby_replicas=standbys).assign(STICKY)

    assert digest(answer) == expected
    assert np.bincount(answer.active).tolist() == [15] * 8
