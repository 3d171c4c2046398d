import numpy as np

from evenkeel.assignors.assignment import TaskAssignment
from evenkeel.dashboard.streams.tiles import fates
from evenkeel.dashboard.view import TaskRound
from tests.assignors.applications import Client, application


def a_round(active, warmup=()) -> TaskRound:
    """One consumer for each process; every copy is a warmup."""
    found = application("0.0 0.1 0.2", "0.0 0.1 0.2", [Client(), Client(), Client()])
    copies = np.array(sorted(warmup), dtype=np.int32).reshape(-1, 2)
    owner = np.array(active, dtype=np.int32)
    answer = TaskAssignment(
        owner, copies, copies, owner, copies[:, 0], np.empty((0, 2), dtype=np.int32), bool(warmup)
    )
    return TaskRound(
        0.0, found, answer, np.zeros(3, dtype=np.int64), np.zeros(len(copies), dtype=np.int64)
    )


ROUNDS = [a_round([0, 0, 1], [(2, 0)]), a_round([2, 0, 1], [(2, 1)]), a_round([2, 2, 1])]


def test_a_task_that_moves_says_where_to_and_in_which_round():
    found = fates(np.array([0, 0, -1]), ROUNDS, 0)

    assert found.to.tolist() == [2, 2, -1]
    assert found.at.tolist() == [1, 2, -1]


def test_a_task_waits_for_the_warmup_that_begins_in_a_later_round():
    assert fates(np.array([0, 0, -1]), ROUNDS, 0).waiting.tolist() == [[2, 1, 1]]
    assert fates(np.array([0, 0, -1]), ROUNDS, 1).waiting.tolist() == []


def test_before_the_first_round_stand_the_owners_as_listed():
    assert fates(np.array([0, 3, -1]), ROUNDS, 0).before.tolist() == [0, 3, -1]
    assert fates(np.array([0, 3, -1]), ROUNDS, 2).before.tolist() == [2, 0, 1]
