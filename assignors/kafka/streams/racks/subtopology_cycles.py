"""Subtopology cycles: cancels cycles of negative cost between tasks, places and clients; a place is a client within a subtopology.

The same steps in the same order as `MinCostFlow.solve` on the graph of `balance_subtopology`. All edges of its source and sink are full, so
distances pass only between the three layers between them.
"""

from collections.abc import Hashable

import numpy as np

from evenkeel.assignors.kafka.streams.racks import repetition

_NO_EDGE = 2**60


def cheapest_owners_by_subtopology(cost: np.ndarray, group: np.ndarray, owner: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Return the owner of each task, int64 (K,), once no cycle of negative cost is left.

    Parameters
    ----------
    cost : int64 (K, C)
    group : int64 (K,)
        Subtopology of each task, from 0, each with tasks.
    owner : int64 (K,)
    most : int64 (G, C)
        Tasks of each subtopology that a client may have.
    """
    owner, tasks = owner.copy(), np.arange(owner.size)
    open_cost = cost.copy()
    open_cost[tasks, owner] = _NO_EDGE
    while True:
        count = np.zeros(most.shape, dtype=np.int64)
        np.add.at(count, (group, owner), 1)
        moves = _Search(open_cost, cost[tasks, owner], group, owner, count, most).cycle()
        if not moves:
            return owner
        for task, client in moves:
            open_cost[task, owner[task]] = cost[task, owner[task]]
            open_cost[task, client] = _NO_EDGE
            owner[task] = client


class _Search:
    """Bellman and Ford's search. Nodes: tasks, then places by subtopology and client, then clients."""

    def __init__(
        self,
        open_cost: np.ndarray,
        own_cost: np.ndarray,
        group: np.ndarray,
        owner: np.ndarray,
        count: np.ndarray,
        most: np.ndarray,
    ):
        self._open_cost, self._own_cost = open_cost, own_cost
        (self._groups, self._width), self._tasks = most.shape, owner.size
        self._group, self._owner_place = group, group * self._width + owner
        self._has_room, self._gives_back = count < most, count > 0
        self._task, self._source = np.zeros(self._tasks, dtype=np.int64), 0
        self._place = np.zeros(most.shape, dtype=np.int64)
        self._client = np.zeros(self._width, dtype=np.int64)
        self._came_by = np.full(self._tasks + (self._groups + 1) * self._width, -1, dtype=np.int64)
        self._near_task = np.ones(self._tasks, dtype=bool)
        self._near_place = np.ones(most.shape, dtype=bool)
        self._near_client = np.ones(self._width, dtype=bool)

    def cycle(self) -> list[tuple[int, int]]:
        """Return (task, new owner) around the cycle that Kafka meets, none if there is no cycle."""
        rounds = self._tasks + (self._groups + 1) * self._width + 2
        return self._around(self._first()) if repetition.run(rounds, self._relax) else []

    def _relax(self) -> Hashable:
        if not (self._near_task.any() or self._near_place.any()):
            return None
        self._from_tasks()
        self._from_places()
        self._from_clients()
        distances = self._client, self._task, self._place, np.array(self._source)
        return repetition.state(distances, (self._near_task, self._near_place, self._near_client))

    def _from_tasks(self):
        nearer = np.flatnonzero(self._near_task)
        self._near_task[nearer] = False
        if nearer.size:
            self._source = min(self._source, int(self._task[nearer].min()))
        groups = self._group[nearer]
        for number in set(groups.tolist()):
            rows = nearer[groups == number]
            reached = self._open_cost[rows] + self._task[rows, None]
            first = reached.argmin(axis=0)
            least = reached[first, np.arange(self._width)]
            better = np.flatnonzero(least < self._place[number])
            self._place[number, better] = least[better]
            self._came_by[self._tasks + number * self._width + better] = rows[first[better]]
            self._near_place[number, better] = True

    def _from_places(self):
        near, self._near_place = self._near_place, np.zeros_like(self._near_place)
        tasks = np.flatnonzero(near.ravel()[self._owner_place])
        back = self._place.ravel()[self._owner_place[tasks]] - self._own_cost[tasks]
        came = back < self._task[tasks]
        tasks = tasks[came]
        self._task[tasks], self._near_task[tasks] = back[came], True
        self._came_by[tasks] = self._tasks + self._owner_place[tasks]
        reached = np.where(near & self._has_room, self._place, _NO_EDGE)
        first = reached.argmin(axis=0)
        least = reached[first, np.arange(self._width)]
        better = np.flatnonzero(least < self._client)
        self._client[better], self._near_client[better] = least[better], True
        self._came_by[self._tasks + self._groups * self._width + better] = self._tasks + first[better] * self._width + better

    def _from_clients(self):
        better = self._gives_back & self._near_client & (self._client < self._place)
        self._near_client = np.zeros_like(self._near_client)
        if better.any():
            self._place = np.where(better, self._client, self._place)
            self._near_place |= better
            number, client = np.nonzero(better)
            self._came_by[self._tasks + number * self._width + client] = self._tasks + self._groups * self._width + client

    def _first(self) -> int:
        """Return the node behind the first edge that one more round would relax, in the order of nodes; -1 if there is none."""
        for task in np.flatnonzero(self._near_task).tolist():
            if self._task[task] < self._source:
                return task
            number = int(self._group[task])
            found = np.flatnonzero(self._open_cost[task] + self._task[task] < self._place[number])
            if found.size:
                return self._reached(self._tasks + number * self._width + int(found[0]), task)
        for place in np.flatnonzero(self._near_place.ravel()).tolist():
            number, client = divmod(place, self._width)
            own = np.flatnonzero(self._owner_place == place)
            nearer = own[self._place[number, client] - self._own_cost[own] < self._task[own]]
            if nearer.size:
                return self._reached(int(nearer[0]), self._tasks + place)
            if self._has_room[number, client] and self._place[number, client] < self._client[client]:
                return self._reached(self._tasks + self._groups * self._width + client, self._tasks + place)
        return -1

    def _reached(self, node: int, came_by: int) -> int:
        self._came_by[node] = came_by
        return node

    def _around(self, node: int) -> list[tuple[int, int]]:
        seen: set[int] = set()
        while node >= 0 and node not in seen:
            seen.add(node)
            node = int(self._came_by[node])
        moves, start, is_begun = [], node, False
        while node >= 0 and not (is_begun and node == start):
            before, is_begun = int(self._came_by[node]), True
            if before < self._tasks:
                moves.append((before, (node - self._tasks) % self._width))
            node = before
        return moves
