"""Every process's tasks on its threads: stateful active tasks, then standbys, then stateless ones."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from assignors.assignment import UNASSIGNED
from assignors.group.application import ApplicationSnapshot
from assignors.java import hash_map, strings
from assignors.kafka.streams.threads import Threads


class OnThreads(NamedTuple):
    """`active` int32 (K,): member of each task. `standby` (process, task) -> member. `tree_bin` as in IterationOrder."""

    active: np.ndarray
    standby: dict[tuple[int, int], int]
    tree_bin: bool


def on_threads(application: ApplicationSnapshot, active: Sequence[set[int]], standby: Sequence[set[int]]) -> OnThreads:
    """Share out what each process, a row of the snapshot, has."""
    given = OnThreads(np.full(application.task_count, UNASSIGNED, dtype=np.int32), {}, False)
    previous = _previous_tasks(application)
    for process, members in enumerate(_consumers(application)):
        threads = Threads([previous[member] for member in members])
        tasks = np.array(sorted(active[process]), dtype=np.int64)
        is_stateful = application.is_stateful[tasks]
        tree_bin = _give_active(application, given, members, threads, tasks[is_stateful], is_sticky=True)
        for member, got in zip(members, threads.share_out(sorted(standby[process]), is_sticky=True), strict=True):
            given.standby.update(((process, task), member) for task in got)
        tree_bin |= _give_active(application, given, members, threads, tasks[~is_stateful], is_sticky=False)
        given = given._replace(tree_bin=given.tree_bin or tree_bin)
    return given


def _give_active(application, given: OnThreads, members: Sequence[int], threads: Threads, tasks: np.ndarray, *, is_sticky: bool) -> bool:
    # Kafka collects them into a HashSet.
    walked = hash_map.put_order(application.task_hash[tasks])
    for member, got in zip(members, threads.share_out(tasks[walked.rows].tolist(), is_sticky), strict=True):
        given.active[got] = member
    return walked.tree_bin


def _consumers(application: ApplicationSnapshot) -> list[list[int]]:
    """Return the members of each process by id."""
    found: list[list[int]] = [[] for _ in range(application.process_count)]
    for member in strings.sorted_rows(application.member_id).tolist():
        found[application.member_process[member]].append(member)
    return found


def _previous_tasks(application: ApplicationSnapshot) -> list[list[int]]:
    """Return the stateful tasks that each member reported, by the lag of its process, then id."""
    member, task = application.reported_member, application.reported_task
    lag = application.lag[application.member_process[member], task]
    found: list[list[int]] = [[] for _ in range(application.member_count)]
    for row in np.lexsort((task, lag)).tolist():
        if application.is_stateful[task[row]]:
            found[member[row]].append(int(task[row]))
    return found
