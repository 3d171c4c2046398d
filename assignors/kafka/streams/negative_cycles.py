"""Cancelling cycles of negative cost, for many nodes at once.

The steps and their order are the same as in `MinCostFlow.solve`. In the graph of `min_traffic`, the
flow at the source and at the sink never changes. Distances are therefore passed only from tasks to
all clients, and over reverse edges from clients to their own tasks. In the graph of
`balance_subtopology`, the edges at the source and at the sink are full. Distances are passed
between tasks, places and clients. A place is a client within a subtopology.

On a cycle of negative cost, the rounds of the Bellman-Ford search repeat: all distances are smaller
by the same number. Kafka runs as many rounds as there are nodes. Here, rounds run until the first
repetition. All whole repetitions are then skipped, and the remaining rounds run.
"""

from collections.abc import Callable, Hashable

import numpy as np

_NO_EDGE = 2**60


def cheapest_owners(cost: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """Return the client of each task after all cycles of negative cost are cancelled, int64 (K,).

    Parameters
    ----------
    cost : int64 (K, C)
        Cost of each task on each client.
    owner : int64 (K,)
        Client of each task before.
    """
    rounds = sum(cost.shape) + 2
    return _without_cycles(
        cost, owner, lambda *costs_and_owner: _Exchanges(*costs_and_owner).cycle(rounds)
    )


def cheapest_owners_by_subtopology(
    cost: np.ndarray, group: np.ndarray, owner: np.ndarray, most: np.ndarray
) -> np.ndarray:
    """Return the client of each task after all cycles of negative cost are cancelled, int64 (K,).

    Parameters
    ----------
    cost : int64 (K, C)
        Cost of each task on each client.
    group : int64 (K,)
        Subtopology of each task, numbered from 0. Each subtopology has tasks.
    owner : int64 (K,)
        Client of each task before.
    most : int64 (G, C)
        Limit for the tasks of each subtopology on each client.
    """

    def moves(
        open_cost: np.ndarray, own_cost: np.ndarray, owner: np.ndarray
    ) -> list[tuple[int, int]]:
        count = np.zeros(most.shape, dtype=np.int64)
        np.add.at(count, (group, owner), 1)
        return _SubtopologyExchanges(open_cost, own_cost, group, owner, count, most).cycle()

    return _without_cycles(cost, owner, moves)


def _without_cycles(
    cost: np.ndarray, owner: np.ndarray, moves: Callable[..., list[tuple[int, int]]]
) -> np.ndarray:
    """Return the owners after all cycles are cancelled.

    `moves`: function that returns the moves of the next cycle. Its arguments are the costs of new
    owners, the costs of present owners, and the owners.
    """
    owner, tasks = owner.copy(), np.arange(owner.size)
    open_cost = cost.copy()
    open_cost[tasks, owner] = _NO_EDGE
    while cycle := moves(open_cost, cost[tasks, owner], owner):
        for task, client in cycle:
            open_cost[task, owner[task]] = cost[task, owner[task]]
            open_cost[task, client] = _NO_EDGE
            owner[task] = client
    return owner


class _Exchanges:
    """The Bellman-Ford search for `min_traffic`.

    The distance of a client can only become shorter because of tasks whose distance became shorter
    in the previous round.
    """

    def __init__(self, open_cost: np.ndarray, own_cost: np.ndarray, owner: np.ndarray):
        self._open_cost, self._own_cost, self._owner = open_cost, own_cost, owner
        self._task, self._client = (
            np.zeros(open_cost.shape[0], dtype=np.int64),
            np.zeros(open_cost.shape[1], dtype=np.int64),
        )
        self._client_came_by = np.full(open_cost.shape[1], -1, dtype=np.int64)
        self._nearer = np.arange(open_cost.shape[0])
        self._source, self._is_first = 0, True

    def cycle(self, rounds: int) -> list[tuple[int, int]]:
        """Return the moves (task, new owner) of the cycle after `rounds` rounds, [] if there is no
        cycle.
        """
        return (
            self._around(self._first_client())
            if _run(rounds, self._relax) and self._nearer.size
            else []
        )

    def _relax(self) -> Hashable:
        if not self._nearer.size:
            return None
        nearer = self._nearer
        self._source = min(self._source, int(self._task[nearer].min()))
        reached = self._open_cost[nearer] + self._task[nearer, None]
        # Among equal distances the first task counts, because a later task does not reduce the
        # client's distance.
        first = reached.argmin(axis=0)
        least = reached[first, np.arange(first.size)]
        clients = np.flatnonzero(least < self._client)
        self._client[clients] = least[clients]
        self._client_came_by[clients] = nearer[first[clients]]
        # In the first round, each client relaxes its edges, with distance 0.
        is_nearer = np.full(self._client.size, self._is_first)
        is_nearer[clients], self._is_first = True, False
        tasks = np.flatnonzero(is_nearer[self._owner])
        back = self._client[self._owner[tasks]] - self._own_cost[tasks]
        came = back < self._task[tasks]
        self._nearer = tasks[came]
        self._task[self._nearer] = back[came]
        return _state((self._client, self._task, np.array(self._source)), (self._nearer,))

    def _first_client(self) -> int:
        """Return a client of the first edge, in the order of nodes, with which the next round would
        make a distance shorter. -1 if there is no such edge.
        """
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


class _SubtopologyExchanges:
    """The Bellman-Ford search for `balance_subtopology`.

    Nodes are numbered: first tasks, then places (subtopology, client), then clients.
    """

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
        """Return the moves (task, new owner) of the cycle that Kafka finds, [] if there is no
        cycle.
        """
        rounds = self._tasks + (self._groups + 1) * self._width + 2
        return self._around(self._first()) if _run(rounds, self._relax) else []

    def _relax(self) -> Hashable:
        if not (self._near_task.any() or self._near_place.any()):
            return None
        self._from_tasks()
        self._from_places()
        self._from_clients()
        distances = self._client, self._task, self._place, np.array(self._source)
        return _state(distances, (self._near_task, self._near_place, self._near_client))

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
        self._came_by[self._tasks + self._groups * self._width + better] = (
            self._tasks + first[better] * self._width + better
        )

    def _from_clients(self):
        better = self._gives_back & self._near_client & (self._client < self._place)
        self._near_client = np.zeros_like(self._near_client)
        if better.any():
            self._place = np.where(better, self._client, self._place)
            self._near_place |= better
            number, client = np.nonzero(better)
            self._came_by[self._tasks + number * self._width + client] = (
                self._tasks + self._groups * self._width + client
            )

    def _first(self) -> int:
        """Return a node of the first edge, in the order of nodes, with which the next round would
        make a distance shorter. -1 if there is no such edge.
        """
        for task in np.flatnonzero(self._near_task).tolist():
            if self._task[task] < self._source:
                return task
            number = int(self._group[task])
            members = np.flatnonzero(self._open_cost[task] + self._task[task] < self._place[number])
            if members.size:
                return self._reached(self._tasks + number * self._width + int(members[0]), task)
        for place in np.flatnonzero(self._near_place.ravel()).tolist():
            number, client = divmod(place, self._width)
            own = np.flatnonzero(self._owner_place == place)
            nearer = own[self._place[number, client] - self._own_cost[own] < self._task[own]]
            if nearer.size:
                return self._reached(int(nearer[0]), self._tasks + place)
            if (
                self._has_room[number, client]
                and self._place[number, client] < self._client[client]
            ):
                return self._reached(
                    self._tasks + self._groups * self._width + client, self._tasks + place
                )
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


def _run(rounds: int, relax: Callable[[], Hashable]) -> bool:
    """Run `rounds` rounds, but skip repeated rounds, which do not change the result.

    Return False if a round has no edge to relax. `relax`: runs one round and returns the new state,
    as in `_state`, or None if there was no edge to relax.
    """
    seen: dict[Hashable, int] = {}
    done = 0
    while done < rounds:
        left = relax()
        if left is None:
            return False
        done += 1
        if left in seen:
            rounds = done + (rounds - done) % (done - seen[left])
        seen[left] = done
    return True


def _state(distances: tuple[np.ndarray, ...], nearer: tuple[np.ndarray, ...]) -> Hashable:
    """Return the state on which the next rounds depend.

    It has all distances relative to the first distance, and the nodes whose distance became
    shorter.
    """
    # If two rounds have equal states, each distance fell between them. So each node's predecessor
    # was set again between them too, and need not be part of the state.
    least = distances[0].flat[0]
    return (*((each - least).tobytes() for each in distances), *(each.tobytes() for each in nearer))
