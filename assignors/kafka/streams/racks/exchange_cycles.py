"""Exchange cycles: cancels cycles of negative cost between tasks and clients, whole layers at once.

The same steps in the same order as `MinCostFlow.solve` on the graph of `min_traffic`. No edge of its source or sink ever carries more or
less, so distances pass only between tasks, which go to any client, and clients, which give back their own tasks.
"""

from collections.abc import Hashable

import numpy as np

from evenkeel.assignors.kafka.streams.racks import repetition

_NO_EDGE = 2**60


def cheapest_owners(cost: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """Return the owner of each task, int64 (K,), once no cycle of negative cost is left.

    Parameters
    ----------
    cost : int64 (K, C)
    owner : int64 (K,)
        Of each task before.
    """
    owner, tasks = owner.copy(), np.arange(owner.size)
    open_cost = cost.copy()
    open_cost[tasks, owner] = _NO_EDGE
    while True:
        search = _Search(open_cost, cost[tasks, owner], owner)
        moves = search.cycle(owner.size + cost.shape[1] + 2)
        if not moves:
            return owner
        for task, client in moves:
            open_cost[task, owner[task]] = cost[task, owner[task]]
            open_cost[task, client] = _NO_EDGE
            owner[task] = client


class _Search:
    """Bellman and Ford's search; only tasks that came nearer in the round before can bring a client nearer."""

    def __init__(self, open_cost: np.ndarray, own_cost: np.ndarray, owner: np.ndarray):
        self._open_cost, self._own_cost, self._owner = open_cost, own_cost, owner
        self._task, self._client = np.zeros(open_cost.shape[0], dtype=np.int64), np.zeros(open_cost.shape[1], dtype=np.int64)
        self._client_came_by = np.full(open_cost.shape[1], -1, dtype=np.int64)
        self._nearer = np.arange(open_cost.shape[0])
        self._source, self._is_first = 0, True

    def cycle(self, rounds: int) -> list[tuple[int, int]]:
        """Return (task, new owner) around the cycle that is met after so many rounds, none if there is no cycle."""
        return self._around(self._first_client()) if repetition.run(rounds, self._relax) and self._nearer.size else []

    def _relax(self) -> Hashable:
        if not self._nearer.size:
            return None
        nearer = self._nearer
        self._source = min(self._source, int(self._task[nearer].min()))
        reached = self._open_cost[nearer] + self._task[nearer, None]
        # Of equal ones the first task counts: a later one brings the client no nearer.
        first = reached.argmin(axis=0)
        least = reached[first, np.arange(first.size)]
        clients = np.flatnonzero(least < self._client)
        self._client[clients] = least[clients]
        self._client_came_by[clients] = nearer[first[clients]]
        # In the first round every client passes its distance of 0 on.
        is_nearer = np.full(self._client.size, self._is_first)
        is_nearer[clients], self._is_first = True, False
        tasks = np.flatnonzero(is_nearer[self._owner])
        back = self._client[self._owner[tasks]] - self._own_cost[tasks]
        came = back < self._task[tasks]
        self._nearer = tasks[came]
        self._task[self._nearer] = back[came]
        return repetition.state((self._client, self._task, np.array(self._source)), (self._nearer,))

    def _first_client(self) -> int:
        """Return a client behind the first edge that one more round would relax, in the order of nodes."""
        for task in self._nearer.tolist():
            if self._task[task] < self._source:
                return int(self._owner[task])
            clients = np.flatnonzero(self._open_cost[task] + self._task[task] < self._client)
            if clients.size:
                self._client_came_by[clients[0]] = task
                return int(clients[0])
        return -1

    def _around(self, client: int) -> list[tuple[int, int]]:
        seen: set[int] = set()
        while client >= 0 and client not in seen:
            seen.add(client)
            client = self._before(client)
        moves: list[tuple[int, int]] = []
        start = client
        while client >= 0 and (not moves or client != start):
            moves.append((int(self._client_came_by[client]), client))
            client = self._before(client)
        return moves

    def _before(self, client: int) -> int:
        task = self._client_came_by[client]
        return int(self._owner[task]) if task >= 0 else -1
