"""TaskPartitions: the partitions that tasks read or keep their state in, and in which racks these are."""

from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.group.snapshot import NO_RACK


@dataclass(frozen=True, eq=False)
class TaskPartitions:
    """N partitions of K tasks, R replicas.

    Parameters
    ----------
    start : int64 (K + 1,)
        First partition of each task, and N at the end; a task of which nothing is known has none.
    replica_start : int64 (N + 1,)
    replica_rack : int32 (R,)
        Rows of the snapshot's `rack_name`, or `NO_RACK`; those of partition n are `replica_rack[replica_start[n]:replica_start[n + 1]]`.
    """

    start: np.ndarray
    replica_start: np.ndarray
    replica_rack: np.ndarray

    @property
    def is_known(self) -> np.ndarray:
        """bool (K,): the task has partitions."""
        return np.diff(self.start) > 0

    @property
    def has_racks(self) -> np.ndarray:
        """bool (K,): the task has partitions, each has replicas, and each replica has a rack."""
        has_none = np.diff(self.replica_start) == 0
        has_none[self._replica_partition[self.replica_rack == NO_RACK]] = True
        return self.is_known & (np.bincount(self._task[has_none], minlength=len(self.start) - 1) == 0)

    @property
    def has_some_racks(self) -> np.ndarray:
        """bool (K,): the task has partitions, and of each one replica or more has a rack."""
        has_none = np.ones(len(self.replica_start) - 1, dtype=bool)
        has_none[self._replica_partition[self.replica_rack != NO_RACK]] = False
        return self.is_known & (np.bincount(self._task[has_none], minlength=len(self.start) - 1) == 0)

    def misses(self, racks: np.ndarray, rack_count: int) -> np.ndarray:
        """int64 (C, K): how many of each task's partitions have no replica in each of `racks`, rows of rack names, (C,)."""
        is_there = np.zeros((rack_count, len(self._task)), dtype=bool)
        has_rack = self.replica_rack != NO_RACK
        is_there[self.replica_rack[has_rack], self._replica_partition[has_rack]] = True
        missing = np.array([np.bincount(self._task[~row], minlength=len(self.start) - 1) for row in is_there])
        return missing[racks]

    @property
    def _task(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    @property
    def _replica_partition(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.replica_start) - 1), np.diff(self.replica_start))
