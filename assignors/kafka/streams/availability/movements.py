"""Task movements: tasks stay on clients that are caught up while the clients meant to have them warm up.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.TaskMovement`.
"""

from collections.abc import Sequence

from evenkeel.assignors.java.collections import PriorityQueue
from evenkeel.assignors.kafka.streams.availability.constrained_heap import ConstrainedHeap
from evenkeel.assignors.kafka.streams.availability.ranking import Ranking
from evenkeel.assignors.kafka.streams.clients import Clients


class Movements:
    """One pass over active tasks and one over standbys, which share one budget of warmups.

    Attributes
    ----------
    warmup : set of (client, task)
        Copies that clients fill until they can take over.
    count : int
        Movements that need a later rebalance.
    tree_bin : bool
        As in ConstrainedHeap.
    """

    def __init__(self, clients: Clients, ranking: Ranking, max_warmup_replicas: int, hashes: Sequence[int]):
        self.warmup: set[tuple[int, int]] = set()
        self.count = 0
        self.tree_bin = False
        self._clients, self._ranking, self._hashes = clients, ranking, hashes
        self._budget = max_warmup_replicas

    def move_active_tasks(self):
        """Give each active task whose client is behind to a client that is less behind, best one that has a standby of it."""
        heap, queue = self._heap(), self._queue(self._clients.active)
        self.count += len(queue)
        while queue:
            _, task, destination = queue.poll()
            source = heap.poll(task, lambda client, task=task: task in self._clients.standby[client])
            source = heap.poll(task) if source is None else source
            source = self._ranking.ahead_of(destination, task)[0] if source is None else source
            self._swap_or_warm_up(task, source, destination)
            heap.offer((source, destination))
        self.tree_bin |= heap.tree_bin

    def move_standbys(self):
        """Put a copy of each standby whose client is behind on a client that is less behind and has none."""
        heap, queue = self._heap(), self._queue(self._clients.standby)
        while queue:
            _, task, destination = queue.poll()
            source = heap.poll(task, lambda client, task=task: not self._clients.has(client, task))
            if source is None:
                source = next((each for each in self._ranking.ahead_of(destination, task) if not self._clients.has(each, task)), None)
            if source is not None:
                self._clients.standby[source].add(task)
                self._warm_up(task, destination)
                self.count += 1
                heap.offer((source, destination))
        self.tree_bin |= heap.tree_bin

    def _heap(self) -> ConstrainedHeap:
        heap = ConstrainedHeap(self._clients.load, self._ranking.is_caught_up, self._hashes)
        heap.offer(range(len(self._clients)))
        return heap

    def _queue(self, held: list[set[int]]) -> PriorityQueue:
        """Return what has to move, (caught up clients, task, destination): tasks that fewest clients could take come first."""
        # The layout of the heap decides between two standbys of one task.
        queue = PriorityQueue(lambda movement: movement[:2])
        for client, tasks in enumerate(held):
            for task in sorted(tasks & self._ranking.behind(client)):
                if (client, task) not in self.warmup:
                    queue.offer((self._ranking.caught_up_count(task), task, client))
        return queue

    def _swap_or_warm_up(self, task: int, source: int, destination: int):
        clients = self._clients
        clients.active[destination].remove(task)
        clients.active[source].add(task)
        if task in clients.standby[source]:
            clients.standby[source].remove(task)
            clients.standby[destination].add(task)
        else:
            self._warm_up(task, destination)

    def _warm_up(self, task: int, destination: int):
        """Let the destination fill a copy if the budget allows; else it has none until a later rebalance."""
        if self._budget > 0:
            self._clients.standby[destination].add(task)
            self.warmup.add((destination, task))
        else:
            self._clients.standby[destination].discard(task)
        self._budget -= 1
