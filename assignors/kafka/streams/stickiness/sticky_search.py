"""StickySearch: which client a task goes to, previous ones first unless they have too much.

Reproduces the search of `LegacyStickyTaskAssignor` and of the public `StickyTaskAssignor`.
"""

from collections.abc import Sequence

import numpy as np

from assignors.java import capacity, hash_map
from assignors.kafka.streams.clients import Clients
from assignors.kafka.streams.stickiness.previous import Previous
from assignors.kafka.streams.stickiness.task_pairs import TaskPairs


class StickySearch:
    """Places tasks one at a time; clients are rows of processes.

    Parameters
    ----------
    counts_capacity : bool
        Of two clients with equal load the one with more threads has more room; the public class knows no such rule.

    Attributes
    ----------
    tree_bin : bool
        Too many hash codes met in one bucket, so the answer may differ from Kafka's.
    """

    def __init__(
        self, clients: Clients, previous: Previous, task_count: int, hashes: np.ndarray, jdk: int, *, counts_capacity: bool = True
    ):
        self.tree_bin, self._counts_capacity = False, counts_capacity
        self._clients, self._previous, self._hashes, self._jdk = clients, previous, hashes, jdk
        self._pairs = TaskPairs(task_count)

    def place(self, task: int, client: int, held: list[set[int]]):
        """Give the task to the client in the role of `held`."""
        self._pairs.add(task, self._clients.active[client] | self._clients.standby[client])
        held[client].add(task)

    def find(self, task: int, candidates: Sequence[int]) -> int:
        """Return one of the candidates, at least one, in the order of the Java collection."""
        if len(candidates) == 1:
            return candidates[0]
        had = self._previous.active.get(task)
        had = had if had in candidates else self._lightest_keeper(task, candidates)
        if had is not None and self._is_overloaded(had):
            had = self._lightest_keeper(task, candidates)
        if had is None or self._is_overloaded(had):
            return self._lightest(task, candidates)
        return had

    def _lightest_keeper(self, task: int, candidates: Sequence[int]) -> int | None:
        """Return the least loaded of those that keep the task's state."""
        keepers = self._previous.standby.get(task, [])
        # Kafka copies the set before it takes clients out.
        copied = hash_map.put_order(self._hashes[keepers], capacity.of_set(len(keepers), self._jdk))
        self.tree_bin |= copied.tree_bin
        within = set(candidates)
        return self._lightest(task, [keepers[row] for row in copied.rows.tolist() if keepers[row] in within])

    def _lightest(self, task: int, candidates: Sequence[int]) -> int | None:
        found = self._scanned(candidates, lambda client: self._pairs.has_new(task, self._held(client)))
        return self._scanned(candidates, lambda _client: True) if found is None else found

    def _scanned(self, candidates: Sequence[int], is_welcome) -> int | None:
        """Return the first client without tasks, else the one with most room of the welcome ones."""
        best = None
        for client in candidates:
            if not self._clients.task_count(client):
                return client
            if (best is None or self._has_more_room(client, best)) and is_welcome(client):
                best = client
        return best

    def _held(self, client: int) -> set[int]:
        return self._clients.active[client] | self._clients.standby[client]

    def _is_overloaded(self, client: int) -> bool:
        is_full = self._clients.task_count(client) >= self._clients.capacity[client]
        return is_full and any(self._has_more_room(other, client) for other in range(len(self._clients)))

    def _has_more_room(self, client: int, other: int) -> bool:
        mine, its = self._clients.load(client), self._clients.load(other)
        return mine < its or (self._counts_capacity and mine == its and self._clients.capacity[client] > self._clients.capacity[other])
