"""Roles: what each process has of each stateful task after a rebalance, and which consumer has it."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import TaskAssignment
from evenkeel.assignors.group.application import NOT_REPORTED, RUNNING, ApplicationSnapshot


@dataclass(frozen=True, eq=False)
class Roles:
    """N roles of stateful tasks.

    Parameters
    ----------
    runs, copies : bool (C, K)
        The process runs the task, or keeps a copy. A task that is withheld from a process that had state of it is a copy there.
    member, task : int32 (N,)
        Consumer and task of each role.
    """

    runs: np.ndarray
    copies: np.ndarray
    member: np.ndarray
    task: np.ndarray


class OnDisk(NamedTuple):
    """State without a role: the consumer that reports it, the task, and the sum; int32, int32, int64 (N,)."""

    member: np.ndarray
    task: np.ndarray
    offset_sum: np.ndarray


def roles(application: ApplicationSnapshot, answer: TaskAssignment) -> Roles:
    """Return who has what once the revocation step has withheld what it withholds."""
    waits, waiting = answer.withheld.T
    process = application.member_process[waits]
    has_state = application.is_stateful[waiting] & (application.offset_sum[process, waiting] != NOT_REPORTED)
    waits, waiting = waits[has_state], waiting[has_state]
    active = np.flatnonzero(application.is_stateful & ~np.isin(np.arange(application.task_count), answer.withheld[:, 1]))
    runs, copies = np.zeros((2, application.process_count, application.task_count), dtype=bool)
    runs[answer.active[active], active] = True
    copies[answer.standby[:, 0], answer.standby[:, 1]] = True
    copies[application.member_process[waits], waiting] = True
    member = np.concatenate((answer.active_member[active], answer.standby_member, waits)).astype(np.int32)
    return Roles(runs, copies, member, np.concatenate((active, answer.standby[:, 1], waiting)).astype(np.int32))


def on_disk(application: ApplicationSnapshot, held: Roles, forgotten: np.ndarray | None) -> OnDisk:
    """Return what processes still report without having a role for it; a task that ran has all its records."""
    stays = (application.offset_sum != NOT_REPORTED) & application.is_stateful & ~held.runs & ~held.copies
    if forgotten is not None:
        stays &= ~forgotten
    member, task = application.reported_member, application.reported_task
    process = application.member_process[member]
    # Where several consumers of a process report a task, the last one in Java's map is believed.
    order = np.argsort(-application.member_map_order.places[member], kind="stable")
    first = np.unique(process[order].astype(np.int64) * application.task_count + task[order], return_index=True)[1]
    rows = order[first]
    rows = rows[stays[process[rows], task[rows]]]
    sums = application.reported_sum[rows]
    return OnDisk(member[rows], task[rows], np.where(sums == RUNNING, application.known_end[task[rows]], sums))
