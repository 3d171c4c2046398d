"""StickySearch: which client a task goes to, previous ones first unless they have too much.

Reproduces the search of `LegacyStickyTaskAssignor` and of the public `StickyTaskAssignor`.
"""

from collections.abc import Sequence

import numpy as np

from evenkeel.assignors.java.collections import put_order
from evenkeel.assignors.java.hashing import set_capacity
from evenkeel.assignors.kafka.streams.clients import Clients
from evenkeel.assignors.kafka.streams.stickiness.previous import Previous
from evenkeel.assignors.kafka.streams.stickiness.task_pairs import TaskPairs


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

    def __init__(self, clients: Clients, previous: Previous, hashes: np.ndarray, jdk: int, *, counts_capacity: bool):
        self.tree_bin = False
        self._clients, self._previous, self._hashes, self._jdk = clients, previous, hashes, jdk
        self._pairs = TaskPairs(len(clients))
        self._count = np.zeros(len(clients), dtype=np.int64)
        self._capacity = np.array(clients.capacity, dtype=np.int64)
        self._tie = -self._capacity if counts_capacity else np.zeros(len(clients), dtype=np.int64)
        self._load = np.zeros(len(clients))

    def place(self, task: int, client: int, held: list[set[int]]):
        """Give the task to the client in the role of `held`."""
        self._pairs.place(task, client)
        held[client].add(task)
        self._count[client] += 1
        self._load[client] = self._count[client] / self._capacity[client]

    def note_exchange(self):
        """Note that active tasks have changed places since; no client has more or fewer of them."""
        self._pairs.exchange(self._clients.active)

    def find(self, task: int, candidates: np.ndarray) -> int:
        """Return one of the candidates, at least one, int64 in the order of the Java collection."""
        if candidates.size == 1:
            return int(candidates[0])
        is_candidate = np.zeros(len(self._clients), dtype=bool)
        is_candidate[candidates] = True
        had = self._previous.active.get(task)
        had = had if had is not None and is_candidate[had] else self._lightest_keeper(task, is_candidate)
        if had is not None and self._is_overloaded(had):
            had = self._lightest_keeper(task, is_candidate)
        if had is None or self._is_overloaded(had):
            return self._lightest(task, candidates)
        return had

    def _lightest_keeper(self, task: int, is_candidate: np.ndarray) -> int | None:
        """Return the least loaded of those that keep the task's state."""
        keepers: Sequence[int] = self._previous.standby.get(task, [])
        if not keepers:
            return None
        # Kafka copies the set before it takes clients out.
        copied = put_order(self._hashes[keepers], set_capacity(len(keepers), self._jdk))
        self.tree_bin |= copied.tree_bin
        rows = np.array(keepers, dtype=np.int64)[copied.rows]
        rows = rows[is_candidate[rows]]
        return self._lightest(task, rows) if rows.size else None

    def _lightest(self, task: int, candidates: np.ndarray) -> int:
        """Return the first client without tasks, else the first with most room of those where the task meets a new one, else of all."""
        empty = self._count[candidates] == 0
        if empty.any():
            return int(candidates[empty.argmax()])
        met = self._pairs.met(task)
        by_room = candidates[np.lexsort((self._tie[candidates], self._load[candidates]))]
        return next((client for client in by_room.tolist() if self._pairs.has_new(met, client)), int(by_room[0]))

    def _is_overloaded(self, client: int) -> bool:
        if self._count[client] < self._capacity[client]:
            return False
        load, tie = self._load[client], self._tie[client]
        return bool(((self._load < load) | ((self._load == load) & (self._tie < tie))).any())
