"""Balancing: tasks move from clients with more tasks by thread to clients with fewer.

Reproduces `HighAvailabilityTaskAssignor.balanceTasksOverThreads`.
"""

from collections.abc import Callable

import numpy as np

from evenkeel.assignors.kafka.streams.clients import Clients


def balance(clients: Clients, held: list[set[int]], is_allowed: Callable[[int, int], bool] = lambda _source, _destination: True):
    """Move tasks of one role, in place, until no move makes the loads more even.

    Parameters
    ----------
    clients : Clients
    held : list of set
        The role: `clients.active` or `clients.standby`.
    is_allowed : function of two clients
        Whether tasks of the first may move to the second.
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
    """Loads as columns: most pairs of clients have nothing to move, and Kafka looks at every pair in every round."""

    def __init__(self, clients: Clients, held: list[set[int]]):
        self._clients, self._held = clients, held
        self._capacity = np.array(clients.capacity, dtype=np.float64)
        self._count = np.array([clients.task_count(client) for client in range(len(clients))], dtype=np.float64)
        self._note()

    def destinations(self, source: int):
        """Yield the clients, ascending, that should get tasks; loads are those of the moment at which each is reached."""
        start = 0
        # x - y >= 0 exactly where x >= y, so the least of all tells whether any client could.
        while (self._count[source] - 1) / self._capacity[source] >= self._least:
            found = np.flatnonzero(self._should_move(source, slice(start, None)))
            if not found.size:
                return
            yield start + int(found[0])
            start += int(found[0]) + 1

    def move(self, source: int, destination: int) -> bool:
        """Move tasks while that helps; return whether one moved."""
        has_moved = False
        for task in sorted(self._held[source]):
            if not self._should_move(source, destination):
                break
            if not self._clients.has(destination, task):
                self._held[source].remove(task)
                self._held[destination].add(task)
                self._count[source] -= 1
                self._count[destination] += 1
                has_moved = True
        self._note()
        return has_moved

    def _note(self):
        self._least = ((self._count + 1) / self._capacity).min()

    def _should_move(self, source: int, destinations: int | slice) -> np.ndarray:
        """Return whether one task less here and one more there leaves the loads more even and does not turn them round."""
        count, capacity = self._count[destinations], self._capacity[destinations]
        skew = self._count[source] / self._capacity[source] - count / capacity
        # Two divisions and a subtraction, as Kafka rounds them.
        after = (self._count[source] - 1) / self._capacity[source] - (count + 1) / capacity
        return (skew > 0) & (after >= 0) & (after < skew)
