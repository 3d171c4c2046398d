"""A Streams application some time after a rebalance: consumers own their assigned tasks, and
processes have restored records.

A process has one restore rate. It restores active tasks first, then copies. The rate is divided
equally among the tasks that have remaining records, as in Kafka's state updater. A changelog grows
while its task runs.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import TaskAssignment
from evenkeel.assignors.group.application import NOT_REPORTED, RUNNING, ApplicationSnapshot
from evenkeel.assignors.group.drain import lags_after
from evenkeel.assignors.group.snapshot import UNKNOWN

_EMPTY = 1e-6
"""A smaller number of remaining records counts as none, because of rounding."""


@dataclass(frozen=True, eq=False)
class Restoring:
    """Rates of restoring and of growth in records/s, NaN if unknown.

    Parameters
    ----------
    restore_rate : float64 (C,)
        Total rate at which each process reads changelogs.
    end_offset_rate : float64 (K,)
        Growth of the end offsets of each task's changelog while the task runs.
    """

    restore_rate: np.ndarray
    end_offset_rate: np.ndarray


def unknown_rates(application: ApplicationSnapshot) -> Restoring:
    """Return rates that are all unknown."""
    return Restoring(
        np.full(application.process_count, np.nan), np.full(application.task_count, np.nan)
    )


class RestoreResult(NamedTuple):
    """The application when its consumers join the next rebalance.

    `is_assumed`: whether the result depends on an unknown rate. Copies with an unknown rate count
    as caught up.
    """

    application: ApplicationSnapshot
    is_assumed: bool


@dataclass(frozen=True, eq=False)
class Roles:
    """The processes that run each stateful task or have a copy of its state: N pairs (roles).

    Parameters
    ----------
    runs, copies : bool (C, K)
        Whether the process runs the task, and whether it has a copy. If a process has the state of
        a task that the answer withholds from it, this state counts as a copy.
    member, task : int32 (N,)
        Consumer of each role, and task of each role.
    """

    runs: np.ndarray
    copies: np.ndarray
    member: np.ndarray
    task: np.ndarray


class OnDisk(NamedTuple):
    """State on disk of tasks that the process neither runs nor copies. `member`: consumer that
    reports the state, int32 (N,). `task`: int32 (N,). `offset_sum`: int64 (N,).
    """

    member: np.ndarray
    task: np.ndarray
    offset_sum: np.ndarray


def restore(
    application: ApplicationSnapshot,
    answer: TaskAssignment,
    seconds: float,
    restoring: Restoring,
    forgotten: np.ndarray | None = None,
) -> RestoreResult:
    """Return the application `seconds` after an answer.

    Parameters
    ----------
    forgotten : bool (C, K), optional
        Whether a process that neither runs nor copies a task deletes the task's state within
        `seconds`.
    """
    end = application.known_end
    held = roles(application, answer)
    left = application.records_left
    is_running = (held.runs & (left == 0)).any(axis=0)
    rate = np.where(is_running, np.nan_to_num(restoring.end_offset_rate), 0.0)
    later_end = end + np.floor(rate * seconds).astype(np.int64)
    later, is_assumed = (
        (left, False)
        if seconds == 0
        else _left_after(held, left, rate, seconds, restoring, is_running)
    )
    later = np.minimum(later, later_end)
    copies = on_disk(application, held, forgotten)
    member = np.concatenate((held.member, copies.member))
    task = np.concatenate((held.task, copies.task))
    process = application.member_process[held.member]
    sums = later_end[held.task] - later[process, held.task]
    sums = np.where(held.runs[process, held.task] & (later[process, held.task] == 0), RUNNING, sums)
    owned = np.flatnonzero(~np.isin(np.arange(application.task_count), answer.withheld[:, 1]))
    after = replace(
        application,
        end_offset_sum=np.where(application.end_offset_sum == UNKNOWN, UNKNOWN, later_end),
        owned_member=answer.active_member[owned],
        owned_task=owned.astype(np.int32),
        owns_unknown=np.zeros(application.process_count, dtype=bool),
        reported_member=member,
        reported_task=task,
        reported_sum=np.concatenate((sums, copies.offset_sum)),
    )
    return RestoreResult(after, is_assumed)


def _left_after(
    held: Roles,
    left: np.ndarray,
    rate: np.ndarray,
    seconds: float,
    restoring: Restoring,
    is_running: np.ndarray,
) -> tuple[np.ndarray, bool]:
    """Return the remaining records, int64 (C, K), and whether any depend on an unknown rate."""
    later, is_assumed = left.copy(), False
    is_unknown = np.isnan(restoring.end_offset_rate) & is_running
    for process in np.flatnonzero((held.runs | held.copies).any(axis=1)).tolist():
        active = np.flatnonzero(held.runs[process] & (left[process] > 0))
        copies = np.flatnonzero(held.copies[process])
        behind = copies[left[process, copies] > 0]
        if np.isnan(restoring.restore_rate[process]) or is_unknown[behind].any():
            later[process, active] = later[process, copies] = 0
            is_assumed |= bool(active.size or behind.size)
            continue
        tasks = np.concatenate((active, copies))
        remaining = _at_rate(
            left[process, active],
            left[process, copies],
            rate[copies],
            float(restoring.restore_rate[process]),
            seconds,
        )
        later[process, tasks] = np.floor(remaining + _EMPTY).astype(np.int64)
    return later, is_assumed


def _at_rate(
    active: np.ndarray, copies: np.ndarray, growth: np.ndarray, restore_rate: float, seconds: float
) -> np.ndarray:
    """Return the remaining records of a process's tasks, active tasks first, then copies.

    `growth`: growth of the copies' changelogs in records/s.
    """
    busy = seconds if active.size else 0.0
    if restore_rate:
        busy = min(float(active.sum()) / restore_rate, seconds)
    of_active = lags_after(active.astype(np.float64), np.zeros(active.size), restore_rate, busy)
    return np.concatenate(
        (of_active, lags_after(copies + growth * busy, growth, restore_rate, seconds - busy))
    )


def roles(application: ApplicationSnapshot, answer: TaskAssignment) -> Roles:
    """Return the roles after consumers have given up revoked tasks. No process runs a withheld
    task.
    """
    waits, waiting = answer.withheld.T
    process = application.member_process[waits]
    has_state = application.is_stateful[waiting] & (
        application.offset_sum[process, waiting] != NOT_REPORTED
    )
    waits, waiting = waits[has_state], waiting[has_state]
    active = np.flatnonzero(
        application.is_stateful & ~np.isin(np.arange(application.task_count), answer.withheld[:, 1])
    )
    runs, copies = np.zeros((2, application.process_count, application.task_count), dtype=bool)
    runs[answer.active[active], active] = True
    copies[answer.standby[:, 0], answer.standby[:, 1]] = True
    copies[application.member_process[waits], waiting] = True
    member = np.concatenate((answer.active_member[active], answer.standby_member, waits)).astype(
        np.int32
    )
    return Roles(
        runs,
        copies,
        member,
        np.concatenate((active, answer.standby[:, 1], waiting)).astype(np.int32),
    )


def on_disk(application: ApplicationSnapshot, held: Roles, forgotten: np.ndarray | None) -> OnDisk:
    """Return the state on disk that processes report for tasks that they neither run nor copy. If a
    process ran the task before, its state has all records of the changelog.
    """
    stays = (
        (application.offset_sum != NOT_REPORTED)
        & application.is_stateful
        & ~held.runs
        & ~held.copies
    )
    if forgotten is not None:
        stays &= ~forgotten
    member, task = application.reported_member, application.reported_task
    process = application.member_process[member]
    # If several consumers of a process report a task, the last consumer in Java's map counts.
    order = np.argsort(-application.member_map_order.places[member], kind="stable")
    first = np.unique(
        process[order].astype(np.int64) * application.task_count + task[order], return_index=True
    )[1]
    rows = order[first]
    rows = rows[stays[process[rows], task[rows]]]
    sums = application.reported_sum[rows]
    return OnDisk(
        member[rows], task[rows], np.where(sums == RUNNING, application.known_end[task[rows]], sums)
    )
