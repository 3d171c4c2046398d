"""Leader maps: the order in which the leader of an application passes tasks to an assignor.

Reproduces the maps that `StreamsPartitionAssignor.assign` fills before it calls the assignor:
`TopologyMetadata.subtopologyTopicsInfoMapExcluding`, `PartitionGrouper`, `ChangelogTopics`, and for
a class in `task.assignor.class` also `DefaultApplicationState`.

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
    """Task numbers in the iteration order of Java's collections, int64.

    `tasks`: order of the map of tasks. `stateful`: order of the set of stateful tasks. `tree_bin`:
    as in IterationOrder.
    """

    tasks: np.ndarray
    stateful: np.ndarray
    tree_bin: bool

    def copied(self, application: ApplicationSnapshot, jdk: int) -> IterationOrder:
        """Return the iteration order of a HashSet made from the keys of the map of tasks."""
        order = put_order(
            application.task_hash[self.tasks], set_capacity(application.task_count, jdk)
        )
        return IterationOrder(self.tasks[order.rows], self.tree_bin or order.tree_bin)


def leader_maps(application: ApplicationSnapshot, jdk: int) -> LeaderMaps:
    """Return the iteration orders of the leader's maps."""
    walk = _Walk(application)
    # Subtopologies are ascending. The leader copies them with putAll, and fills its map of source
    # topics from the copy.
    parts = np.unique(application.task_subtopology)
    listed = walk.put(parts, subtopology_hashes(parts), put_all_capacity(parts.size, jdk))
    read = walk.put(listed, subtopology_hashes(listed))
    tasks = walk.put_tasks(_of_subtopologies(application.task_subtopology, read))
    # Each subtopology has its own set of tasks, filled in the order of the map of tasks.
    sets = [
        walk.put_tasks(tasks[application.task_subtopology[tasks] == part])
        for part in listed.tolist()
    ]
    of_sets = np.concatenate(sets) if sets else tasks
    stateful = walk.put_tasks(walk.put_tasks(of_sets[application.is_stateful[of_sets]]))
    return LeaderMaps(tasks, stateful, walk.tree_bin)


def public_maps(application: ApplicationSnapshot, jdk: int) -> LeaderMaps:
    """Return the iteration orders of the maps for an assignor of the public interface (KIP-924).

    Its map of tasks is a copy of the leader's map.
    """
    maps, walk = leader_maps(application, jdk), _Walk(application)
    return maps._replace(tasks=walk.put_tasks(maps.tasks), tree_bin=maps.tree_bin or walk.tree_bin)


class _Walk:
    """Puts keys into maps, and stores whether any map had a tree bin."""

    def __init__(self, application: ApplicationSnapshot):
        self.tree_bin = False
        self._task_hash = application.task_hash

    def put(self, keys: np.ndarray, hashes: np.ndarray, first: int = FIRST_CAPACITY) -> np.ndarray:
        """Return the iteration order of a HashMap to which distinct `keys` are added in the given
        order.
        """
        order = put_order(hashes, first)
        self.tree_bin |= order.tree_bin
        return keys[order.rows]

    def put_tasks(self, tasks: np.ndarray) -> np.ndarray:
        """Return the same as `put` for task numbers."""
        return self.put(tasks, self._task_hash[tasks])


def _of_subtopologies(subtopology: np.ndarray, in_order: np.ndarray) -> np.ndarray:
    """Return task numbers: the subtopologies `in_order`, each with its partitions ascending.

    `subtopology`: subtopology of each task, ascending, int32 (K,).
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
