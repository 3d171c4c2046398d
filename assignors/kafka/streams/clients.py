"""Clients: what each client is being given while an assignor works."""

from collections.abc import Sequence

from evenkeel.assignors.java.collections import HashSet


class Clients:
    """Active tasks and standbys of each client.

    Clients and tasks are numbers that ascend as Kafka compares process ids and task ids.

    Attributes
    ----------
    maps : list of HashSet
        The tasks of each client as a map of a public class holds them; empty for Kafka's own classes, which keep sorted sets.
    """

    def __init__(self, capacity: Sequence[int]):
        self.capacity = capacity
        self.maps: list[HashSet] = []
        self.active: list[set[int]] = [set() for _ in capacity]
        self.standby: list[set[int]] = [set() for _ in capacity]

    def __len__(self) -> int:
        return len(self.capacity)

    def has(self, client: int, task: int) -> bool:
        """Return whether the client has the task in any role."""
        return task in self.active[client] or task in self.standby[client]

    def task_count(self, client: int) -> int:
        """Return the number of active tasks and standbys."""
        return len(self.active[client]) + len(self.standby[client])

    def load(self, client: int) -> float:
        """Return active tasks and standbys by thread."""
        return self.task_count(client) / self.capacity[client]

    def active_load(self, client: int) -> float:
        """Return active tasks by thread."""
        return len(self.active[client]) / self.capacity[client]
