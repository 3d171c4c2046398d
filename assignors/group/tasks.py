"""Figures of a task assignment: task counts of each process, tasks without a caught-up process,
moved tasks and their downtime.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import TaskAssignment
from evenkeel.assignors.group import UNKNOWN
from evenkeel.assignors.group.application import RUNNING, ApplicationSnapshot


class RoleCounts(NamedTuple):
    """Number of tasks of each process, int64 (C,).

    `state`: active tasks with state, which may be uneven even if `active` is even. `standby`:
    warm-ups are not included.
    """

    active: np.ndarray
    standby: np.ndarray
    warmup: np.ndarray
    state: np.ndarray


@dataclass(frozen=True, eq=False)
class MovedTasks:
    """Active tasks that move to another process, sorted by task. N is their number.

    Parameters
    ----------
    task, from_process, to_process : int32 (N,)
    records : int64 (N,)
        Records that the new process has to restore before it runs the task. 0 for a stateless task.
    seconds : float64 (N,)
        Seconds that the new process needs to restore these records. NaN if its rate is unknown and
        there are records to restore.
    """

    task: np.ndarray
    from_process: np.ndarray
    to_process: np.ndarray
    records: np.ndarray
    seconds: np.ndarray

    @cached_property
    def record_count(self) -> int:
        return sum(self.records.tolist())

    @cached_property
    def longest_seconds(self) -> float | None:
        """Longest downtime of a moved task in seconds. None if a downtime is unknown."""
        if np.isnan(self.seconds).any():
            return None
        return float(self.seconds.max(initial=0.0))


def role_counts(application: ApplicationSnapshot, answer: TaskAssignment) -> RoleCounts:
    """Count the tasks of each process by role."""
    stateful = answer.active[application.is_stateful]
    active, copies, warmup, state = (
        np.bincount(rows, minlength=application.process_count)
        for rows in (answer.active, answer.standby[:, 0], answer.warmup[:, 0], stateful)
    )
    return RoleCounts(active, copies - warmup, warmup, state)


def tasks_without_caught_up_copy(
    application: ApplicationSnapshot, acceptable_recovery_lag: int
) -> np.ndarray:
    """Return the stateful tasks that no process can take over at once, int64.

    For such a task, no process is caught up, so every process must restore records first.
    """
    return np.flatnonzero(
        application.is_stateful & ~application.is_caught_up(acceptable_recovery_lag).any(axis=0)
    )


def is_left_unknown(application: ApplicationSnapshot) -> np.ndarray:
    """Return whether the number of records to restore is unknown, bool (C, K).

    It is unknown if the end offset of the changelog is unknown and the task does not run on the
    process.
    """
    return (
        application.is_stateful
        & (application.end_offset_sum == UNKNOWN)
        & (application.lag != RUNNING)
    )


def moved_tasks(
    application: ApplicationSnapshot,
    before: np.ndarray,
    answer: TaskAssignment,
    restore_rate: np.ndarray | None = None,
) -> MovedTasks:
    """Return the active tasks that `answer` moves to another process.

    Parameters
    ----------
    application : ApplicationSnapshot
        The application at the start of the rebalance that gave `answer`.
    before : int32 (K,)
        Process that ran each task before. `UNASSIGNED` if no process ran the task; such a task does
        not count as moved.
    restore_rate : float64 (C,), optional
        Records/s that each process reads from changelogs. A process divides this rate equally among
        its tasks. NaN if unknown.
    """
    tasks = np.flatnonzero((before >= 0) & (before != answer.active))
    left = np.where(
        application.is_stateful,
        application.records_left[answer.active, np.arange(application.task_count)],
        0,
    )
    rate = np.nan if restore_rate is None else restore_rate
    seconds = seconds_to_run(left, answer.active, np.broadcast_to(rate, application.process_count))
    return MovedTasks(
        tasks.astype(np.int32),
        before[tasks].astype(np.int32),
        answer.active[tasks].astype(np.int32),
        left[tasks],
        seconds[tasks],
    )


def seconds_to_run(left: np.ndarray, process: np.ndarray, restore_rate: np.ndarray) -> np.ndarray:
    """Return the seconds until each task is restored, float64 (K,).

    Each process divides its restore rate equally among its tasks. NaN if the rate is unknown,
    infinite if the rate is 0.

    `left`: records that each task still has to restore, int64 (K,). `process`: process of each
    task, int32 (K,). `restore_rate`: records/s of each process, float64 (C,).
    """
    seconds = np.zeros(left.size)
    for client in np.unique(process[left > 0]).tolist():
        tasks = np.flatnonzero((process == client) & (left > 0))
        records = np.sort(left[tasks].astype(np.float64))
        # Until a task with r records is restored, each other task has also read r records, or all
        # its records if fewer.
        read = np.cumsum(records) + records * np.arange(records.size - 1, -1, -1)
        rate = restore_rate[client]
        seconds[tasks[np.argsort(left[tasks], kind="stable")]] = (
            np.inf if rate == 0 else read / rate
        )
    return seconds
