"""Task movements: tasks stay on caught-up clients while their new clients warm up.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.TaskMovement` and its
`ConstrainedPrioritySet`.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from evenkeel.assignors.java.collections import HashSet, PriorityQueue, put_order
from evenkeel.assignors.kafka.streams.clients import Clients
from evenkeel.assignors.kafka.streams.task_steps import STANDBY, CopyFirst, TookOver


class Movements:
    """A pass over active tasks, and a pass over standbys. `max_warmup_replicas` limits the warm-ups
    of both passes together.

    Attributes
    ----------
    warmup : set of (client, task)
        Warm-ups: copies that a client fills before it gets the task.
    count : int
        Number of moves that need a later rebalance.
    tree_bin : bool
        As in ConstrainedHeap.
    """

    def __init__(
        self, clients: Clients, ranking: "Ranking", max_warmup_replicas: int, hashes: Sequence[int]
    ):
        self.warmup: set[tuple[int, int]] = set()
        self.count = 0
        self.tree_bin = False
        self._clients, self._ranking, self._hashes = clients, ranking, hashes
        self._budget = max_warmup_replicas

    def move_active_tasks(self):
        """Move each active task whose client has too much lag to a client with less lag.

        A client with a standby of the task is preferred.
        """
        heap, queue = self._heap(), self._queue(self._clients.active)
        self.count += len(queue)
        while queue:
            _, task, destination = queue.poll()
            source = heap.poll(task, lambda client, task: task in self._clients.standby[client])
            source = heap.poll(task) if source is None else source
            source = self._ranking.ahead_of(destination, task)[0] if source is None else source
            self._swap_or_warm_up(task, source, destination)
            heap.offer((source, destination))
        self.tree_bin |= heap.tree_bin

    def move_standbys(self):
        """For each standby whose client has too much lag, add a standby on a client with less lag.

        Only a client that does not have the task can get the standby.
        """
        heap, queue = self._heap(), self._queue(self._clients.standby)
        while queue:
            _, task, destination = queue.poll()
            source = heap.poll(task, lambda client, task: not self._clients.has(client, task))
            if source is None:
                source = next(
                    (
                        each
                        for each in self._ranking.ahead_of(destination, task)
                        if not self._clients.has(each, task)
                    ),
                    None,
                )
            if source is not None:
                self._tell(CopyFirst, task, source, destination, role=STANDBY)
                self._clients.standby[source].add(task)
                self._warm_up(task, destination)
                self.count += 1
                heap.offer((source, destination))
        self.tree_bin |= heap.tree_bin

    def _heap(self) -> "ConstrainedHeap":
        heap = ConstrainedHeap(self._clients.load, self._ranking.is_caught_up, self._hashes)
        heap.offer(range(len(self._clients)))
        return heap

    def _queue(self, held: list[set[int]]) -> PriorityQueue:
        """Return a queue of tasks to move: (number of caught-up clients, task, destination).

        Tasks with the fewest caught-up clients come first.
        """
        # The layout of the heap decides between two standbys of the same task.
        queue = PriorityQueue(lambda movement: movement[:2])
        for client, tasks in enumerate(held):
            for task in sorted(tasks & self._ranking.behind(client)):
                if (client, task) not in self.warmup:
                    queue.offer((self._ranking.caught_up_count(task), task, client))
        return queue

    def _swap_or_warm_up(self, task: int, source: int, destination: int):
        clients = self._clients
        self._tell(TookOver, task, source, destination, had_copy=task in clients.standby[source])
        clients.active[destination].remove(task)
        clients.active[source].add(task)
        if task in clients.standby[source]:
            clients.standby[source].remove(task)
            clients.standby[destination].add(task)
        else:
            self._warm_up(task, destination)

    def _tell(self, kind: type, task: int, source: int, destination: int, **about: object):
        lags = {
            "lag": self._ranking.lag(source, task),
            "lag_of_meant": self._ranking.lag(destination, task),
        }
        self._clients.tell(
            task, kind, source, meant=destination, warms_up=self._budget > 0, **lags, **about
        )

    def _warm_up(self, task: int, destination: int):
        """Start a warm-up on the destination if the limit allows it.

        If not, the destination has no copy until a later rebalance.
        """
        if self._budget > 0:
            self._clients.standby[destination].add(task)
            self.warmup.add((destination, task))
        else:
            self._clients.standby[destination].discard(task)
        self._budget -= 1


class Ranking:
    """The clients of each stateful task, sorted by lag.

    Parameters
    ----------
    lag : int64 (C, K)
        Lag of each client on each task, clients ascending by process id. The codes -3 (unknown) and
        -2 (running) sort before all real lags.
    is_caught_up : bool (C, K)
    """

    def __init__(self, lag: np.ndarray, is_caught_up: np.ndarray):
        self._lag, self._is_caught_up = lag, is_caught_up
        self._caught_up: dict[int, set[int]] = {}
        # Without clients there is no least lag, and it is not needed.
        self._is_behind = ~is_caught_up & (lag > lag.min(axis=0)) if len(lag) else is_caught_up

    def lag(self, client: int, task: int) -> int:
        """Return the number of records that the client must restore, as the leader calculates
        it.
        """
        return int(self._lag[client, task])

    def caught_up(self, task: int) -> set[int]:
        """Return the clients that may run the task now."""
        if task not in self._caught_up:
            self._caught_up[task] = set(np.flatnonzero(self._is_caught_up[:, task]).tolist())
        return self._caught_up[task]

    def is_caught_up(self, client: int, task: int) -> bool:
        """Return whether the client may run the task now."""
        return client in self.caught_up(task)

    def caught_up_count(self, task: int) -> int:
        """Return the number of caught-up clients."""
        return len(self.caught_up(task))

    def behind(self, client: int) -> set[int]:
        """Return the tasks on which the client has too much lag, and another client has less
        lag.
        """
        return set(np.flatnonzero(self._is_behind[client]).tolist())

    def ahead_of(self, client: int, task: int) -> list[int]:
        """Return the clients that come before `client` if sorted by lag, and by id if lags are
        equal.
        """
        order = np.argsort(self._lag[:, task], kind="stable").tolist()
        return order[: order.index(client)]


def _always(_client: int, _task: int) -> bool:
    return True


class ConstrainedHeap:
    """A heap of clients, sorted by weight, and by id if weights are equal.

    As in Kafka, weights change while clients are in the heap, so the first client is not always the
    client with the smallest weight.

    Parameters
    ----------
    weight : function of a client
    fits : function of a client and a task
    hashes : sequence of int
        Java's hash codes of the process ids. Clients that do not fit are added again, in the
        iteration order of a HashSet.

    Attributes
    ----------
    tree_bin : bool
        Whether Kafka's real result may differ, because too many clients share a hash bucket.
    """

    def __init__(
        self,
        weight: Callable[[int], float],
        fits: Callable[[int, int], bool],
        hashes: Sequence[int],
    ):
        self.tree_bin = False
        self._queue = PriorityQueue(lambda client: (weight(client), client))
        self._inside: set[int] = set()
        self._weight, self._fits, self._hashes = weight, fits, hashes
        self._is_settled = False

    def offer(self, clients: Iterable[int]):
        """Add clients, one after the other. A client that is already in the heap is first
        removed.
        """
        self._is_settled = False
        for client in clients:
            if client in self._inside:
                self._queue.remove(client)
            self._inside.add(client)
            self._queue.offer(client)

    def poll(self, task: int, may: Callable[[int, int], bool] = _always) -> int | None:
        """Remove and return the first client that fits the task and for which `may` returns True.

        None if there is no such client.
        """
        if not any(self._fits(client, task) and may(client, task) for client in self._inside):
            self._settle()
            return None
        rejected: HashSet[int] = HashSet(self._hashes.__getitem__)
        best = None
        while self._queue and best is None:
            client = self._queue.poll()
            self._inside.remove(client)
            if self._fits(client, task) and may(client, task):
                best = client
            else:
                rejected.add(client)
        self.offer(rejected)
        self.tree_bin |= rejected.tree_bin
        return best

    def _settle(self):
        """Reorder the heap, as Kafka does in a search without result.

        Kafka removes all clients, and adds them again in the iteration order of a HashSet.
        """
        if self._is_settled:
            return
        key = {client: (self._weight(client), client) for client in self._inside}
        taken = list(self._queue)
        # Weights changed in place, so the heap may no longer return clients in weight order.
        is_sorted = all(
            key[client] >= key[taken[(place - 1) // 2]]
            for place, client in enumerate(taken)
            if place
        )
        taken = (
            sorted(taken, key=key.__getitem__) if is_sorted else [self._queue.poll() for _ in taken]
        )
        order = put_order(np.array([self._hashes[client] for client in taken], dtype=np.uint32))
        self._queue = PriorityQueue(key.__getitem__)
        for row in order.rows.tolist():
            self._queue.offer(taken[row])
        self._queue.compare_by(lambda client: (self._weight(client), client))
        self.tree_bin |= order.tree_bin
        self._is_settled = is_sorted
