"""Standbys: each stateful task's copies on the lightest other clients.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.DefaultStandbyTaskAssignor`. Loads change only by what is placed, so
Kafka's heap always gives the lightest client by (load, id), and a column of loads does.
"""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush, heapreplace

import numpy as np

from evenkeel.assignors.kafka.streams.clients import Clients

_NONE_BLOCKED = np.zeros(0, dtype=np.int64)


class Standbys:
    """Places copies on clients whose active tasks are all there."""

    def __init__(self, clients: Clients):
        self._clients = clients
        self._capacity = np.array(clients.capacity, dtype=np.float64)
        self._count = np.array([clients.task_count(client) for client in range(len(clients))], dtype=np.float64)
        self._load = self._count / self._capacity
        self._holders = {task: [client] for client, tasks in enumerate(clients.active) for task in tasks}

    def runs_on(self, task: int) -> int:
        """Return the client that runs the task."""
        return self._holders[task][0]

    def place(self, task: int, number: int):
        """Put so many copies on the lightest clients without the task; copies that no client can take are left out."""
        if number <= 0:
            return
        load = self._load.copy()
        load[self._holders[task]] = np.inf
        found = [int(load.argmin())] if number == 1 else np.argsort(load, kind="stable")[:number].tolist()
        for client in found:
            if load[client] < np.inf:
                self._add(task, client)

    def place_one_each(self, tasks: Sequence[int]):
        """Put one copy of each task, in order, on the lightest client without it."""
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
        """Put a copy on the lightest client without the task that is not blocked; return the client."""
        load = self._load.copy()
        load[self._holders[task]] = np.inf
        load[blocked] = np.inf
        client = int(load.argmin())
        if load[client] == np.inf:
            return None
        self._add(task, client)
        return client

    def _add(self, task: int, client: int):
        self._clients.standby[client].add(task)
        self._holders[task].append(client)
        self._count[client] += 1
        self._load[client] = self._count[client] / self._capacity[client]
