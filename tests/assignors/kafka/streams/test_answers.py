"""Kafka's HighAvailabilityTaskAssignorTest, and 120 tasks on 8 clients as digests; the answers are
those of Kafka's classes.
"""

import hashlib

import numpy as np
import pytest

from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from evenkeel.assignors.kafka.streams.legacy_sticky import (
    FallbackPriorTaskAssignor,
    LegacyStickyTaskAssignor,
)
from tests.assignors.applications import Client, application, spelled
from tests.recorded.high_availability import CASES, CHANGELOG, SOURCE, WITH_RACKS, clients_in_racks

TASKS = [(subtopology, partition) for subtopology in range(6) for partition in range(20)]
STATEFUL = [task for task in TASKS if task[0] % 3 != 2]


def answer_of(snapshot, limits, **settings) -> str:
    return spelled(snapshot, HighAvailabilityTaskAssignor(*limits, **settings).assign(snapshot))


@pytest.mark.parametrize(("given", "limits", "expected"), CASES.values(), ids=CASES)
def test_kafkas_own_cases_have_kafkas_answers(given, limits, expected):
    assert answer_of(application(*given), limits) == expected


@pytest.mark.parametrize("name", WITH_RACKS)
def test_kafkas_own_cases_have_kafkas_answers_with_racks(name):
    (tasks, stateful, _), limits, _ = CASES[name]
    snapshot = application(
        tasks, stateful, clients_in_racks(name), source=SOURCE, changelog=CHANGELOG
    )

    min_traffic, by_subtopology = WITH_RACKS[name]

    assert answer_of(snapshot, limits, rack_aware_assignment_strategy="min_traffic") == min_traffic
    assert answer_of(snapshot, limits, rack_aware_assignment_strategy="balance_subtopology") == (
        by_subtopology or min_traffic
    )


def test_racks_that_are_not_known_leave_tasks_where_they_are_and_are_assumed():
    given, limits, expected = CASES["ClientsDivideTasks"]
    answer = HighAvailabilityTaskAssignor(
        *limits, rack_aware_assignment_strategy="min_traffic"
    ).assign(application(*given))

    assert spelled(application(*given), answer) == expected
    assert [(assumed.column, assumed.rows.tolist()) for assumed in answer.assumed] == [
        ("rack", [0, 1, 2]),
        ("source_racks", list(range(9))),
    ]


def client(number: int) -> Client:
    """What high availability looks at: lags and tags."""
    return Client(
        {f"{g}.{p}": (7 * g + 13 * p + 29 * number) % 11 * 40 for g, p in STATEFUL},
        capacity=1 + number % 3,
        tags={"zone": f"z{number % 3}", "cluster": f"k{number % 2}"},
        rack=number % 3,
    )


def previous(number: int) -> Client:
    """What the sticky assignors look at: what it ran and of what it keeps state."""
    ran = [f"{g}.{p}" for g, p in TASKS if (20 * g + p) % 8 == number - 1]
    kept = [f"{g}.{p}" for g, p in STATEFUL if (20 * g + p + 3) % 8 == number - 1]
    return Client(dict.fromkeys(kept, 0), capacity=1 + number % 3, owned=ran, rack=number % 3)


def spelled_tasks(tasks) -> str:
    return " ".join(f"{subtopology}.{partition}" for subtopology, partition in tasks)


def of(clients) -> ApplicationSnapshot:
    source = {f"{g}.{p}": [(g + p) % 3] for g, p in TASKS}
    changelog = {f"{g}.{p}": [(g + 2 * p + 1) % 3] for g, p in STATEFUL}
    return application(
        spelled_tasks(TASKS), spelled_tasks(STATEFUL), clients, source=source, changelog=changelog
    )


APPLICATION = of([client(number) for number in range(1, 9)])


STICKY = of([previous(number) for number in range(1, 9)])


def digest(answer) -> str:
    names = [f"{subtopology}_{partition}" for subtopology, partition in TASKS]
    lines = []
    for process in range(8):
        active = ",".join(names[task] for task in np.flatnonzero(answer.active == process))
        standby = ",".join(
            names[task] for task in answer.standby[answer.standby[:, 0] == process, 1]
        )
        lines.append(f"00000000-0000-0000-0000-{process + 1:012}:{active}|{standby}\n")
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("strategy", "tags", "expected"),
    [
        ("none", (), {0: "7d5a5d88d267362c", 1: "5ec8e4c9625a9a6a", 2: "73247f52f4f46cf3"}),
        ("min_traffic", (), {0: "040b1bfb547e91b0", 1: "bac1bc460102b62f", 2: "5c18e0d755759b10"}),
        (
            "balance_subtopology",
            (),
            {0: "3028891286164458", 1: "508c202ffd48cff7", 2: "1a6623dc1a0fa521"},
        ),
        ("none", ("zone", "cluster"), {1: "362fed15b19cc29d", 2: "a69af8ce06f58bac"}),
        ("min_traffic", ("zone", "cluster"), {1: "6317e32ee9876d5e", 2: "297c90c31243e511"}),
    ],
)
def test_high_availability_has_kafkas_digests(strategy, tags, expected):
    settings = {"rack_aware_assignment_strategy": strategy, "rack_aware_assignment_tags": tags}

    assert {
        number: digest(HighAvailabilityTaskAssignor(100, 4, number, **settings).assign(APPLICATION))
        for number in expected
    } == expected


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        ("none", ["15180de3e7018781", "faab58620258e868", "3f19f342e8678e13"]),
        ("min_traffic", ["88af69c600af8c8c", "fadb8e09dfdc0069", "29f020cfbc5ed0b8"]),
        ("balance_subtopology", ["74083efc13e91e45", "3ecb5580f5cf470d", "65ab3d9ef65eb00c"]),
    ],
)
def test_legacy_sticky_has_kafkas_digests(strategy, expected):
    assignors = [
        LegacyStickyTaskAssignor(
            num_standby_replicas=number, rack_aware_assignment_strategy=strategy
        )
        for number in range(3)
    ]

    assert [digest(assignor.assign(STICKY)) for assignor in assignors] == expected


@pytest.mark.parametrize(
    ("standbys", "expected"),
    [(0, "56895a750af6c0bc"), (1, "5f11c50321eada81"), (2, "b2fa25343053672f")],
)
def test_fallback_prior_has_kafkas_digests_and_leaves_every_task_where_it_ran(standbys, expected):
    answer = FallbackPriorTaskAssignor(num_standby_replicas=standbys).assign(STICKY)

    assert digest(answer) == expected
    assert np.bincount(answer.active).tolist() == [15] * 8
