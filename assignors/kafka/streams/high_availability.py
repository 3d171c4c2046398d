"""High availability: even load, on clients that have caught up, while others warm up.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.HighAvailabilityTaskAssignor`.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from heapq import heapify, heapreplace
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import UNREAD_ENDS, AssignorError, TaskAssignment
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.kafka.streams.assignor import StreamsTaskAssignor
from evenkeel.assignors.kafka.streams.clients import Clients, outcome
from evenkeel.assignors.kafka.streams.legacy_sticky import FallbackPriorTaskAssignor
from evenkeel.assignors.kafka.streams.racks import STATELESS_COSTS, RackOptimiser
from evenkeel.assignors.kafka.streams.standbys import Standbys, TaggedStandbys, has_tags_of, keeps_tags
from evenkeel.assignors.kafka.streams.task_movements import Movements, Ranking
from evenkeel.assignors.kafka.streams.task_steps import Dealt, Evened, Lightest


@dataclass(frozen=True)
class HighAvailabilityTaskAssignor(StreamsTaskAssignor):
    """KIP-441, Kafka's default: stateful tasks are dealt out anew, then wait on the clients that have their state."""

    name: ClassVar[str] = "high-availability"
    java_class: ClassVar[str] = "org.apache.kafka.streams.processor.internals.assignment.HighAvailabilityTaskAssignor"
    quirks: ClassVar[tuple[str, ...]] = ("Q-13", "Q-14", "Q-15", "Q-16", "Q-17", "Q-18", "Q-20")
    own_costs: ClassVar[tuple[int, int]] = (10, 1)

    def _assigned(self, application: ApplicationSnapshot) -> TaskAssignment:
        if application.has_unread_ends and application.process_count:
            answer = FallbackPriorTaskAssignor(**asdict(self)).assign(application)
            return replace(answer, assumed=(*answer.assumed, UNREAD_ENDS))
        order = application.processes_by_id
        clients = Clients(application.capacity[order].tolist(), order.tolist())
        stateful, stateless = np.flatnonzero(application.is_stateful), np.flatnonzero(~application.is_stateful)
        if not len(clients) and application.task_count:
            raise AssignorError("NoSuchElementException" if stateful.size else "NullPointerException", f"{self.name}: no process")
        hashes = application.process_hash[order].tolist()
        optimiser = self._optimiser(application, clients, order, range(len(clients)))
        self._deal(clients, stateful.tolist(), optimiser)
        tree_bin = self._add_standbys(application, clients, stateful, optimiser)
        ranking = Ranking(application.lag[order], application.is_caught_up(self.acceptable_recovery_lag)[order])
        movements = Movements(clients, ranking, self.max_warmup_replicas, hashes)
        movements.move_active_tasks()
        movements.move_standbys()
        self._add_stateless(clients, stateless.tolist(), optimiser)
        return outcome(
            application,
            clients,
            order.tolist(),
            movements.warmup,
            is_probing_rebalance_needed=movements.count > 0,
            tree_bin=tree_bin or movements.tree_bin,
        )

    def _deal(self, clients: Clients, tasks: list[int], optimiser: RackOptimiser | None):
        """Deal stateful tasks in turn, whoever had them before, and balance."""
        for place, task in enumerate(tasks):
            clients.active[place % len(clients)].add(task)
            clients.tell(task, Dealt, place % len(clients), number=place, ring=len(clients))
        balance(clients, clients.active)
        if optimiser:
            optimiser.improve_active(tasks, self.costs)

    def _add_standbys(
        self, application: ApplicationSnapshot, clients: Clients, stateful: np.ndarray, optimiser: RackOptimiser | None
    ) -> bool:
        """Place copies and balance them; return whether the order of a Java map may differ."""
        if not self.num_standby_replicas:
            return False
        standbys, tree_bin = Standbys(clients), False
        may_move, may_exchange = _always, _always
        if self.rack_aware_assignment_tags:
            tags = application.tag_value[application.processes_by_id]
            tagged = TaggedStandbys(standbys, tags[:, np.isin(application.tag_key, self.rack_aware_assignment_tags)])
            tagged.assign(stateful.tolist(), self.num_standby_replicas, application.task_hash[stateful])
            may_move, may_exchange, tree_bin = partial(has_tags_of, tags), partial(keeps_tags, tags, clients), tagged.tree_bin
        elif self.num_standby_replicas == 1:
            standbys.place_one_each(stateful.tolist())
        else:
            for task in stateful.tolist():
                standbys.place(task, self.num_standby_replicas)
        balance(clients, clients.standby, may_move)
        if optimiser:
            optimiser.improve_standbys(self.costs, may_exchange)
        return tree_bin

    def _add_stateless(self, clients: Clients, tasks: list[int], optimiser: RackOptimiser | None):
        """Give each stateless task to the client with fewest active tasks by thread."""
        # Only the head changes, so any heap gives the least (load, client), as Kafka's own does.
        heap = [(clients.active_load(client), client) for client in range(len(clients))]
        heapify(heap)
        for task in tasks:
            client = heap[0][1]
            clients.tell(task, Lightest, client, load=(len(clients.active[client]), clients.capacity[client]))
            clients.active[client].add(task)
            heapreplace(heap, (clients.active_load(client), client))
        if optimiser:
            optimiser.improve_active(tasks, STATELESS_COSTS)


def _always(*_clients_and_task: int) -> bool:
    return True


# Tasks move from clients with more tasks by thread to clients with fewer, as `balanceTasksOverThreads` does it


def balance(clients: Clients, held: list[set[int]], is_allowed: Callable[[int, int], bool] = lambda _source, _destination: True):
    """Move tasks of one role, in place, until no move makes the loads more even.

    Parameters
    ----------
    clients : Clients
    held : list of set
        The role: `clients.active` or `clients.standby`.
    is_allowed : function of two clients
        Whether tasks of the first may move to the second.
    """
    if not len(clients):
        return
    balancing, has_moved = _Balancing(clients, held), True
    while has_moved:
        has_moved = False
        for source in range(len(clients)):
            for destination in balancing.destinations(source):
                has_moved |= is_allowed(source, destination) and balancing.move(source, destination)


class _Balancing:
    """Loads as columns: most pairs of clients have nothing to move, and Kafka looks at every pair in every round."""

    def __init__(self, clients: Clients, held: list[set[int]]):
        self._clients, self._held = clients, held
        self._capacity = np.array(clients.capacity, dtype=np.float64)
        self._count = np.array([clients.task_count(client) for client in range(len(clients))], dtype=np.float64)
        self._note()

    def destinations(self, source: int):
        """Yield the clients, ascending, that should get tasks; loads are those of the moment at which each is reached."""
        start = 0
        # x - y >= 0 exactly where x >= y, so the least of all tells whether any client could.
        while (self._count[source] - 1) / self._capacity[source] >= self._least:
            found = np.flatnonzero(self._should_move(source, slice(start, None)))
            if not found.size:
                return
            yield start + int(found[0])
            start += int(found[0]) + 1

    def move(self, source: int, destination: int) -> bool:
        """Move tasks while that helps; return whether one moved."""
        has_moved = False
        for task in sorted(self._held[source]):
            if not self._should_move(source, destination):
                break
            if not self._clients.has(destination, task):
                self._tell(task, source, destination)
                self._held[source].remove(task)
                self._held[destination].add(task)
                self._count[source] -= 1
                self._count[destination] += 1
                has_moved = True
        self._note()
        return has_moved

    def _tell(self, task: int, source: int, destination: int):
        loads = [(int(self._count[client]), int(self._capacity[client])) for client in (source, destination)]
        self._clients.tell(task, Evened, destination, role=self._clients.role(self._held), giver=source, had=loads[0], has=loads[1])

    def _note(self):
        self._least = ((self._count + 1) / self._capacity).min()

    def _should_move(self, source: int, destinations: int | slice) -> np.ndarray:
        """Return whether one task less here and one more there leaves the loads more even and does not turn them round."""
        count, capacity = self._count[destinations], self._capacity[destinations]
        skew = self._count[source] / self._capacity[source] - count / capacity
        # Two divisions and a subtraction, as Kafka rounds them.
        after = (self._count[source] - 1) / self._capacity[source] - (count + 1) / capacity
        return (skew > 0) & (after >= 0) & (after < skew)
