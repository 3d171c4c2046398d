"""Racks: clients exchange tasks to reduce traffic between racks, KIP-925. Task counts of clients do
not change.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.RackAwareTaskAssignor`,
`MinTrafficGraphConstructor` and `BalanceSubtopologyGraphConstructor`.
"""

from collections.abc import Callable, Iterable, Sequence
from math import ceil

import numpy as np

from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.kafka.streams.clients import Clients
from evenkeel.assignors.kafka.streams.min_cost_flow import MinCostFlow
from evenkeel.assignors.kafka.streams.negative_cycles import (
    cheapest_owners,
    cheapest_owners_by_subtopology,
)
from evenkeel.assignors.kafka.streams.task_steps import RackExchange
from evenkeel.assignors.trace import asked

_MOST_ROUNDS = 4

STATELESS_COSTS = (1, 0)
"""For stateless tasks: cost of reading a partition from another rack, and cost of moving a task."""

_SOURCE = -1

_FEW = 800
"""With fewer edges, the search node by node is faster than the search layer by layer."""

Cost = Callable[[int, int], int]
"""Returns the cost of a task on a client."""


class RackOptimiser:
    """Exchanges tasks between clients, in place.

    Parameters
    ----------
    processes : int64 (C,)
        Number of each client's process.
    in_order : sequence of int
        Clients, ascending by process id.
    is_by_subtopology : bool
        Whether the strategy is `balance_subtopology`. If not, it is `min_traffic`.
    is_public : bool
        Whether to follow `TaskAssignmentUtils` of the public interface. There, the cost of an
        active task includes its changelogs, and the strategy also applies to standbys.
    """

    def __init__(
        self,
        application: ApplicationSnapshot,
        clients: Clients,
        processes: np.ndarray,
        in_order: Sequence[int],
        *,
        is_by_subtopology: bool,
        is_public: bool = False,
    ):
        racks = application.process_rack[processes]
        self._clients, self._in_order, self._is_by_subtopology = (
            clients,
            list(in_order),
            is_by_subtopology,
        )
        self._rack, self._is_public = racks.tolist(), is_public
        source, changelog = (
            partitions.misses(racks, len(application.rack_name))
            for partitions in (application.source, application.changelog)
        )
        self._active_misses = (
            source + changelog * application.is_stateful if is_public else source
        ).tolist()
        self._changelog_misses = changelog.tolist()
        # The public class pairs clients in the order of a map, but sorts the two clients of a pair
        # by id.
        self._place = np.argsort(application.processes_by_id)[processes].tolist()
        groups, place = np.unique(application.task_subtopology, return_inverse=True)
        self._subtopology, self._subtopology_count = place.tolist(), groups.size

    def improve_active(self, tasks: Sequence[int], costs: tuple[int, int]):
        """Exchange active tasks.

        `costs`: cost of reading a partition from another rack, and cost of moving a task.
        """
        if not tasks:
            return
        held, cost = (
            self._clients.active,
            self._cost(self._clients.active, self._active_misses, costs),
        )
        owners = self._found(
            tasks, self._in_order, held, cost, is_by_subtopology=self._is_by_subtopology
        )
        self._exchange(
            owners, self._in_order, held, cost, is_by_subtopology=self._is_by_subtopology
        )

    def improve_standbys(self, costs: tuple[int, int], may_move: Callable[[int, int, int], bool]):
        """Exchange standbys between clients in different racks, one pair of clients after the
        other.

        `costs`: as in `improve_active`. `may_move`: function of source, destination and task.
        """
        held, cost = (
            self._clients.standby,
            self._cost(self._clients.standby, self._changelog_misses, costs),
        )
        for _ in range(_MOST_ROUNDS):
            has_moved = False
            for first, other in self._pairs():
                tasks = [
                    self._movable(first, other, may_move),
                    self._movable(other, first, may_move),
                ]
                if all(tasks):
                    pair = sorted((first, other), key=self._place.__getitem__)
                    by_subtopology = self._is_public and self._is_by_subtopology
                    owners = self._found(
                        sorted(tasks[0] + tasks[1]),
                        pair,
                        held,
                        cost,
                        is_by_subtopology=by_subtopology,
                    )
                    has_moved |= self._exchange(
                        owners, pair, held, cost, is_by_subtopology=by_subtopology
                    )
            if not has_moved:
                return

    def _found(
        self,
        tasks: Sequence[int],
        clients: Sequence[int],
        held: Sequence[set[int]],
        cost: Cost,
        *,
        is_by_subtopology: bool,
    ) -> dict[int, int]:
        if is_by_subtopology:
            return balance_subtopology(
                tasks, clients, held, cost, self._subtopology, self._subtopology_count
            )
        return min_traffic(tasks, clients, held, cost)

    def _exchange(
        self,
        new_owners: dict[int, int],
        clients: Sequence[int],
        held: Sequence[set[int]],
        cost: Cost,
        *,
        is_by_subtopology: bool,
    ) -> bool:
        before = {task: next(each for each in clients if task in held[each]) for task in new_owners}
        moved = {task: client for task, client in new_owners.items() if before[task] != client}
        if asked() and moved:
            costs = [
                sum(cost(task, owners[task]) for task in new_owners)
                for owners in (before, new_owners)
            ]
            about = {
                "role": self._clients.role(held),
                "before": costs[0],
                "after": costs[1],
                "by_subtopology": is_by_subtopology,
            }
            for task, client in moved.items():
                self._clients.tell(task, RackExchange, client, giver=before[task], **about)
        for task, client in moved.items():
            held[before[task]].remove(task)
            held[client].add(task)
        return bool(moved)

    def _pairs(self) -> Iterable[tuple[int, int]]:
        for place, first in enumerate(self._in_order):
            yield from (
                (first, other)
                for other in self._in_order[place + 1 :]
                if self._rack[first] != self._rack[other]
            )

    def _movable(
        self, source: int, destination: int, may_move: Callable[[int, int, int], bool]
    ) -> list[int]:
        tasks = self._clients.standby[source]
        return [
            task
            for task in tasks
            if not self._clients.has(destination, task) and may_move(source, destination, task)
        ]

    @staticmethod
    def _cost(
        held: Sequence[set[int]], misses: Sequence[Sequence[int]], costs: tuple[int, int]
    ) -> Callable[[int, int], int]:
        traffic, change = costs
        return lambda task, client: (
            traffic * misses[client][task] + (0 if task in held[client] else change)
        )


# The cheapest client of each task, found in a graph


def min_traffic(
    tasks: Sequence[int], clients: Sequence[int], held: Sequence[set[int]], cost: Cost
) -> dict[int, int]:
    """Return a client for each task, so that the total cost is the least.

    `tasks`, `clients`: ascending. `held`: tasks of each client in one role.
    """
    place = {task: number for number, client in enumerate(clients) for task in held[client]}
    costs = np.array([[cost(task, client) for client in clients] for task in tasks], dtype=np.int64)
    owner = cheapest_owners(costs, np.array([place[task] for task in tasks], dtype=np.int64))
    return {task: clients[number] for task, number in zip(tasks, owner.tolist(), strict=True)}


def balance_subtopology(
    tasks: Sequence[int],
    clients: Sequence[int],
    held: Sequence[set[int]],
    cost: Cost,
    subtopology: Sequence[int],
    subtopology_count: int,
) -> dict[int, int]:
    """Return a client for each task, so that the total cost is the least within a limit.

    The limit: no client has many more tasks of a subtopology than its share. `subtopology`: number
    of each task's subtopology in the application. `subtopology_count`: number of subtopologies.
    """
    graph, wanted = MinCostFlow(), set(tasks)
    second = len(tasks) + len(clients) * subtopology_count
    counts = [len(held[client] & wanted) for client in clients]
    sizes: dict[int, int] = {}
    for node, task in enumerate(tasks):
        graph.add(_SOURCE, node, 1, 0, 0)
        sizes[subtopology[task]] = sizes.get(subtopology[task], 0) + 1
        for place, client in enumerate(clients, len(tasks) + len(clients) * subtopology[task]):
            graph.add(node, place, 1, cost(task, client), 0)
    for group, size in sizes.items():
        for place, count in enumerate(counts):
            most = ceil(count * 1.0 / len(tasks) * size)
            graph.add(len(tasks) + len(clients) * group + place, second + place, most, 0, 0)
    for place, count in enumerate(counts):
        graph.add(second + place, second + len(clients), count, 0, 0)
    graph.fill(_SOURCE, second + len(clients))
    if len(tasks) * len(clients) < _FEW:
        graph.solve()
    owner = [
        next(
            row
            for row in range(len(clients))
            if graph.flow(node, len(tasks) + len(clients) * subtopology[task] + row)
        )
        for node, task in enumerate(tasks)
    ]
    if len(tasks) * len(clients) < _FEW:
        return {task: clients[row] for task, row in zip(tasks, owner, strict=True)}
    used = sorted(sizes)
    limits = [[ceil(count * 1.0 / len(tasks) * sizes[group]) for count in counts] for group in used]
    places = np.searchsorted(used, [subtopology[task] for task in tasks])
    costs = np.array([[cost(task, client) for client in clients] for task in tasks], dtype=np.int64)
    rows = cheapest_owners_by_subtopology(
        costs, places, np.array(owner, dtype=np.int64), np.array(limits, dtype=np.int64)
    )
    return {task: clients[row] for task, row in zip(tasks, rows.tolist(), strict=True)}
