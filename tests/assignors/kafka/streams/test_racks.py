"""Searches by layers end where the search node by node ends, which follows Kafka's graph
literally.
"""

import numpy as np
import pytest

from evenkeel.assignors.kafka.streams.min_cost_flow import MinCostFlow
from evenkeel.assignors.kafka.streams.negative_cycles import cheapest_owners


@pytest.mark.parametrize("seed", range(40))
def test_the_search_by_layers_leaves_each_task_where_the_search_by_nodes_does(seed):
    random = np.random.default_rng(seed)
    tasks, clients = int(random.integers(1, 25)), int(random.integers(1, 8))
    owner = random.integers(clients, size=tasks)
    cost = random.choice([0, 1, 10, 11, 21], size=(tasks, clients))

    assert cheapest_owners(cost, owner).tolist() == _by_nodes(cost, owner)


def _by_nodes(cost: np.ndarray, owner: np.ndarray) -> list[int]:
    """Build Kafka's graph of `min_traffic` and solve it."""
    tasks, clients = cost.shape
    graph = MinCostFlow()
    for task in range(tasks):
        graph.add(-1, task, 1, 0, 1)
        for client in range(clients):
            graph.add(task, tasks + client, 1, int(cost[task, client]), int(owner[task] == client))
    for client in range(clients):
        count = int((owner == client).sum())
        graph.add(tasks + client, tasks + clients, count, 0, count)
    graph.solve()
    return [
        next(client for client in range(clients) if graph.flow(task, tasks + client))
        for task in range(tasks)
    ]
