"""High availability: caught-up clients run the tasks. Other clients warm up until the load is even.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.HighAvailabilityTaskAssignor`.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from heapq import heapify, heappop, heappush, heapreplace
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import UNREAD_ENDS, AssignorError, TaskAssignment
from evenkeel.assignors.group.application import NO_TAG, ApplicationSnapshot
from evenkeel.assignors.java.collections import put_order
from evenkeel.assignors.kafka.streams.assignor import StreamsTaskAssignor
from evenkeel.assignors.kafka.streams.clients import Clients, outcome
from evenkeel.assignors.kafka.streams.legacy_sticky import FallbackPriorTaskAssignor
from evenkeel.assignors.kafka.streams.racks import STATELESS_COSTS, RackOptimiser
from evenkeel.assignors.kafka.streams.task_movements import Movements, Ranking
from evenkeel.assignors.kafka.streams.task_steps import STANDBY, Dealt, Lightest, LoadShift


@dataclass(frozen=True)
class HighAvailabilityTaskAssignor(StreamsTaskAssignor):
    """Kafka's default task assignor, KIP-441. It deals all stateful tasks again in each rebalance.

    A task runs on a client with its state until the new client has caught up.
    """

    name: ClassVar[str] = "high-availability"
    java_class: ClassVar[str] = (
        "org.apache.kafka.streams.processor.internals.assignment.HighAvailabilityTaskAssignor"
    )
    quirks: ClassVar[tuple[str, ...]] = ("Q-13", "Q-14", "Q-15", "Q-16", "Q-17", "Q-18", "Q-20")
    own_costs: ClassVar[tuple[int, int]] = (10, 1)

    def _assigned(self, application: ApplicationSnapshot) -> TaskAssignment:
        if application.has_unread_ends and application.process_count:
            answer = FallbackPriorTaskAssignor(**asdict(self)).assign(application)
            return replace(answer, assumed=(*answer.assumed, UNREAD_ENDS))
        order = application.processes_by_id
        clients = Clients(application.capacity[order].tolist(), order.tolist())
        stateful, stateless = (
            np.flatnonzero(application.is_stateful),
            np.flatnonzero(~application.is_stateful),
        )
        if not len(clients) and application.task_count:
            raise AssignorError(
                "NoSuchElementException" if stateful.size else "NullPointerException",
                f"{self.name}: no process",
            )
        hashes = application.process_hash[order].tolist()
        optimiser = self._optimiser(application, clients, order, range(len(clients)))
        self._deal(clients, stateful.tolist(), optimiser)
        tree_bin = self._add_standbys(application, clients, stateful, optimiser)
        ranking = Ranking(
            application.lag[order], application.is_caught_up(self.acceptable_recovery_lag)[order]
        )
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
        for place, task in enumerate(tasks):
            clients.active[place % len(clients)].add(task)
            clients.tell(task, Dealt, place % len(clients), number=place, ring=len(clients))
        balance(clients, clients.active)
        if optimiser:
            optimiser.improve_active(tasks, self.costs)

    def _add_standbys(
        self,
        application: ApplicationSnapshot,
        clients: Clients,
        stateful: np.ndarray,
        optimiser: RackOptimiser | None,
    ) -> bool:
        """Place and balance the standbys. Return whether Java's real order of a map may differ."""
        if not self.num_standby_replicas:
            return False
        standbys, tree_bin = Standbys(clients), False
        may_move, may_exchange = _always, _always
        if self.rack_aware_assignment_tags:
            tags = application.tag_value[application.processes_by_id]
            tagged = TaggedStandbys(
                standbys, tags[:, np.isin(application.tag_key, self.rack_aware_assignment_tags)]
            )
            tagged.assign(
                stateful.tolist(), self.num_standby_replicas, application.task_hash[stateful]
            )
            may_move, may_exchange, tree_bin = (
                partial(has_tags_of, tags),
                partial(keeps_tags, tags, clients),
                tagged.tree_bin,
            )
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
        # Only the head changes, so any heap has the least (load, client) first, like Kafka's.
        heap = [(clients.active_load(client), client) for client in range(len(clients))]
        heapify(heap)
        for task in tasks:
            client = heap[0][1]
            clients.tell(
                task, Lightest, client, load=(len(clients.active[client]), clients.capacity[client])
            )
            clients.active[client].add(task)
            heapreplace(heap, (clients.active_load(client), client))
        if optimiser:
            optimiser.improve_active(tasks, STATELESS_COSTS)


def _always(*_clients_and_task: int) -> bool:
    return True


# Tasks move from clients with more tasks per thread to clients with fewer, as in
# `balanceTasksOverThreads`


def balance(
    clients: Clients,
    held: list[set[int]],
    is_allowed: Callable[[int, int], bool] = lambda _source, _destination: True,
):
    """Move tasks of one role between clients, in place, until no move improves the balance.

    Parameters
    ----------
    clients : Clients
    held : list of set
        The tasks of the role: `clients.active` or `clients.standby`.
    is_allowed : function
        Returns whether tasks may move from a source client to a destination client.
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
    """Balancing with arrays of task counts, because Kafka checks all pairs of clients."""

    def __init__(self, clients: Clients, held: list[set[int]]):
        self._clients, self._held = clients, held
        self._capacity = np.array(clients.capacity, dtype=np.float64)
        self._count = np.array(
            [clients.task_count(client) for client in range(len(clients))], dtype=np.float64
        )
        self._note()

    def destinations(self, source: int):
        """Yield the clients that should get tasks, ascending. Task counts may change meanwhile."""
        start = 0
        # A move needs x - y >= 0, with x and y the loads of source and destination after the move.
        # In floats, this is so exactly if x >= y. So the least y decides whether any client fits.
        while (self._count[source] - 1) / self._capacity[source] >= self._least:
            clients = np.flatnonzero(self._should_move(source, slice(start, None)))
            if not clients.size:
                return
            yield start + int(clients[0])
            start += int(clients[0]) + 1

    def move(self, source: int, destination: int) -> bool:
        """Move tasks to `destination` as long as this helps. Return whether a task moved."""
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
        loads = [
            (int(self._count[client]), int(self._capacity[client]))
            for client in (source, destination)
        ]
        self._clients.tell(
            task,
            LoadShift,
            destination,
            role=self._clients.role(self._held),
            giver=source,
            had=loads[0],
            has=loads[1],
        )

    def _note(self):
        self._least = ((self._count + 1) / self._capacity).min()

    def _should_move(self, source: int, destinations: int | slice) -> np.ndarray:
        """Return whether moving one task reduces the difference of loads without reversing it."""
        count, capacity = self._count[destinations], self._capacity[destinations]
        skew = self._count[source] / self._capacity[source] - count / capacity
        # Two divisions and a subtraction, so that rounding is the same as in Kafka.
        after = (self._count[source] - 1) / self._capacity[source] - (count + 1) / capacity
        return (skew > 0) & (after >= 0) & (after < skew)


# Standbys: copies of each stateful task are placed on the least loaded other clients, or by client
# tags (KIP-708). Reproduces `DefaultStandbyTaskAssignor` and `ClientTagAwareStandbyTaskAssignor`.
# Only placed tasks change loads, so Kafka's heap always has the least (load, id) first, and a
# column of loads is enough.


_NONE_BLOCKED = np.zeros(0, dtype=np.int64)


class Standbys:
    """Places standbys on clients, after all active tasks are assigned."""

    def __init__(self, clients: Clients):
        self._clients = clients
        self._capacity = np.array(clients.capacity, dtype=np.float64)
        self._count = np.array(
            [clients.task_count(client) for client in range(len(clients))], dtype=np.float64
        )
        self._load = self._count / self._capacity
        self._holders = {
            task: [client] for client, tasks in enumerate(clients.active) for task in tasks
        }

    def runs_on(self, task: int) -> int:
        """Return the client that runs the task."""
        return self._holders[task][0]

    def place(self, task: int, number: int):
        """Place at most `number` standbys on the least loaded clients without the task."""
        if number <= 0:
            return
        load = self._load.copy()
        load[self._holders[task]] = np.inf
        clients = (
            [int(load.argmin())]
            if number == 1
            else np.argsort(load, kind="stable")[:number].tolist()
        )
        for client in clients:
            if load[client] < np.inf:
                self._add(task, client)

    def place_one_each(self, tasks: Sequence[int]):
        """Place one standby of each task, in order, on the least loaded client without the task."""
        heap = [(load, client) for client, load in enumerate(self._load.tolist())]
        heapify(heap)
        for task in tasks:
            own = heappop(heap) if heap[0][1] == self.runs_on(task) else None
            if heap:
                client = heap[0][1]
                self._add(task, client)
                heapreplace(heap, (self._clients.load(client), client))
            if own:
                heappush(heap, own)

    def place_one(self, task: int, blocked: np.ndarray = _NONE_BLOCKED) -> int | None:
        """Place a standby on the least loaded client without the task. Return the client, or None.

        Clients in `blocked` are left out.
        """
        load = self._load.copy()
        load[self._holders[task]] = np.inf
        load[blocked] = np.inf
        client = int(load.argmin())
        if load[client] == np.inf:
            return None
        self._add(task, client, by_tags=bool(blocked.any()))
        return client

    def _add(self, task: int, client: int, by_tags: bool = False):
        load = (int(self._count[client]), int(self._capacity[client]))
        self._clients.tell(task, Lightest, client, role=STANDBY, load=load, by_tags=by_tags)
        self._clients.standby[client].add(task)
        self._holders[task].append(client)
        self._count[client] += 1
        self._load[client] = self._count[client] / self._capacity[client]


class TaggedStandbys:
    """Places standbys of a task one after the other, on clients with different tags.

    A client is blocked if it shares a tag value with an earlier copy of the task. A tag blocks no
    client if copies of the task already use all its values.

    Parameters
    ----------
    standbys : Standbys
    tags : int32 (C, keys)
        Each client's value of each configured tag, or `NO_TAG`.

    Attributes
    ----------
    tree_bin : bool
        Whether Kafka's real result may differ, because too many tasks share a hash bucket.
    """

    def __init__(self, standbys: Standbys, tags: np.ndarray):
        self.tree_bin = False
        self._standbys, self._columns = standbys, tags
        self._tags = [
            [(key, value) for key, value in enumerate(row) if value != NO_TAG]
            for row in tags.tolist()
        ]
        self._value_count = [len(set(column) - {NO_TAG}) for column in tags.T.tolist()]

    def assign(self, tasks: Sequence[int], number: int, hashes: np.ndarray):
        """Place `number` standbys of each task, on clients with different tags if possible.

        If no such client is left for a standby, it waits. When all tasks are done, the standbys
        that wait are placed by load alone. As in Kafka, a negative `number` means one standby,
        placed by tags only. `tasks`: ascending. `hashes`: hash codes of the tasks, uint32.
        """
        missing = [
            self._place(task, self._standbys.runs_on(task), max(number, 1)) for task in tasks
        ]
        # Kafka fills a HashMap with all tasks and removes the tasks that have all copies.
        walked = put_order(hashes)
        rest = [row for row in walked.rows.tolist() if missing[row] and number > 0]
        self.tree_bin = walked.tree_bin and len(rest) > 1
        for row in rest:
            self._standbys.place(tasks[row], missing[row])

    def _place(self, task: int, last: int, missing: int) -> int:
        blocked: set[tuple[int, int]] = set()
        used = 1
        while missing:
            blocked = self._blocked_after(last, used, blocked)
            client = self._standbys.place_one(task, self._with_any(blocked))
            if client is None:
                return missing
            last, used, missing = client, used + 1, missing - 1
        return missing

    def _with_any(self, blocked: set[tuple[int, int]]) -> np.ndarray:
        """Return whether each client has any of the blocked tags (key, value), bool (C,)."""
        has_any = np.zeros(len(self._columns), dtype=bool)
        for key, value in blocked:
            has_any |= self._columns[:, key] == value
        return has_any

    def _blocked_after(
        self, client: int, used: int, blocked: set[tuple[int, int]]
    ) -> set[tuple[int, int]]:
        exhausted = {key for key, _ in self._tags[client] if self._value_count[key] <= used}
        return {
            (key, value) for key, value in blocked | set(self._tags[client]) if key not in exhausted
        }


def has_tags_of(tags: np.ndarray, source: int, destination: int) -> bool:
    """Return whether the destination has every tag of the source. `tags`: values of all keys."""
    return bool(((tags[source] == NO_TAG) | (tags[source] == tags[destination])).all())


def keeps_tags(
    tags: np.ndarray, clients: Clients, source: int, destination: int, task: int
) -> bool:
    """Return whether the task's clients keep as many different tags. `tags`: values of all keys."""
    others = [
        client
        for client in range(len(clients))
        if client not in (source, destination) and clients.has(client, task)
    ]
    return _different(tags[[*others, destination]]) >= _different(tags[[*others, source]])


def _different(tags: np.ndarray) -> int:
    return sum(len(set(column) - {NO_TAG}) for column in tags.T.tolist())
