"""Standbys by client tags, KIP-708: the clients of a task's copies differ in their tags.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.ClientTagAwareStandbyTaskAssignor`.
"""

from collections.abc import Sequence

import numpy as np

from evenkeel.assignors.group.application import NO_TAG
from evenkeel.assignors.java.collections import put_order
from evenkeel.assignors.kafka.streams.availability.standbys import Standbys
from evenkeel.assignors.kafka.streams.clients import Clients


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
