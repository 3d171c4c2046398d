"""Legacy sticky: tasks stay on their clients as long as task counts are even. Fallback: all tasks
stay on their clients until the leader can read end offsets again.

Reproduces `LegacyStickyTaskAssignor` and `FallbackPriorTaskAssignor` of
`org.apache.kafka.streams.processor.internals.assignment`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from evenkeel.assignors.assignment import LIST_ORDER, AssignorError, TaskAssignment
from evenkeel.assignors.group.application import NOT_REPORTED, RUNNING, ApplicationSnapshot
from evenkeel.assignors.java.collections import put_order
from evenkeel.assignors.java.hashing import set_capacity
from evenkeel.assignors.kafka.streams.assignor import StreamsTaskAssignor
from evenkeel.assignors.kafka.streams.clients import Clients, outcome
from evenkeel.assignors.kafka.streams.leader_maps import LeaderMaps, leader_maps
from evenkeel.assignors.kafka.streams.racks import STATELESS_COSTS, RackOptimiser
from evenkeel.assignors.kafka.streams.task_steps import HasState, Ran, Rule, SearchHit, TaskDecision


@dataclass(frozen=True)
class LegacyStickyTaskAssignor(StreamsTaskAssignor):
    """The legacy sticky assignor, which only an internal setting of Kafka selects.

    It ignores lag and never requests a probing rebalance.
    """

    name: ClassVar[str] = "legacy-sticky"
    java_class: ClassVar[str] = (
        "org.apache.kafka.streams.processor.internals.assignment.LegacyStickyTaskAssignor"
    )
    quirks: ClassVar[tuple[str, ...]] = ("Q-13", "Q-18")
    own_costs: ClassVar[tuple[int, int]] = (1, 10)
    without_processes: ClassVar[str] = "IllegalStateException"
    must_preserve: ClassVar[bool] = False
    """Whether active tasks stay on their clients even if task counts are uneven."""
    counts_capacity: ClassVar[bool] = True

    def _assigned(self, application: ApplicationSnapshot) -> TaskAssignment:
        if not application.process_count:
            raise AssignorError(self.without_processes, f"{self.name}: no process")
        clients, previous, maps = (
            self._clients(application),
            previous_tasks(application),
            self._maps(application),
        )
        search = StickySearch(
            clients,
            previous,
            application.process_hash,
            self.jdk,
            counts_capacity=self.counts_capacity,
        )
        optimiser = None if self.must_preserve else self._rack_optimiser(application, clients)
        tree_bin = maps.tree_bin | self._add_active(application, clients, previous, search, maps)
        if optimiser:
            optimiser.improve_active(np.flatnonzero(application.is_stateful).tolist(), self.costs)
            optimiser.improve_active(
                np.flatnonzero(~application.is_stateful).tolist(), STATELESS_COSTS
            )
            search.note_exchange()
        tree_bin |= self._add_standbys(application, clients, search, self._standby_order(maps))
        if optimiser and self.num_standby_replicas > 0:
            optimiser.improve_standbys(self.costs, lambda _source, _destination, _task: True)
        answer = outcome(
            application,
            clients,
            range(len(clients)),
            warmup=(),
            is_probing_rebalance_needed=self.must_preserve,
            tree_bin=tree_bin
            or search.tree_bin
            or previous.tree_bin
            or application.process_map_order.tree_bin,
        )
        return (
            replace(answer, assumed=(*answer.assumed, LIST_ORDER))
            if application.is_process_order_unknown
            else answer
        )

    def _rack_optimiser(
        self, application: ApplicationSnapshot, clients: Clients
    ) -> RackOptimiser | None:
        return self._optimiser(
            application, clients, np.arange(len(clients)), application.processes_by_id.tolist()
        )

    def _clients(self, application: ApplicationSnapshot) -> Clients:
        return Clients(application.capacity.tolist())

    def _maps(self, application: ApplicationSnapshot) -> LeaderMaps:
        return leader_maps(application, self.jdk)

    def _standby_order(self, maps: LeaderMaps) -> list[int]:
        """Return the stateful tasks in the order in which their standbys are placed."""
        return maps.stateful.tolist()

    def _add_active(
        self,
        application: ApplicationSnapshot,
        clients: Clients,
        previous: "Previous",
        search: "StickySearch",
        maps: LeaderMaps,
    ) -> bool:
        """Assign each task to the client that ran it, else to a client with its state, else to any
        client.

        A client with the state must have room for the task. So must the client that ran it, unless
        `must_preserve`. Return whether Java's real order of a set may differ.
        """
        by_thread = application.task_count // sum(clients.capacity)

        def has_room(client: int) -> bool:
            return len(clients.active[client]) < room(client)

        def room(client: int) -> int:
            return clients.capacity[client] * by_thread

        left = maps.copied(application, self.jdk)
        unassigned = dict.fromkeys(left.rows.tolist())
        for task, client in previous.active.items():
            if self.must_preserve or has_room(client):
                most = None if self.must_preserve else room(client)
                search.place(
                    task, client, clients.active, Ran, count=len(clients.active[client]), room=most
                )
                del unassigned[task]
        for task in list(unassigned):
            standby = next(filter(has_room, previous.standby.get(task, ())), None)
            if standby is not None:
                search.place(
                    task,
                    standby,
                    clients.active,
                    HasState,
                    count=len(clients.active[standby]),
                    room=room(standby),
                )
                del unassigned[task]
        processes = application.process_map_order.rows
        for task in sorted(unassigned):
            search.place_found(task, search.find(task, processes), clients.active)
        return left.tree_bin

    def _add_standbys(
        self,
        application: ApplicationSnapshot,
        clients: Clients,
        search: "StickySearch",
        in_order: list[int],
    ) -> bool:
        tree_bin = False
        runs_on = {task: client for client, tasks in enumerate(clients.active) for task in tasks}
        walked = application.process_map_order.rows
        for task in in_order:
            is_free = walked != runs_on[task]
            for _ in range(self.num_standby_replicas):
                free = walked[is_free]
                if not free.size:
                    break
                order = put_order(application.process_hash[free])
                tree_bin |= order.tree_bin
                client = search.find(task, free[order.rows])
                search.place_found(task, client, clients.standby)
                is_free &= walked != client
        return tree_bin


@dataclass(frozen=True)
class FallbackPriorTaskAssignor(LegacyStickyTaskAssignor):
    """Kafka's assignor for a rebalance in which the leader cannot read end offsets.

    It always requests a probing rebalance.
    """

    name: ClassVar[str] = "fallback-prior"
    java_class: ClassVar[str] = (
        "org.apache.kafka.streams.processor.internals.assignment.FallbackPriorTaskAssignor"
    )
    quirks: ClassVar[tuple[str, ...]] = ("Q-13",)
    must_preserve: ClassVar[bool] = True


class Previous(NamedTuple):
    """Where tasks ran and where their state is. Both mappings are in the order of Java's maps.

    `active`: process that ran each task. `standby`: processes with a copy of each task's state.
    `tree_bin`: as in IterationOrder.
    """

    active: dict[int, int]
    standby: dict[int, list[int]]
    tree_bin: bool


def previous_tasks(application: ApplicationSnapshot) -> "Previous":
    """Return where tasks ran and where their state is.

    If several processes ran a task, the last of them in the iteration order of Java's map counts.
    """
    is_active = application.offset_sum == RUNNING
    is_active[application.member_process[application.owned_member], application.owned_task] = True
    is_standby = (application.offset_sum != NOT_REPORTED) & ~is_active
    processes = application.process_map_order.rows.tolist()
    ran: dict[int, int] = {}
    for process in processes:
        # If a key's value is replaced, its position in the map does not change, in Java and Python.
        ran.update((task, process) for task in np.flatnonzero(is_active[process]).tolist())
    tasks = list(ran)
    walked = put_order(application.task_hash[tasks])
    standby, tree_bin = {}, walked.tree_bin
    for task in np.flatnonzero(is_standby.any(axis=0)).tolist():
        keepers = [process for process in processes if is_standby[process, task]]
        order = put_order(application.process_hash[keepers])
        standby[task] = [keepers[row] for row in order.rows.tolist()]
        tree_bin |= order.tree_bin
    return Previous(
        {tasks[row]: ran[tasks[row]] for row in walked.rows.tolist()}, standby, tree_bin
    )


class StickySearch:
    """Finds the next client of a task. Clients that had the task are preferred, unless overloaded.

    Reproduces the search of `LegacyStickyTaskAssignor` and of the public `StickyTaskAssignor`.

    Parameters
    ----------
    counts_capacity : bool
        Whether the client with more threads has more room if two loads are equal. False for the
        public class, which has no such rule.

    Attributes
    ----------
    tree_bin : bool
        Whether Kafka's real result may differ, because too many keys share a hash bucket.
    """

    def __init__(
        self,
        clients: Clients,
        previous: "Previous",
        hashes: np.ndarray,
        jdk: int,
        *,
        counts_capacity: bool,
    ):
        self.tree_bin, self._rule = False, Rule.ONLY
        self._clients, self._previous, self._hashes, self._jdk = clients, previous, hashes, jdk
        self._pairs = TaskPairs(len(clients))
        self._count = np.zeros(len(clients), dtype=np.int64)
        self._capacity = np.array(clients.capacity, dtype=np.int64)
        self._tie = -self._capacity if counts_capacity else np.zeros(len(clients), dtype=np.int64)
        self._load = np.zeros(len(clients))

    def place_found(self, task: int, client: int, held: list[set[int]]):
        """Assign the task to the client that the last call of `find` returned."""
        load = (int(self._count[client]), int(self._capacity[client]))
        self.place(task, client, held, SearchHit, rule=self._rule, load=load)

    def place(
        self, task: int, client: int, held: list[set[int]], kind: type[TaskDecision], **why: Any
    ):
        """Assign the task to the client. `held`: tasks of each client in the role. `kind`: class of
        the step in the trace.
        """
        self._clients.tell(task, kind, client, role=self._clients.role(held), **why)
        self._pairs.place(task, client)
        held[client].add(task)
        self._count[client] += 1
        self._load[client] = self._count[client] / self._capacity[client]

    def note_exchange(self):
        """Record that clients exchanged active tasks. Their task counts did not change."""
        self._pairs.exchange(self._clients.active)

    def find(self, task: int, candidates: np.ndarray) -> int:
        """Return the client for a task.

        `candidates`: int64, not empty, in the order of the Java collection.
        """
        if candidates.size == 1:
            self._rule = Rule.ONLY
            return int(candidates[0])
        is_candidate = np.zeros(len(self._clients), dtype=bool)
        is_candidate[candidates] = True
        had = self._previous.active.get(task)
        rule = Rule.RAN if had is not None and is_candidate[had] else Rule.KEEPS
        had = had if rule == Rule.RAN else self._lightest_keeper(task, is_candidate)
        if had is not None and self._is_overloaded(had):
            had, rule = self._lightest_keeper(task, is_candidate), Rule.KEEPS
        if had is None or self._is_overloaded(had):
            return self._lightest(task, candidates)
        self._rule = rule
        return had

    def _lightest_keeper(self, task: int, is_candidate: np.ndarray) -> int | None:
        """Return the least loaded candidate that has a copy of the task's state."""
        keepers: Sequence[int] = self._previous.standby.get(task, [])
        if not keepers:
            return None
        # Kafka copies the set before it removes clients.
        copied = put_order(self._hashes[keepers], set_capacity(len(keepers), self._jdk))
        self.tree_bin |= copied.tree_bin
        rows = np.array(keepers, dtype=np.int64)[copied.rows]
        rows = rows[is_candidate[rows]]
        return self._lightest(task, rows) if rows.size else None

    def _lightest(self, task: int, candidates: np.ndarray) -> int:
        """Return the first client without tasks.

        If every client has tasks, return the client with the most room. Clients on which the task
        forms a new pair (`TaskPairs`) are preferred.
        """
        empty = self._count[candidates] == 0
        if empty.any():
            self._rule = Rule.EMPTY
            return int(candidates[empty.argmax()])
        met = self._pairs.met(task)
        by_room = candidates[np.lexsort((self._tie[candidates], self._load[candidates]))]
        lightest = next(
            (client for client in by_room.tolist() if self._pairs.has_new(met, client)), None
        )
        self._rule = Rule.ROOM if lightest is None else Rule.NEW_PAIR
        return int(by_room[0]) if lightest is None else lightest

    def _is_overloaded(self, client: int) -> bool:
        if self._count[client] < self._capacity[client]:
            return False
        load, tie = self._load[client], self._tie[client]
        return bool(((self._load < load) | ((self._load == load) & (self._tie < tie))).any())


class TaskPairs:
    """Pairs of tasks that have been on the same client.

    `exchange` may be called once, `place` any number of times before and after it.

    Kafka stores all pairs, millions if a client has thousands of tasks. This class stores, for each
    client, the tasks that it has had, as bits of one integer. Every two of these tasks are a pair.
    """

    def __init__(self, client_count: int):
        self._held = [0] * client_count
        self._placed = [0] * client_count
        self._before: list[int] = []
        self._clients: dict[int, list[int]] = {}

    def place(self, task: int, client: int):
        """Record that a client got a task."""
        self._held[client] |= 1 << task
        self._placed[client] |= 1 << task
        self._clients.setdefault(task, []).append(client)

    def exchange(self, held: Sequence[set[int]]):
        """Record the clients of all tasks after an exchange. Kafka records no new pairs for an
        exchange.
        """
        self._before = self._held
        self._held = [sum(1 << task for task in tasks) for tasks in held]
        self._placed = [0] * len(held)
        self._clients = {}
        for client, tasks in enumerate(held):
            for task in tasks:
                self._clients.setdefault(task, []).append(client)

    def met(self, task: int) -> int:
        """Return the tasks that form a pair with this task, as bits.

        The bits may include the task itself.
        """
        bit, met = 1 << task, 0
        for held in self._before:
            met |= held if held & bit else 0
        for client in self._clients.get(task, ()):
            met |= self._held[client] if self._placed[client] & bit else self._placed[client]
        return met

    def has_new(self, met: int, client: int) -> bool:
        """Return whether the client has a task that is not among the bits `met`."""
        return bool(self._held[client] & ~met)
