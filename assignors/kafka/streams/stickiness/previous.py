"""Previous tasks: what each process ran, and of what else it keeps state."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.application import NOT_REPORTED, RUNNING, ApplicationSnapshot
from evenkeel.assignors.java.collections import put_order


class Previous(NamedTuple):
    """`active`: task -> process that ran it, in the order of Java's map. `standby`: task -> processes that keep its state, likewise.

    `tree_bin` as in IterationOrder.
    """

    active: dict[int, int]
    standby: dict[int, list[int]]
    tree_bin: bool


def previous_tasks(application: ApplicationSnapshot) -> Previous:
    """Return who had what; where two processes ran a task, the one that Java's map of processes iterates last counts."""
    is_active = application.offset_sum == RUNNING
    is_active[application.member_process[application.owned_member], application.owned_task] = True
    is_standby = (application.offset_sum != NOT_REPORTED) & ~is_active
    processes = application.process_map_order.rows.tolist()
    ran: dict[int, int] = {}
    for process in processes:
        # A map keeps the place of a key whose value it replaces, in Java as in Python.
        ran.update((task, process) for task in np.flatnonzero(is_active[process]).tolist())
    tasks = list(ran)
    walked = put_order(application.task_hash[tasks])
    standby, tree_bin = {}, walked.tree_bin
    for task in np.flatnonzero(is_standby.any(axis=0)).tolist():
        keepers = [process for process in processes if is_standby[process, task]]
        order = put_order(application.process_hash[keepers])
        standby[task] = [keepers[row] for row in order.rows.tolist()]
        tree_bin |= order.tree_bin
    return Previous({tasks[row]: ran[tasks[row]] for row in walked.rows.tolist()}, standby, tree_bin)
