"""Every process's tasks on its threads: stateful active tasks, then standbys, then stateless ones."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from assignors.assignment import UNASSIGNED
from assignors.group.application import ApplicationSnapshot
from assignors.java import hash_map, strings
from assignors.kafka.streams.threads.process_threads import Threads


class OnThreads(NamedTuple):
    """Consumers of tasks.

    `active` int32 (K,): member of each task. `standby` int32 (S, 2): (process, task), ascending; `standby_member` int32 (S,). `tree_bin` as
    in IterationOrder.
    """

    active: np.ndarray
    standby: np.ndarray
    standby_member: np.ndarray
    tree_bin: bool


def on_threads(application: ApplicationSnapshot, active: Sequence[set[int]], standby: Sequence[set[int]]) -> OnThreads:
    """Share out what each process, a row of the snapshot, has."""
    runs_on: list[tuple[int, int]] = []
    kept_on: list[tuple[int, int]] = []
    previous, tree_bin = _previous_tasks(application), False
    for process, members in enumerate(_consumers(application)):
        threads = Threads([previous[member] for member in members])
        tasks = np.array(sorted(active[process]), dtype=np.int64)
        is_stateful = application.is_stateful[tasks]
        # Kafka collects active tasks into a HashSet; its standbys are sorted.
        stateful, stateless = (hash_map.put_order(application.task_hash[tasks[mask]]) for mask in (is_stateful, ~is_stateful))
        _note(runs_on, members, threads.share_out(tasks[is_stateful][stateful.rows].tolist(), is_sticky=True))
        _note(kept_on, members, threads.share_out(sorted(standby[process]), is_sticky=True))
        _note(runs_on, members, threads.share_out(tasks[~is_stateful][stateless.rows].tolist(), is_sticky=False))
        tree_bin |= stateful.tree_bin or stateless.tree_bin
    return OnThreads(_by_task(application, runs_on), *_in_order(application, kept_on), tree_bin)


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
    members = strings.sorted_rows(application.member_id)
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
