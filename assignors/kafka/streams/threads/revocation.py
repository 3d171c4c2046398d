"""The revocation step: a task that another consumer still owns is withheld until that consumer has given it up.

Reproduces that part of `StreamsPartitionAssignor` under the cooperative protocol, by whole tasks.
"""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.application import ApplicationSnapshot


def withheld(application: ApplicationSnapshot, active_member: np.ndarray) -> np.ndarray:
    """Return (member, task) of what each consumer has to wait for, int32 (R, 2), ascending.

    `active_member` int32 (K,). Where several consumers of a process claim a task, the one that Java's map iterates last counts as its owner
    within the process.
    """
    rows = np.argsort(application.member_map_order.places[application.owned_member], kind="stable")
    member, task = application.owned_member[rows], application.owned_task[rows]
    last_owner = np.full((application.process_count, application.task_count), UNASSIGNED, dtype=np.int32)
    last_owner[application.member_process[member], task] = member
    claimed = np.unique(task)
    runs_on = active_member[claimed]
    must_wait = last_owner[application.member_process[runs_on], claimed] != runs_on
    member, task = runs_on[must_wait], claimed[must_wait]
    return np.column_stack((member, task))[np.lexsort((task, member))].astype(np.int32)
