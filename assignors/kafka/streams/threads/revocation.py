"""The revocation step: a task that another consumer still owns is withheld until that consumer has given it up.

Reproduces that part of `StreamsPartitionAssignor` under the cooperative protocol, by whole tasks.
"""

import numpy as np

from assignors.group.application import ApplicationSnapshot


def withheld(application: ApplicationSnapshot, active_member: np.ndarray) -> np.ndarray:
    """Return (member, task) of what each consumer has to wait for, int32 (R, 2), ascending.

    `active_member` int32 (K,). Where several consumers of a process claim a task, the one that Java's map iterates last counts as its owner
    within the process.
    """
    last_owner: dict[tuple[int, int], int] = {}
    place = application.member_map_order.places
    for row in np.argsort(place[application.owned_member], kind="stable").tolist():
        member = int(application.owned_member[row])
        last_owner[int(application.member_process[member]), int(application.owned_task[row])] = member
    found = []
    for task in sorted({task for _, task in last_owner}):
        member = int(active_member[task])
        if last_owner.get((int(application.member_process[member]), task)) != member:
            found.append((member, task))
    return np.array(sorted(found), dtype=np.int32).reshape(-1, 2)
