"""The graphs in which tasks look for cheaper clients; no client gets more or fewer tasks than it has.

Reproduces `MinTrafficGraphConstructor` and `BalanceSubtopologyGraphConstructor` of Kafka Streams.
"""

from collections.abc import Callable, Sequence
from math import ceil

import numpy as np

from evenkeel.assignors.kafka.streams.racks.exchange_cycles import cheapest_owners
from evenkeel.assignors.kafka.streams.racks.min_cost_flow import MinCostFlow
from evenkeel.assignors.kafka.streams.racks.subtopology_cycles import cheapest_owners_by_subtopology

_SOURCE = -1
_FEW = 800
"""Edges below which the search node by node takes less time than the one by layers."""

Cost = Callable[[int, int], int]
"""Of a task on a client."""


def min_traffic(tasks: Sequence[int], clients: Sequence[int], held: Sequence[set[int]], cost: Cost) -> dict[int, int]:
    """Return the client of each task, cheapest in all; tasks and clients ascending, `held` what each client has of a role."""
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
    """Return the client of each task, cheapest where no client gets much more than its share of a subtopology.

    `subtopology`: place of each task's subtopology among all `subtopology_count` of the application.
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
        next(row for row in range(len(clients)) if graph.flow(node, len(tasks) + len(clients) * subtopology[task] + row))
        for node, task in enumerate(tasks)
    ]
    if len(tasks) * len(clients) < _FEW:
        return {task: clients[row] for task, row in zip(tasks, owner, strict=True)}
    used = sorted(sizes)
    most = [[ceil(count * 1.0 / len(tasks) * sizes[group]) for count in counts] for group in used]
    group = np.searchsorted(used, [subtopology[task] for task in tasks])
    costs = np.array([[cost(task, client) for client in clients] for task in tasks], dtype=np.int64)
    found = cheapest_owners_by_subtopology(costs, group, np.array(owner, dtype=np.int64), np.array(most, dtype=np.int64))
    return {task: clients[row] for task, row in zip(tasks, found.tolist(), strict=True)}
