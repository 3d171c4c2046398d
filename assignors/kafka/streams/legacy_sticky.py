"""Legacy sticky: tasks stay where they were as far as that is even.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.LegacyStickyTaskAssignor`.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import LIST_ORDER, AssignorError, TaskAssignment
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.java.collections import put_order
from evenkeel.assignors.kafka.streams.assignor import StreamsTaskAssignor
from evenkeel.assignors.kafka.streams.clients import Clients
from evenkeel.assignors.kafka.streams.leader_maps import LeaderMaps, leader_maps
from evenkeel.assignors.kafka.streams.outcome import outcome
from evenkeel.assignors.kafka.streams.racks.rack_optimiser import STATELESS_COSTS, RackOptimiser
from evenkeel.assignors.kafka.streams.stickiness.previous import Previous, previous_tasks
from evenkeel.assignors.kafka.streams.stickiness.sticky_search import StickySearch


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
        clients, previous, maps = self._clients(application), previous_tasks(application), self._maps(application)
        search = StickySearch(clients, previous, application.process_hash, self.jdk, counts_capacity=self.counts_capacity)
        optimiser = None if self.must_preserve else self._rack_optimiser(application, clients)
        tree_bin = maps.tree_bin | self._add_active(application, clients, previous, search, maps)
        if optimiser:
            optimiser.improve_active(np.flatnonzero(application.is_stateful).tolist(), self.costs)
            optimiser.improve_active(np.flatnonzero(~application.is_stateful).tolist(), STATELESS_COSTS)
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
            tree_bin=tree_bin or search.tree_bin or previous.tree_bin or application.process_map_order.tree_bin,
        )
        return replace(answer, assumed=(*answer.assumed, LIST_ORDER)) if application.is_process_order_unknown else answer

    def _rack_optimiser(self, application: ApplicationSnapshot, clients: Clients) -> RackOptimiser | None:
        return self._optimiser(application, clients, np.arange(len(clients)), application.processes_by_id.tolist())

    def _clients(self, application: ApplicationSnapshot) -> Clients:
        return Clients(application.capacity.tolist())

    def _maps(self, application: ApplicationSnapshot) -> LeaderMaps:
        return leader_maps(application, self.jdk)

    def _standby_order(self, maps: LeaderMaps) -> list[int]:
        """Return the stateful tasks in the order in which they get their standbys."""
        return maps.stateful.tolist()

    def _add_active(
        self, application: ApplicationSnapshot, clients: Clients, previous: Previous, search: StickySearch, maps: LeaderMaps
    ) -> bool:
        """Give tasks to those that ran them, to those that keep their state, then to any; return whether an order may differ."""
        by_thread = application.task_count // sum(clients.capacity)

        def has_room(client: int) -> bool:
            return len(clients.active[client]) < clients.capacity[client] * by_thread

        left = maps.copied(application, self.jdk)
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

    def _add_standbys(self, application: ApplicationSnapshot, clients: Clients, search: StickySearch, in_order: list[int]) -> bool:
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
                search.place(task, client, clients.standby)
                is_free &= walked != client
        return tree_bin

