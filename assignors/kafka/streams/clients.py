"""Clients: the tasks of each client during an assignment, and the resulting TaskAssignment."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from evenkeel.assignors.assignment import HASH_COLLISIONS, UNASSIGNED, Assumption, TaskAssignment
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.java.collections import HashSet
from evenkeel.assignors.kafka.streams.task_steps import ACTIVE, STANDBY, TaskDecision
from evenkeel.assignors.kafka.streams.threads import on_threads
from evenkeel.assignors.trace import asked


class Clients:
    """Active tasks and standbys of each client.

    Clients and tasks are numbered in Kafka's order of process ids and task ids.

    Attributes
    ----------
    maps : list of HashSet
        The tasks of each client in a hash map, for the public interface (KIP-924). Empty for
        Kafka's internal assignors, which use sorted sets.
    """

    def __init__(self, capacity: Sequence[int], processes: Sequence[int] | None = None):
        """`processes`: number of each client's process. By default, a client has the number of its
        process.
        """
        self.capacity, self.processes = (
            capacity,
            range(len(capacity)) if processes is None else processes,
        )
        self.maps: list[HashSet] = []
        self.active: list[set[int]] = [set() for _ in capacity]
        self.standby: list[set[int]] = [set() for _ in capacity]

    def __len__(self) -> int:
        return len(self.capacity)

    def has(self, client: int, task: int) -> bool:
        """Return whether the client has the task in any role."""
        return task in self.active[client] or task in self.standby[client]

    def task_count(self, client: int) -> int:
        """Return the number of active tasks and standbys."""
        return len(self.active[client]) + len(self.standby[client])

    def load(self, client: int) -> float:
        """Return the number of active tasks and standbys per thread."""
        # Not task_count, because heaps call this a million times.
        return (len(self.active[client]) + len(self.standby[client])) / self.capacity[client]

    def role(self, held: Sequence[set[int]]) -> str:
        """Return the name of a role. `held`: this object's `active` or `standby`."""
        return ACTIVE if held is self.active else STANDBY

    def tell(self, task: int, kind: type[TaskDecision], client: int, **about: Any):
        """Add a step to the trace of a task, if the task is traced.

        The step has process numbers instead of client numbers, also in `giver` and `meant`.
        """
        trace = asked()
        if trace is not None and trace.watches(task):
            about |= {
                name: int(self.processes[about[name]])
                for name in ("giver", "meant")
                if name in about
            }
            trace.add(task, kind(int(self.processes[client]), **about))

    def active_load(self, client: int) -> float:
        """Return the number of active tasks per thread."""
        return len(self.active[client]) / self.capacity[client]


def outcome(
    application: ApplicationSnapshot,
    clients: Clients,
    processes: Sequence[int],
    warmup: Iterable[tuple[int, int]],
    *,
    is_probing_rebalance_needed: bool,
    tree_bin: bool,
) -> TaskAssignment:
    """Return the assignment, with process numbers in place of client numbers.

    `processes`: number of each client's process.
    """
    active, standby = (
        _by_process(clients.active, processes),
        _by_process(clients.standby, processes),
    )
    threads = on_threads(application, active, standby, _by_process(clients.maps, processes))
    return TaskAssignment(
        active=application.member_process[threads.active],
        standby=threads.standby,
        warmup=_pairs((processes[client], task) for client, task in warmup),
        active_member=threads.active,
        standby_member=threads.standby_member,
        withheld=withheld(application, threads.active),
        is_probing_rebalance_needed=is_probing_rebalance_needed,
        assumed=_assumed(
            application,
            tree_bin or threads.tree_bin or any(tasks.tree_bin for tasks in clients.maps),
        ),
    )


def _by_process(held: Sequence[Any], processes: Sequence[int]) -> list[Any]:
    by_process = list(held)
    for client, tasks in enumerate(held):
        by_process[processes[client]] = tasks
    return by_process


def _pairs(pairs: Iterable[tuple[int, int]]) -> np.ndarray:
    return np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)


def _assumed(application: ApplicationSnapshot, tree_bin: bool) -> tuple[Assumption, ...]:
    unknown = np.flatnonzero(application.is_stateful & (application.end_offset_sum == UNKNOWN))
    assumed = (Assumption("end_offset_sum", unknown),) if unknown.size else ()
    # The order of this map matters only if several consumers of a process report or own the same
    # task. This is not checked, because such collisions are rare.
    return (
        (*assumed, HASH_COLLISIONS) if tree_bin or application.member_map_order.assumed else assumed
    )


def withheld(application: ApplicationSnapshot, active_member: np.ndarray) -> np.ndarray:
    """Return the tasks that members get only later, as rows (member, task), int32 (R, 2),
    ascending.

    If another consumer still owns a task, the new owner gets the task after the other consumer has
    given it up. This is the revocation step of `StreamsPartitionAssignor` under the cooperative
    protocol, for whole tasks.

    `active_member`: new owner of each task, int32 (K,). If several consumers of a process claim a
    task, the last of these consumers in the iteration order of Java's map counts as the present
    owner.
    """
    rows = np.argsort(application.member_map_order.places[application.owned_member], kind="stable")
    member, task = application.owned_member[rows], application.owned_task[rows]
    last_owner = np.full(
        (application.process_count, application.task_count), UNASSIGNED, dtype=np.int32
    )
    last_owner[application.member_process[member], task] = member
    claimed = np.unique(task)
    runs_on = active_member[claimed]
    must_wait = last_owner[application.member_process[runs_on], claimed] != runs_on
    member, task = runs_on[must_wait], claimed[must_wait]
    return np.column_stack((member, task))[np.lexsort((task, member))].astype(np.int32)
