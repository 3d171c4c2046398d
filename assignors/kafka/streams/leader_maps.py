"""Leader maps: the orders in which the leader of an application hands its tasks to an assignor.

Reproduces what `StreamsPartitionAssignor.assign` fills before:
`TopologyMetadata.subtopologyTopicsInfoMapExcluding`, `PartitionGrouper`, `ChangelogTopics`, and
`DefaultApplicationState` for a class that `task.assignor.class` names.

    maps = leader_maps(application, jdk=17)
    maps.tasks.tolist()
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.java.collections import IterationOrder, put_order
from evenkeel.assignors.java.hashing import (
    FIRST_CAPACITY,
    put_all_capacity,
    set_capacity,
    subtopology_hashes,
)


class LeaderMaps(NamedTuple):
    """Rows of tasks, int64, as Java's collections iterate.

    `tasks`: the keys of the map of tasks. `stateful`: the set of stateful tasks. `tree_bin` as in
    IterationOrder.
    """

    tasks: np.ndarray
    stateful: np.ndarray
    tree_bin: bool

    def copied(self, application: ApplicationSnapshot, jdk: int) -> IterationOrder:
        """Return the order of a HashSet made from the keys of the map of tasks."""
        order = put_order(
            application.task_hash[self.tasks], set_capacity(application.task_count, jdk)
        )
        return IterationOrder(self.tasks[order.rows], self.tree_bin or order.tree_bin)


def leader_maps(application: ApplicationSnapshot, jdk: int) -> LeaderMaps:
    """Return the orders of the leader's own maps."""
    walk = _Walk(application)
    # Subtopologies come ascending; the leader gets a copy by putAll, and fills its map of source
    # topics from that copy.
    parts = np.unique(application.task_subtopology)
    listed = walk.put(parts, subtopology_hashes(parts), put_all_capacity(parts.size, jdk))
    read = walk.put(listed, subtopology_hashes(listed))
    tasks = walk.put_tasks(_of_subtopologies(application.task_subtopology, read))
    # Each subtopology's tasks are in a set of their own, filled in the order of the map of tasks.
    sets = [
        walk.put_tasks(tasks[application.task_subtopology[tasks] == part])
        for part in listed.tolist()
    ]
    of_sets = np.concatenate(sets) if sets else tasks
    stateful = walk.put_tasks(walk.put_tasks(of_sets[application.is_stateful[of_sets]]))
    return LeaderMaps(tasks, stateful, walk.tree_bin)


def public_maps(application: ApplicationSnapshot, jdk: int) -> LeaderMaps:
    """Return the orders of the application's state that a public class is given: one more copy of
    the map of tasks.
    """
    maps, walk = leader_maps(application, jdk), _Walk(application)
    return maps._replace(tasks=walk.put_tasks(maps.tasks), tree_bin=maps.tree_bin or walk.tree_bin)


class _Walk:
    """Puts keys into maps one after the other, and remembers whether one of them had a tree bin."""

    def __init__(self, application: ApplicationSnapshot):
        self.tree_bin = False
        self._task_hash = application.task_hash

    def put(self, keys: np.ndarray, hashes: np.ndarray, first: int = FIRST_CAPACITY) -> np.ndarray:
        """Return distinct keys as a HashMap iterates that they are put into in this order."""
        order = put_order(hashes, first)
        self.tree_bin |= order.tree_bin
        return keys[order.rows]

    def put_tasks(self, tasks: np.ndarray) -> np.ndarray:
        """As `put`, for rows of tasks."""
        return self.put(tasks, self._task_hash[tasks])


def _of_subtopologies(subtopology: np.ndarray, in_order: np.ndarray) -> np.ndarray:
    """Return rows of tasks, subtopology by subtopology in this order, partitions ascending;
    `subtopology` int32 (K,) ascends.
    """
    start, end = (
        np.searchsorted(subtopology, in_order),
        np.searchsorted(subtopology, in_order, side="right"),
    )
    return (
        np.concatenate([np.arange(*of_one) for of_one in zip(start, end, strict=True)])
        if in_order.size
        else np.arange(0)
    )
