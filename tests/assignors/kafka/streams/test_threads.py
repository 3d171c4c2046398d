"""From client to thread, and what the revocation step withholds."""

from dataclasses import replace

import numpy as np

from evenkeel.assignors.java.collections import put_order
from evenkeel.assignors.java.hashing import task_id_hashes
from evenkeel.assignors.kafka.streams.clients import withheld
from evenkeel.assignors.kafka.streams.threads import Threads
from tests.assignors.applications import Client, application


def in_set_order(tasks: list[tuple[int, int]], offset: int) -> list[int]:
    """Numbers from `offset` on, as a HashSet of the task ids iterates."""
    ids = np.array(tasks, dtype=np.int32)
    return (offset + put_order(task_id_hashes(ids[:, 0], ids[:, 1])).rows).tolist()


# The answers of Kafka's class; tasks 0 to 4 are 0_0 to 0_4 and 5 to 7 are 1_0 to 1_2.
def test_consumers_keep_what_they_had_by_lag_up_to_an_even_share():
    threads = Threads([[0, 1, 2], [4, 3], []])

    active = threads.share_out(
        in_set_order([(0, partition) for partition in range(4)], 0), is_sticky=True
    )
    standby = threads.share_out([4], is_sticky=True)
    stateless = threads.share_out(
        in_set_order([(1, partition) for partition in range(3)], 5), is_sticky=False
    )

    assert [sorted(got) for got in active] == [[0, 2], [3], [1]]
    assert standby == [[], [4], []]
    assert stateless == [[6], [7], [5]]


def test_the_tasks_of_one_busy_thread_spread_over_all():
    threads = Threads([list(range(8)), [], []])

    active = threads.share_out(
        in_set_order([(0, partition) for partition in range(8)], 0), is_sticky=True
    )

    assert [sorted(got) for got in active] == [[0, 1, 6], [2, 4, 7], [3, 5]]


def test_no_task_is_shared_out_to_idle_threads():
    assert Threads([[], []]).share_out([], is_sticky=True) == [[], []]


def owning(*owned: tuple[int, int]):
    """Two processes with two consumers each, 0 and 1, 2 and 3; tasks 0 and 1. `owned`: (member,
    task).
    """
    member, task = np.array(owned, dtype=np.int32).reshape(-1, 2).T
    return replace(
        application("0.0 0.1", "0.0", [Client(capacity=2)] * 2),
        owned_member=member,
        owned_task=task,
    )


def test_a_task_waits_for_the_consumer_that_owns_it():
    assert withheld(owning((0, 0), (1, 1)), np.array([2, 1])).tolist() == [[2, 0]]


def test_a_task_waits_also_for_another_thread_of_the_same_process():
    assert withheld(owning((0, 0)), np.array([1, 3])).tolist() == [[1, 0]]


def test_a_task_that_nobody_owns_waits_for_nobody():
    assert withheld(owning(), np.array([2, 3])).tolist() == []


def test_of_two_threads_that_claim_a_task_the_one_that_javas_map_iterates_last_owns_it():
    snapshot = owning((0, 0), (1, 0))
    last = next(row for row in reversed(snapshot.member_map_order.rows.tolist()) if row in (0, 1))

    assert withheld(snapshot, np.array([last, 3])).tolist() == []
    assert withheld(snapshot, np.array([1 - last, 3])).tolist() == [[1 - last, 0]]
