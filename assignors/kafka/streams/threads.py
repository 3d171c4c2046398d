"""Threads: the tasks of each consumer of a process."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.java.collections import HashSet, PriorityQueue, put_order
from evenkeel.assignors.java.hashing import sorted_rows
from evenkeel.assignors.kafka.streams.task_steps import ACTIVE, STANDBY, OnThread, Way
from evenkeel.assignors.trace import active, asked

# From process to consumer. Reproduces `StreamsPartitionAssignor.assignTasksToThreads`: it assigns
# stateful active tasks, then standbys, then stateless tasks.


class OnThreads(NamedTuple):
    """The consumer of each task.

    `active`: member that runs each task, int32 (K,). `standby`: rows (process, task), int32 (S, 2),
    ascending. `standby_member`: member of each standby, int32 (S,). `tree_bin`: as in
    IterationOrder.
    """

    active: np.ndarray
    standby: np.ndarray
    standby_member: np.ndarray
    tree_bin: bool


def on_threads(
    application: ApplicationSnapshot,
    active: Sequence[set[int]],
    standby: Sequence[set[int]],
    maps: Sequence[HashSet] = (),
) -> OnThreads:
    """Assign the tasks of each process to its consumers.

    `active`, `standby`: tasks of each process. `maps`: for the public interface (KIP-924), the
    tasks of each process in a hash map. Without `maps`, the tasks are in sorted sets.
    """
    runs_on: list[tuple[int, int]] = []
    kept_on: list[tuple[int, int]] = []
    previous, tree_bin = _previous_tasks(application), False
    for process, members in enumerate(_consumers(application)):
        threads = Threads([previous[member] for member in members])
        collected = _TaskCollection(
            application, active[process], standby[process], maps[process] if maps else None
        )
        _note(runs_on, members, threads.share_out(collected.stateful, is_sticky=True))
        _tell(process, members, threads, ACTIVE)
        _note(kept_on, members, threads.share_out(collected.standby, is_sticky=True))
        _tell(process, members, threads, STANDBY)
        _note(runs_on, members, threads.share_out(collected.stateless, is_sticky=False))
        _tell(process, members, threads, ACTIVE)
        tree_bin |= collected.tree_bin
    return OnThreads(_by_task(application, runs_on), *_in_order(application, kept_on), tree_bin)


class _TaskCollection:
    """The tasks of a process in the order of `ClientState`.

    Active tasks are in the order of a HashSet, standbys in the order in which they were set.
    """

    def __init__(
        self,
        application: ApplicationSnapshot,
        active: set[int],
        standby: set[int],
        walked: HashSet | None,
    ):
        self._hash, self.tree_bin = application.task_hash, False
        # `ClientState.setAssignedTasks` copies the tasks of each role from a public class's map
        # into a HashSet. The sets of Kafka's own classes are sorted.
        runs = (
            _rows(sorted(active))
            if walked is None
            else self._put(_rows(task for task in walked if task in active))
        )
        copies = (
            _rows(sorted(standby))
            if walked is None
            else self._put(_rows(task for task in walked if task in standby))
        )
        is_stateful = application.is_stateful[runs]
        self.stateful, self.stateless = (
            self._put(runs[is_stateful]).tolist(),
            self._put(runs[~is_stateful]).tolist(),
        )
        self.standby = copies.tolist()

    def _put(self, tasks: np.ndarray) -> np.ndarray:
        order = put_order(self._hash[tasks])
        self.tree_bin |= order.tree_bin
        return tasks[order.rows]


def _rows(tasks: Iterable[int]) -> np.ndarray:
    return np.fromiter(tasks, dtype=np.int64)


def _note(pairs: list[tuple[int, int]], members: Sequence[int], given: Sequence[list[int]]):
    pairs.extend(
        (member, task) for member, tasks in zip(members, given, strict=True) for task in tasks
    )


def _tell(process: int, members: Sequence[int], threads: "Threads", role: str):
    for task, (consumer, way, count, least) in (threads.traced or {}).items():
        active().add(
            task,
            OnThread(
                process, role=role, consumer=members[consumer], way=way, count=count, least=least
            ),
        )


def _by_task(application: ApplicationSnapshot, runs_on: list[tuple[int, int]]) -> np.ndarray:
    member_of = np.full(application.task_count, UNASSIGNED, dtype=np.int32)
    member, task = np.array(runs_on, dtype=np.int32).reshape(-1, 2).T
    member_of[task] = member
    return member_of


def _in_order(
    application: ApplicationSnapshot, kept_on: list[tuple[int, int]]
) -> tuple[np.ndarray, np.ndarray]:
    """Return rows (process, task), ascending, and the member of each row."""
    member, task = np.array(kept_on, dtype=np.int32).reshape(-1, 2).T
    process = application.member_process[member]
    order = np.lexsort((task, process))
    return np.column_stack((process, task))[order].astype(np.int32), member[order]


def _consumers(application: ApplicationSnapshot) -> list[list[int]]:
    """Return the members of each process, sorted by id."""
    members = sorted_rows(application.member_id)
    members = members[np.argsort(application.member_process[members], kind="stable")]
    return (
        [part.tolist() for part in np.split(members, np.cumsum(application.capacity)[:-1])]
        if members.size
        else []
    )


def _previous_tasks(application: ApplicationSnapshot) -> list[list[int]]:
    """Return the stateful tasks that each member reported.

    Tasks are sorted by the lag of the process, and by task id if lags are equal.
    """
    member, task = application.reported_member, application.reported_task
    lag = application.lag[application.member_process[member], task]
    tasks_of: list[list[int]] = [[] for _ in range(application.member_count)]
    rows = np.lexsort((task, lag))
    rows = rows[application.is_stateful[task[rows]]]
    for row, reported in zip(member[rows].tolist(), task[rows].tolist(), strict=True):
        tasks_of[row].append(reported)
    return tasks_of


# The consumers of a process


class Waiting:
    """Tasks without a consumer, in a PriorityQueue. The queue's array is computed only when it is
    read.

    Attributes
    ----------
    left : set of int
        The remaining tasks.
    """

    def __init__(self, tasks: Iterable[int]):
        self._tasks = list(tasks)
        self._removed: list[int] = []
        self.left = set(self._tasks)

    def remove(self, task: int):
        """Remove a task. If it is the smallest task, this is the same as `poll` in Java."""
        self._removed.append(task)
        self.left.remove(task)

    def in_array_order(self) -> Iterable[int]:
        """Return the remaining tasks in the iteration order of Java's queue."""
        if len(self.left) < 2:
            return self.left
        queue = PriorityQueue(elements=self._tasks)
        for task in self._removed:
            queue.remove(task)
        return queue


class Threads:
    """The consumers of a process, numbered in ascending order of ids.

    The tasks that one call of `share_out` assigns count as load in the next call.

    Parameters
    ----------
    previous : sequence of lists
        Stateful tasks that each consumer reported, by lag, and by task id if lags are equal.
    """

    def __init__(self, previous: Sequence[list[int]]):
        self._previous = previous
        self._load = [0] * len(previous)
        self.traced: dict[int, tuple[int, Way, int, int]] | None = None
        """For each traced task of the latest call: consumer, way, the consumer's previous task
        count, and the least number.
        """

    def share_out(self, tasks: Iterable[int], is_sticky: bool) -> list[list[int]]:
        """Assign tasks to the consumers. Return the tasks of each consumer.

        `tasks`: in the order of the Java collection. `is_sticky`: whether consumers keep tasks.
        """
        waiting = Waiting(tasks)
        self.traced = None if asked() is None else {}
        given: list[list[int]] = [[] for _ in self._load]
        if not waiting.left:
            return given
        least = (sum(self._load) + len(waiting.left)) // len(self._load)
        skipped = self._give_back(waiting, given, least) if is_sticky else {}
        self._fill(waiting, given, least)
        self._give_rest(waiting, given, least, skipped)
        self._load = [load + len(got) for load, got in zip(self._load, given, strict=True)]
        return given

    def _give_back(self, waiting: Waiting, given: list[list[int]], least: int) -> dict[int, int]:
        """Let consumers keep previous tasks, up to `least` tasks each.

        Return the tasks that no consumer keeps, each with the last consumer that had the task.
        """
        skipped = {}
        for consumer, previous in enumerate(self._previous):
            for task in previous:
                if task not in waiting.left:
                    continue
                if self._load[consumer] + len(given[consumer]) < least:
                    self._give(task, consumer, given, least, Way.BACK)
                    waiting.remove(task)
                else:
                    skipped[task] = consumer
        return skipped

    def _fill(self, waiting: Waiting, given: list[list[int]], least: int):
        to_fill = deque(
            consumer
            for consumer, got in enumerate(given)
            if self._load[consumer] + len(got) < least
        )
        smallest = iter(sorted(waiting.left) if to_fill else ())
        while to_fill:
            consumer, task = to_fill.popleft(), next(smallest)
            self._give(task, consumer, given, least, Way.FILL)
            waiting.remove(task)
            if self._load[consumer] + len(given[consumer]) < least:
                to_fill.append(consumer)

    def _give_rest(
        self, waiting: Waiting, given: list[list[int]], least: int, skipped: dict[int, int]
    ):
        """Assign one task more to each consumer with `least` tasks.

        A consumer that had a task before comes first for this task.
        """
        if not waiting.left:
            return
        to_fill = dict.fromkeys(
            consumer
            for consumer, got in enumerate(given)
            if self._load[consumer] + len(got) == least
        )
        for task in sorted(waiting.left & skipped.keys()):
            if skipped[task] in to_fill:
                self._give(task, skipped[task], given, least, Way.BACK)
                waiting.remove(task)
                del to_fill[skipped[task]]
        # Kafka iterates over its heap in array order here.
        for task, consumer in zip(waiting.in_array_order(), to_fill, strict=False):
            self._give(task, consumer, given, least, Way.REST)

    def _give(self, task: int, consumer: int, given: list[list[int]], least: int, way: Way):
        if self.traced is not None and active().watches(task):
            self.traced[task] = (consumer, way, self._load[consumer] + len(given[consumer]), least)
        given[consumer].append(task)
