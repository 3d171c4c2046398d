"""Every process's tasks on its threads: stateful active tasks, then standbys, then stateless ones."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.java.collections import HashSet, put_order
from evenkeel.assignors.java.hashing import sorted_rows
from evenkeel.assignors.kafka.streams.threads.process_threads import Threads


class OnThreads(NamedTuple):
    """Consumers of tasks.

    `active` int32 (K,): member of each task. `standby` int32 (S, 2): (process, task), ascending; `standby_member` int32 (S,). `tree_bin` as
    in IterationOrder.
    """

    active: np.ndarray
    standby: np.ndarray
    standby_member: np.ndarray
    tree_bin: bool


def on_threads(
    application: ApplicationSnapshot, active: Sequence[set[int]], standby: Sequence[set[int]], maps: Sequence[HashSet] = ()
) -> OnThreads:
    """Share out what each process, a row of the snapshot, has.

    `maps`: the tasks of each process in the map that a public class fills; without it Kafka keeps them in sorted sets.
    """
    runs_on: list[tuple[int, int]] = []
    kept_on: list[tuple[int, int]] = []
    previous, tree_bin = _previous_tasks(application), False
    for process, members in enumerate(_consumers(application)):
        threads = Threads([previous[member] for member in members])
        collected = _Collected(application, active[process], standby[process], maps[process] if maps else None)
        _note(runs_on, members, threads.share_out(collected.stateful, is_sticky=True))
        _note(kept_on, members, threads.share_out(collected.standby, is_sticky=True))
        _note(runs_on, members, threads.share_out(collected.stateless, is_sticky=False))
        tree_bin |= collected.tree_bin
    return OnThreads(_by_task(application, runs_on), *_in_order(application, kept_on), tree_bin)


class _Collected:
    """The tasks of a process as `ClientState` hands them over: active ones from a HashSet, standbys as they were set."""

    def __init__(self, application: ApplicationSnapshot, active: set[int], standby: set[int], walked: HashSet | None):
        self._hash, self.tree_bin = application.task_hash, False
        # `ClientState.setAssignedTasks` collects both roles of a public class's map into HashSets; its own sets are sorted.
        runs = _rows(sorted(active)) if walked is None else self._put(_rows(task for task in walked if task in active))
        kept = _rows(sorted(standby)) if walked is None else self._put(_rows(task for task in walked if task in standby))
        is_stateful = application.is_stateful[runs]
        self.stateful, self.stateless = self._put(runs[is_stateful]).tolist(), self._put(runs[~is_stateful]).tolist()
        self.standby = kept.tolist()

    def _put(self, tasks: np.ndarray) -> np.ndarray:
        order = put_order(self._hash[tasks])
        self.tree_bin |= order.tree_bin
        return tasks[order.rows]


def _rows(tasks: Iterable[int]) -> np.ndarray:
    return np.fromiter(tasks, dtype=np.int64)


def _note(found: list[tuple[int, int]], members: Sequence[int], given: Sequence[list[int]]):
    found.extend((member, task) for member, tasks in zip(members, given, strict=True) for task in tasks)


def _by_task(application: ApplicationSnapshot, runs_on: list[tuple[int, int]]) -> np.ndarray:
    found = np.full(application.task_count, UNASSIGNED, dtype=np.int32)
    member, task = np.array(runs_on, dtype=np.int32).reshape(-1, 2).T
    found[task] = member
    return found


def _in_order(application: ApplicationSnapshot, kept_on: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return (process, task), ascending, and the member of each."""
    member, task = np.array(kept_on, dtype=np.int32).reshape(-1, 2).T
    process = application.member_process[member]
    order = np.lexsort((task, process))
    return np.column_stack((process, task))[order].astype(np.int32), member[order]


def _consumers(application: ApplicationSnapshot) -> list[list[int]]:
    """Return the members of each process by id."""
    members = sorted_rows(application.member_id)
    members = members[np.argsort(application.member_process[members], kind="stable")]
    return [found.tolist() for found in np.split(members, np.cumsum(application.capacity)[:-1])] if members.size else []


def _previous_tasks(application: ApplicationSnapshot) -> list[list[int]]:
    """Return the stateful tasks that each member reported, by the lag of its process, then id."""
    member, task = application.reported_member, application.reported_task
    lag = application.lag[application.member_process[member], task]
    found: list[list[int]] = [[] for _ in range(application.member_count)]
    rows = np.lexsort((task, lag))
    rows = rows[application.is_stateful[task[rows]]]
    for one, reported in zip(member[rows].tolist(), task[rows].tolist(), strict=True):
        found[one].append(reported)
    return found
