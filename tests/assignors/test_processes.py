"""Processes die, come back and are added."""

import numpy as np
import pytest

from evenkeel.assignors.group.tasks import tasks_without_caught_up_copy
from tests.assignors.applications import Client, application
from tests.assignors.processes import add_process, remove_processes, state_on_disk

TASKS = "0.0 0.1 0.2"


def three():
    clients = [
        Client({f"0.{place}": -2}, owned=[f"0.{place}"], capacity=1 + place, rack=place)
        for place in range(3)
    ]
    return application(TASKS, TASKS, clients, 1000)


def test_a_process_that_dies_takes_its_consumers_and_what_they_said_with_it():
    edited = remove_processes(three(), [(0, 2)])

    assert edited.process_row.tolist() == [0, -1, 1]
    assert edited.application.member_id == ("c1-0", "c3-0", "c3-1", "c3-2")
    assert edited.application.member_process.tolist() == [0, 1, 1, 1]
    assert edited.application.offset_sum.tolist() == [[-2, -1, -1], [-1, -1, -2]]
    assert (edited.application.owned_member.tolist(), edited.application.owned_task.tolist()) == (
        [0, 1],
        [0, 2],
    )


def test_back_with_its_disk_a_process_is_caught_up_on_its_task_and_without_it_nobody_is():
    before = three()
    state = state_on_disk(before, (0, 2))
    without = remove_processes(before, [(0, 2)]).application
    back = add_process(without, (0, 2), ["new"], like=0, state=state).application
    empty = add_process(without, (0, 2), ["new"]).application

    assert state == {1: 1000}
    assert (back.process_rack.tolist(), empty.process_rack.tolist()) == ([0, 2, 0], [0, 2, -1])
    assert [tasks_without_caught_up_copy(each, 10).tolist() for each in (without, back, empty)] == [
        [1],
        [],
        [1],
    ]


def test_the_former_application_is_not_changed():
    before = three()
    for column in vars(before).values():
        if isinstance(column, np.ndarray):
            column.flags.writeable = False

    add_process(remove_processes(before, [(0, 1)]).application, (0, 9), ["new"], state={0: 5})

    assert before.process_count == 3


@pytest.mark.parametrize(
    ("process_id", "members", "message"),
    [
        ((0, 1), ["x"], r"process \(0, 1\): the application has it already"),
        ((0, 9), [], r"process \(0, 9\): member_ids is empty, expected one for each thread"),
        ((0, 9), ["x", "c1-0"], r"process \(0, 9\): the application has consumer c1-0 already"),
    ],
)
def test_a_process_that_cannot_come_is_refused(process_id, members, message):
    with pytest.raises(ValueError, match=message):
        add_process(three(), process_id, members)


def test_a_process_that_is_not_there_cannot_die():
    with pytest.raises(KeyError, match="0, 9"):
        remove_processes(three(), [(0, 9)])
