"""From client to thread: which consumer of a process gets which of its tasks.

Reproduces `StreamsPartitionAssignor.assignTasksToThreads`.
"""

from collections import deque
from collections.abc import Iterable, Sequence

from evenkeel.assignors.java.collections import PriorityQueue


class Waiting:
    """Tasks without a consumer, in a PriorityQueue whose array is worked out only if somebody reads it.

    Attributes
    ----------
    left : set of int
    """

    def __init__(self, tasks: Iterable[int]):
        self._tasks, self._removed = list(tasks), []
        self.left = set(self._tasks)

    def remove(self, task: int):
        """Take a task out; to poll the head is to remove the smallest."""
        self._removed.append(task)
        self.left.remove(task)

    def in_array_order(self) -> Iterable[int]:
        """Return the tasks that are left as Java's queue iterates."""
        if len(self.left) < 2:
            return self.left
        queue = PriorityQueue(elements=self._tasks)
        for task in self._removed:
            queue.remove(task)
        return queue


class Threads:
    """The consumers of one process, numbered by ascending id; what one call hands out counts in the next one.

    Parameters
    ----------
    previous : sequence of lists
        Of each consumer: the stateful tasks that it reported, by lag, then id.
    """

    def __init__(self, previous: Sequence[list[int]]):
        self._previous = previous
        self._load = [0] * len(previous)

    def share_out(self, tasks: Iterable[int], is_sticky: bool) -> list[list[int]]:
        """Return what each consumer gets; `tasks` in the order of the Java collection."""
        waiting = Waiting(tasks)
        given: list[list[int]] = [[] for _ in self._load]
        if not waiting.left:
            return given
        least = (sum(self._load) + len(waiting.left)) // len(self._load)
        skipped = self._give_back(waiting, given, least) if is_sticky else {}
        self._fill(waiting, given, least)
        self._give_rest(waiting, given, least, skipped)
        self._load = [load + len(got) for load, got in zip(self._load, given, strict=True)]
        return given

    def _give_back(self, waiting: Waiting, given: list[list[int]], least: int) -> dict[int, int]:
        """Let consumers keep tasks up to the least number; return the last previous consumer of each task that found no place."""
        skipped = {}
        for consumer, previous in enumerate(self._previous):
            for task in previous:
                if task not in waiting.left:
                    continue
                if self._load[consumer] + len(given[consumer]) < least:
                    given[consumer].append(task)
                    waiting.remove(task)
                else:
                    skipped[task] = consumer
        return skipped

    def _fill(self, waiting: Waiting, given: list[list[int]], least: int):
        to_fill = deque(consumer for consumer, got in enumerate(given) if self._load[consumer] + len(got) < least)
        smallest = iter(sorted(waiting.left) if to_fill else ())
        while to_fill:
            consumer, task = to_fill.popleft(), next(smallest)
            given[consumer].append(task)
            waiting.remove(task)
            if self._load[consumer] + len(given[consumer]) < least:
                to_fill.append(consumer)

    def _give_rest(self, waiting: Waiting, given: list[list[int]], least: int, skipped: dict[int, int]):
        """Give one more task to consumers at the least number, first to those that had the task before."""
        if not waiting.left:
            return
        to_fill = dict.fromkeys(consumer for consumer, got in enumerate(given) if self._load[consumer] + len(got) == least)
        for task in sorted(waiting.left & skipped.keys()):
            if skipped[task] in to_fill:
                given[skipped[task]].append(task)
                waiting.remove(task)
                del to_fill[skipped[task]]
        # Kafka walks its heap in array order here.
        for task, consumer in zip(waiting.in_array_order(), to_fill, strict=False):
            given[consumer].append(task)
