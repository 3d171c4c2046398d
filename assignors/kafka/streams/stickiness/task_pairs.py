"""TaskPairs: which tasks have met on a client, so that others may meet next.

Kafka keeps a set of pairs; with thousands of tasks on a client these are millions. Tasks meet when one is placed where the other is, so the
tasks of each client say the same, as bits of one integer.
"""

from collections.abc import Sequence


class TaskPairs:
    """Unordered pairs of tasks, for tasks that are placed and, once in between, exchanged."""

    def __init__(self, client_count: int):
        self._held = [0] * client_count
        self._placed = [0] * client_count
        self._before: list[int] = []
        self._clients: dict[int, list[int]] = {}

    def place(self, task: int, client: int):
        """Record that a task joins those of a client."""
        self._held[client] |= 1 << task
        self._placed[client] |= 1 << task
        self._clients.setdefault(task, []).append(client)

    def exchange(self, held: Sequence[set[int]]):
        """Note where tasks are after an exchange, in which none meets another as far as Kafka records it."""
        self._before = self._held
        self._held = [sum(1 << task for task in tasks) for tasks in held]
        self._placed = [0] * len(held)
        self._clients = {}
        for client, tasks in enumerate(held):
            for task in tasks:
                self._clients.setdefault(task, []).append(client)

    def met(self, task: int) -> int:
        """Return the tasks that the task has met, as bits; itself may be among them."""
        bit, found = 1 << task, 0
        for held in self._before:
            found |= held if held & bit else 0
        for client in self._clients.get(task, ()):
            found |= self._held[client] if self._placed[client] & bit else self._placed[client]
        return found

    def has_new(self, met: int, client: int) -> bool:
        """Return whether the client has a task that is not among those met."""
        return bool(self._held[client] & ~met)
