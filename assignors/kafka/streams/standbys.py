"""Standbys: each stateful task's copies on the lightest other clients, and by client tags (KIP-708).

Reproduces `DefaultStandbyTaskAssignor` and `ClientTagAwareStandbyTaskAssignor` of
`org.apache.kafka.streams.processor.internals.assignment`. Loads change only by what is placed, so Kafka's heap always gives the lightest
client by (load, id), and a column of loads does.
"""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush, heapreplace

import numpy as np

from evenkeel.assignors.group.application import NO_TAG
from evenkeel.assignors.java.collections import put_order
from evenkeel.assignors.kafka.streams.clients import Clients
from evenkeel.assignors.kafka.streams.task_steps import STANDBY, Lightest

_NONE_BLOCKED = np.zeros(0, dtype=np.int64)


class Standbys:
    """Places copies on clients whose active tasks are all there."""

    def __init__(self, clients: Clients):
        self._clients = clients
        self._capacity = np.array(clients.capacity, dtype=np.float64)
        self._count = np.array([clients.task_count(client) for client in range(len(clients))], dtype=np.float64)
        self._load = self._count / self._capacity
        self._holders = {task: [client] for client, tasks in enumerate(clients.active) for task in tasks}

    def runs_on(self, task: int) -> int:
        """Return the client that runs the task."""
        return self._holders[task][0]

    def place(self, task: int, number: int):
        """Put so many copies on the lightest clients without the task; copies that no client can take are left out."""
        if number <= 0:
            return
        load = self._load.copy()
        load[self._holders[task]] = np.inf
        found = [int(load.argmin())] if number == 1 else np.argsort(load, kind="stable")[:number].tolist()
        for client in found:
            if load[client] < np.inf:
                self._add(task, client)

    def place_one_each(self, tasks: Sequence[int]):
        """Put one copy of each task, in order, on the lightest client without it."""
        heap = [(load, client) for client, load in enumerate(self._load.tolist())]
        heapify(heap)
        for task in tasks:
            own = heappop(heap) if heap[0][1] == self.runs_on(task) else None
            if heap:
                client = heap[0][1]
                self._add(task, client)
                heapreplace(heap, (self._clients.load(client), client))
            if own:
                heappush(heap, own)

    def place_one(self, task: int, blocked: np.ndarray = _NONE_BLOCKED) -> int | None:
        """Put a copy on the lightest client without the task that is not blocked; return the client."""
        load = self._load.copy()
        load[self._holders[task]] = np.inf
        load[blocked] = np.inf
        client = int(load.argmin())
        if load[client] == np.inf:
            return None
        self._add(task, client, by_tags=bool(blocked.any()))
        return client

    def _add(self, task: int, client: int, by_tags: bool = False):
        load = (int(self._count[client]), int(self._capacity[client]))
        self._clients.tell(task, Lightest, client, role=STANDBY, load=load, by_tags=by_tags)
        self._clients.standby[client].add(task)
        self._holders[task].append(client)
        self._count[client] += 1
        self._load[client] = self._count[client] / self._capacity[client]


class TaggedStandbys:
    """Places copies client by client; each client blocks the values of its tags for the next one.

    A key whose values are all in use blocks nothing any more.

    Parameters
    ----------
    standbys : Standbys
    tags : int32 (C, keys)
        The configured keys; `NO_TAG` where a client has no such tag.

    Attributes
    ----------
    tree_bin : bool
        Too many hash codes of tasks met in one bucket, so the answer may differ from Kafka's.
    """

    def __init__(self, standbys: Standbys, tags: np.ndarray):
        self.tree_bin = False
        self._standbys, self._columns = standbys, tags
        self._tags = [[(key, value) for key, value in enumerate(row) if value != NO_TAG] for row in tags.tolist()]
        self._value_count = [len(set(column) - {NO_TAG}) for column in tags.T.tolist()]

    def assign(self, tasks: Sequence[int], number: int, hashes: np.ndarray):
        """Place so many copies of each task; those that find no client by tags are placed by load alone in the end.

        `tasks` ascending, `hashes` uint32: their hash codes. A negative number is not refused: Kafka places one copy by tags.
        """
        missing = [self._place(task, self._standbys.runs_on(task), max(number, 1)) for task in tasks]
        # Kafka fills a HashMap with all tasks, removes the served ones and walks the rest.
        walked = put_order(hashes)
        rest = [row for row in walked.rows.tolist() if missing[row] and number > 0]
        self.tree_bin = walked.tree_bin and len(rest) > 1
        for row in rest:
            self._standbys.place(tasks[row], missing[row])

    def _place(self, task: int, last: int, missing: int) -> int:
        """Return how many copies are still missing."""
        blocked: set[tuple[int, int]] = set()
        used = 1
        while missing:
            blocked = self._blocked_after(last, used, blocked)
            last = self._standbys.place_one(task, self._with_any(blocked))
            if last is None:
                return missing
            used, missing = used + 1, missing - 1
        return missing

    def _with_any(self, blocked: set[tuple[int, int]]) -> np.ndarray:
        """Tell, bool (C,), which clients have one of the (key, value)."""
        found = np.zeros(len(self._columns), dtype=bool)
        for key, value in blocked:
            found |= self._columns[:, key] == value
        return found

    def _blocked_after(self, client: int, used: int, blocked: set[tuple[int, int]]) -> set[tuple[int, int]]:
        exhausted = {key for key, _ in self._tags[client] if self._value_count[key] <= used}
        return {(key, value) for key, value in blocked | set(self._tags[client]) if key not in exhausted}


def has_tags_of(tags: np.ndarray, source: int, destination: int) -> bool:
    """Return whether the destination has every tag of the source with the same value; `tags` has all keys, not only the configured ones."""
    return bool(((tags[source] == NO_TAG) | (tags[source] == tags[destination])).all())


def keeps_tags(tags: np.ndarray, clients: Clients, source: int, destination: int, task: int) -> bool:
    """Return whether the clients of a task have no fewer different tags when a copy moves; `tags` has all keys."""
    others = [client for client in range(len(clients)) if client not in (source, destination) and clients.has(client, task)]
    return _different(tags[[*others, destination]]) >= _different(tags[[*others, source]])


def _different(tags: np.ndarray) -> int:
    return sum(len(set(column) - {NO_TAG}) for column in tags.T.tolist())
