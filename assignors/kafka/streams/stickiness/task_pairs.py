"""TaskPairs: which tasks have met on a client, so that others may meet next."""

from collections.abc import Iterable


class TaskPairs:
    """Unordered pairs of tasks."""

    def __init__(self, task_count: int):
        self._most = task_count * (task_count - 1) // 2
        self._pairs: set[tuple[int, int]] = set()

    def add(self, task: int, others: Iterable[int]):
        """Record that a task joins others."""
        self._pairs.update((min(task, other), max(task, other)) for other in others)

    def has_new(self, task: int, others: Iterable[int]) -> bool:
        """Return whether the task would meet one that it has not met; never once all pairs have met."""
        return len(self._pairs) < self._most and any((min(task, other), max(task, other)) not in self._pairs for other in others)
