"""Figures of task assignments."""

import numpy as np
import pytest

from evenkeel.assignors.group.tasks import (
    moved_tasks,
    role_counts,
    seconds_to_run,
    tasks_without_caught_up_copy,
)
from evenkeel.assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from evenkeel.assignors.kafka.streams.legacy_sticky import LegacyStickyTaskAssignor
from tests.assignors.applications import Client, application

TASKS = "0.0 0.1 0.2 0.3"


def joined(lag: int):
    return application(TASKS, TASKS, [Client(-2, owned=TASKS.split()), Client(lag)], 1000)


def test_counts_are_by_process_and_role():
    application = joined(1000)
    answer = HighAvailabilityTaskAssignor(0, 2, 0).assign(application)

    counts = role_counts(application, answer)
    assert [column.tolist() for column in counts] == [[4, 0], [0, 0], [0, 2], [4, 0]]


def test_a_task_without_a_caught_up_process_is_named_and_a_stateless_one_never_is():
    application_ = application(
        "0.0 0.1 1.0", "0.0 0.1", [Client({"0.0": 5}, other_lag=500), Client(900)], 1000
    )

    assert tasks_without_caught_up_copy(application_, 10).tolist() == [1]
    assert tasks_without_caught_up_copy(application_, 2**63 - 1).tolist() == []


def test_high_availability_moves_nothing_that_would_be_down_and_legacy_sticky_does():
    application, before = joined(1000), np.zeros(4, dtype=np.int32)
    kept, moved = (
        HighAvailabilityTaskAssignor(0).assign(application),
        LegacyStickyTaskAssignor().assign(application),
    )

    assert moved_tasks(application, before, kept).record_count == 0
    down = moved_tasks(application, before, moved, np.array([1.0, 100.0]))
    assert (down.task.size, down.to_process.tolist(), down.record_count, down.longest_seconds) == (
        2,
        [1, 1],
        2000,
        20.0,
    )
    assert moved_tasks(application, before, moved).longest_seconds is None


def test_tasks_that_nobody_ran_do_not_move():
    application = joined(1000)

    assert (
        moved_tasks(
            application,
            np.full(4, -1, dtype=np.int32),
            LegacyStickyTaskAssignor().assign(application),
        ).task.tolist()
        == []
    )


@pytest.mark.parametrize(
    ("left", "process", "rate", "expected"),
    [
        ([300, 100, 0], [0, 0, 0], [100.0], [4.0, 2.0, 0.0]),
        ([300, 100, 200], [0, 0, 0], [100.0], [6.0, 3.0, 5.0]),
        ([300, 100, 0], [0, 1, 1], [100.0, 0.0], [3.0, np.inf, 0.0]),
        ([300, 0, 0], [0, 1, 1], [np.nan, np.nan], [np.nan, 0.0, 0.0]),
    ],
)
def test_a_process_restores_its_tasks_in_equal_parts(left, process, rate, expected):
    assert seconds_to_run(
        np.array(left), np.array(process), np.array(rate)
    ).tolist() == pytest.approx(expected, nan_ok=True)
