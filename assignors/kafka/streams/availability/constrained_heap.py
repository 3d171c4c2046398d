"""ConstrainedHeap: the lightest client that fits a task.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.ConstrainedPrioritySet`.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from evenkeel.assignors.java.collections import HashSet, PriorityQueue, put_order


def _always(_client: int) -> bool:
    return True


class ConstrainedHeap:
    """A heap of clients by weight, then id.

    Weights change while clients wait in the heap, as in Kafka, so the head is not always the lightest client.

    Parameters
    ----------
    weight : function of a client
    fits : function of a client and a task
    hashes : sequence of int
        Java's hash codes of the process ids: clients that do not fit return in the order of a HashSet.

    Attributes
    ----------
    tree_bin : bool
        Too many hash codes met in one bucket of a HashSet, so the answer may differ from Kafka's.
    """

    def __init__(self, weight: Callable[[int], float], fits: Callable[[int, int], bool], hashes: Sequence[int]):
        self.tree_bin = False
        self._queue = PriorityQueue(lambda client: (weight(client), client))
        self._inside: set[int] = set()
        self._weight, self._fits, self._hashes = weight, fits, hashes
        self._is_settled = False

    def offer(self, clients: Iterable[int]):
        """Put clients in, one after the other; one that is inside is taken out first."""
        self._is_settled = False
        for client in clients:
            if client in self._inside:
                self._queue.remove(client)
            self._inside.add(client)
            self._queue.offer(client)

    def poll(self, task: int, may: Callable[[int], bool] = _always) -> int | None:
        """Take out the first client that fits the task and `may` have it; None if there is none."""
        if not any(self._fits(client, task) and may(client) for client in self._inside):
            self._settle()
            return None
        rejected = HashSet(self._hashes.__getitem__)
        found = None
        while self._queue and found is None:
            client = self._queue.poll()
            self._inside.remove(client)
            if self._fits(client, task) and may(client):
                found = client
            else:
                rejected.add(client)
        self.offer(rejected)
        self.tree_bin |= rejected.tree_bin
        return found

    def _settle(self):
        """Do what a search in vain does: take every client out and put it back in the order of a HashSet."""
        if self._is_settled:
            return
        key = {client: (self._weight(client), client) for client in self._inside}
        taken = list(self._queue)
        # Weights that changed inside may have left a heap that gives clients in another order than by weight.
        is_sorted = all(key[client] >= key[taken[(place - 1) // 2]] for place, client in enumerate(taken) if place)
        taken = sorted(taken, key=key.__getitem__) if is_sorted else [self._queue.poll() for _ in taken]
        order = put_order(np.array([self._hashes[client] for client in taken], dtype=np.uint32))
        self._queue = PriorityQueue(key.__getitem__)
        for row in order.rows.tolist():
            self._queue.offer(taken[row])
        self._queue.compare_by(lambda client: (self._weight(client), client))
        self.tree_bin |= order.tree_bin
        self._is_settled = is_sorted
