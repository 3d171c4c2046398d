"""From client to thread: which consumer of a process gets which of its tasks.

Reproduces `StreamsPartitionAssignor.assignTasksToThreads`.
"""

from collections import deque
from collections.abc import Iterable, Sequence

from assignors.java.priority_queue import PriorityQueue


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
        waiting = PriorityQueue(elements=tasks)
        least = (sum(self._load) + len(waiting)) // len(self._load)
        given: list[list[int]] = [[] for _ in self._load]
        if waiting:
            skipped = self._give_back(waiting, given, least) if is_sticky else {}
            self._fill(waiting, given, least)
            self._give_rest(waiting, given, least, skipped)
        self._load = [load + len(got) for load, got in zip(self._load, given, strict=True)]
        return given

    def _give_back(self, waiting: PriorityQueue, given: list[list[int]], least: int) -> dict[int, int]:
        """Let consumers keep tasks up to the least number; return the last previous consumer of each task that found no place."""
        left, skipped = set(waiting), {}
        for consumer, previous in enumerate(self._previous):
            for task in previous:
                if task not in left:
                    continue
                if self._load[consumer] + len(given[consumer]) < least:
                    given[consumer].append(task)
                    waiting.remove(task)
                    left.remove(task)
                else:
                    skipped[task] = consumer
        return skipped

    def _fill(self, waiting: PriorityQueue, given: list[list[int]], least: int):
        to_fill = deque(consumer for consumer, got in enumerate(given) if self._load[consumer] + len(got) < least)
        while to_fill:
            consumer = to_fill.popleft()
            given[consumer].append(waiting.poll())
            if self._load[consumer] + len(given[consumer]) < least:
                to_fill.append(consumer)

    def _give_rest(self, waiting: PriorityQueue, given: list[list[int]], least: int, skipped: dict[int, int]):
        """Give one more task to consumers at the least number, first to those that had the task before."""
        to_fill = [consumer for consumer, got in enumerate(given) if self._load[consumer] + len(got) == least]
        left = set(waiting)
        for task in sorted(left & skipped.keys()):
            if skipped[task] in to_fill:
                given[skipped[task]].append(task)
                waiting.remove(task)
                to_fill.remove(skipped[task])
        # Kafka walks its heap in array order here.
        for task, consumer in zip(waiting, to_fill, strict=False):
            given[consumer].append(task)
