"""Legacy sticky: tasks stay where they were as far as that is even.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.LegacyStickyTaskAssignor`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assignors.assignment import TaskAssignment
from assignors.errors import AssignorError
from assignors.group.application import ApplicationSnapshot
from assignors.java import capacity, hash_map
from assignors.kafka.streams.assignor import StreamsTaskAssignor
from assignors.kafka.streams.clients import Clients
from assignors.kafka.streams.outcome import outcome
from assignors.kafka.streams.racks.rack_optimiser import STATELESS_COSTS, RackOptimiser
from assignors.kafka.streams.stickiness.previous import Previous, previous_tasks
from assignors.kafka.streams.stickiness.sticky_search import StickySearch


@dataclass(frozen=True)
class LegacyStickyTaskAssignor(StreamsTaskAssignor):
    """Chosen by Kafka's internal setting only. It ignores lag and never asks for a probing rebalance."""

    name: ClassVar[str] = "legacy-sticky"
    java_class: ClassVar[str] = "org.apache.kafka.streams.processor.internals.assignment.LegacyStickyTaskAssignor"
    quirks: ClassVar[tuple[str, ...]] = ("Q-13", "Q-18")
    own_costs: ClassVar[tuple[int, int]] = (1, 10)
    without_processes: ClassVar[str] = "IllegalStateException"
    must_preserve: ClassVar[bool] = False
    """Active tasks stay where they are even where that is uneven."""
    counts_capacity: ClassVar[bool] = True

    def _assigned(self, application: ApplicationSnapshot) -> TaskAssignment:
        if not application.process_count:
            raise AssignorError(self.without_processes, f"{self.name}: no process")
        clients, previous = Clients(application.capacity.tolist()), previous_tasks(application)
        search = StickySearch(clients, previous, application.process_hash, self.jdk, counts_capacity=self.counts_capacity)
        optimiser = None if self.must_preserve else self._rack_optimiser(application, clients)
        tree_bin = self._add_active(application, clients, previous, search)
        if optimiser:
            optimiser.improve_active(np.flatnonzero(application.is_stateful).tolist(), self.costs)
            optimiser.improve_active(np.flatnonzero(~application.is_stateful).tolist(), STATELESS_COSTS)
            search.note_exchange()
        tree_bin |= self._add_standbys(application, clients, search)
        if optimiser and self.num_standby_replicas > 0:
            optimiser.improve_standbys(self.costs, lambda _source, _destination, _task: True)
        return outcome(
            application,
            clients,
            range(len(clients)),
            warmup=(),
            is_probing_rebalance_needed=self.must_preserve,
            tree_bin=tree_bin or search.tree_bin or previous.tree_bin or application.process_map_order.tree_bin,
        )

    def _rack_optimiser(self, application: ApplicationSnapshot, clients: Clients) -> RackOptimiser | None:
        return self._optimiser(application, clients, np.arange(len(clients)), application.processes_by_id.tolist())

    def _standby_order(self, application: ApplicationSnapshot, stateful: np.ndarray) -> tuple[list[int], bool]:
        """Return the stateful tasks as a HashSet of their ids iterates, and whether a bucket was too full to tell."""
        walked = hash_map.put_order(application.task_hash[stateful])
        return stateful[walked.rows].tolist(), walked.tree_bin

    def _add_active(self, application: ApplicationSnapshot, clients: Clients, previous: Previous, search: StickySearch) -> bool:
        """Give tasks to those that ran them, to those that keep their state, then to any; return whether an order may differ."""
        by_thread = application.task_count // sum(clients.capacity)

        def has_room(client: int) -> bool:
            return len(clients.active[client]) < clients.capacity[client] * by_thread

        left = _in_set_order(application, self.jdk)
        unassigned = dict.fromkeys(left.rows.tolist())
        for task, client in previous.active.items():
            if self.must_preserve or has_room(client):
                search.place(task, client, clients.active)
                del unassigned[task]
        for task in list(unassigned):
            client = next(filter(has_room, previous.standby.get(task, ())), None)
            if client is not None:
                search.place(task, client, clients.active)
                del unassigned[task]
        processes = application.process_map_order.rows
        for task in sorted(unassigned):
            search.place(task, search.find(task, processes), clients.active)
        return left.tree_bin

    def _add_standbys(self, application: ApplicationSnapshot, clients: Clients, search: StickySearch) -> bool:
        stateful = np.flatnonzero(application.is_stateful)
        in_order, tree_bin = self._standby_order(application, stateful)
        runs_on = {task: client for client, tasks in enumerate(clients.active) for task in tasks}
        walked = application.process_map_order.rows
        for task in in_order:
            is_free = walked != runs_on[task]
            for _ in range(self.num_standby_replicas):
                free = walked[is_free]
                if not free.size:
                    break
                order = hash_map.put_order(application.process_hash[free])
                tree_bin |= order.tree_bin
                client = search.find(task, free[order.rows])
                search.place(task, client, clients.standby)
                is_free &= walked != client
        return tree_bin


def _in_set_order(application: ApplicationSnapshot, jdk: int) -> hash_map.IterationOrder:
    """Return all tasks as a HashSet iterates that is a copy of the keys of a HashMap."""
    walked = hash_map.put_order(application.task_hash)
    copied = hash_map.put_order(application.task_hash[walked.rows], capacity.of_set(application.task_count, jdk))
    return hash_map.IterationOrder(walked.rows[copied.rows], walked.tree_bin or copied.tree_bin)
