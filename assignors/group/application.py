"""ApplicationSnapshot: one Kafka Streams application at one moment, stored as columns.

A task assignor has no other input.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.orders import MemberOrder, map_order
from evenkeel.assignors.group.snapshot import NO_RACK, UNKNOWN
from evenkeel.assignors.java.collections import put_order
from evenkeel.assignors.java.hashing import task_id_hashes, uuid_hashes

RUNNING = -2
"""Offset sum and lag of a task that is running on the process."""

UNKNOWN_SUM = -3
"""Offset sum and lag of a copy with unknown offsets. Clients of an old protocol report their
standbys with this value.
"""

UNBOUNDED_LAG = 2**63 - 1
"""Acceptable recovery lag that makes every process count as caught up."""

NOT_REPORTED = -1
NO_TAG = -1


@dataclass(frozen=True, eq=False)
class TaskPartitions:
    """The partitions of each task, and the racks of their replicas: K tasks, N partitions, R
    replicas.

    Parameters
    ----------
    start : int64 (K + 1,)
        Number of the first partition of each task; the last value is N. The partitions of task k
        have the numbers `start[k]` to `start[k + 1] - 1`. An unknown task has no partitions.
    replica_start : int64 (N + 1,)
        The same for partitions and their replicas; the last value is R.
    replica_rack : int32 (R,)
        Number of the replica's rack in the snapshot's `rack_name`, or `NO_RACK`.
    """

    start: np.ndarray
    replica_start: np.ndarray
    replica_rack: np.ndarray

    @property
    def is_known(self) -> np.ndarray:
        """bool (K,): whether the task has partitions."""
        return np.diff(self.start) > 0

    @property
    def has_racks(self) -> np.ndarray:
        """bool (K,): whether every replica of the task's partitions has a rack.

        False if a partition has no replicas, or the task no partitions.
        """
        has_none = np.diff(self.replica_start) == 0
        has_none[self._replica_partition[self.replica_rack == NO_RACK]] = True
        return self.is_known & (
            np.bincount(self._task[has_none], minlength=len(self.start) - 1) == 0
        )

    @property
    def has_some_racks(self) -> np.ndarray:
        """bool (K,): whether every partition of the task has at least one replica with a rack.

        False if the task has no partitions.
        """
        has_none = np.ones(len(self.replica_start) - 1, dtype=bool)
        has_none[self._replica_partition[self.replica_rack != NO_RACK]] = False
        return self.is_known & (
            np.bincount(self._task[has_none], minlength=len(self.start) - 1) == 0
        )

    def misses(self, racks: np.ndarray, rack_count: int) -> np.ndarray:
        """Count the partitions of each task that have no replica in a rack.

        Return int64 (C, K): one row for each rack in `racks`, one column for each task. `racks`:
        rack numbers, (C,).
        """
        is_there = np.zeros((rack_count, len(self._task)), dtype=bool)
        has_rack = self.replica_rack != NO_RACK
        is_there[self.replica_rack[has_rack], self._replica_partition[has_rack]] = True
        missing = np.array(
            [np.bincount(self._task[~row], minlength=len(self.start) - 1) for row in is_there]
        )
        return missing[racks]

    @property
    def _task(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    @property
    def _replica_partition(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.replica_start) - 1), np.diff(self.replica_start))


class ProcessOrder(NamedTuple):
    """Processes in an iteration order of Java.

    `rows`: process numbers in this order, int64 (C,). `tree_bin`: whether Java's real order may
    differ, because a hash map stores a bucket as a tree.
    """

    rows: np.ndarray
    tree_bin: bool


def _no_rows() -> np.ndarray:
    return np.empty(0, dtype=np.int32)


@dataclass(frozen=True, eq=False)
class ApplicationSnapshot:
    """Tasks, processes and consumers, in read-only arrays.

    K tasks, C processes, M consumers, G client tags, O owned tasks, R reported offset sums, S
    standbys. A process is one KafkaStreams instance, which Kafka Streams calls a client. Each
    thread of a process is a consumer. Names are stored only if Kafka's order depends on the names.

    Parameters
    ----------
    task_subtopology, task_partition : int32 (K,)
        In the order of `TaskId.compareTo`.
    is_stateful : bool (K,)
        Whether the task has a changelog.
    end_offset_sum : int64 (K,)
        Sum of the end offsets of the task's changelog partitions, or `UNKNOWN`. No meaning for
        stateless tasks.
    process_id : int64 (C, 2)
        Most and least significant half of the UUID. Processes are in the order of the source.
    member_id : (M,) str
        In the order that the coordinator reported. This order is part of the input, because the
        iteration order of Java's hash maps depends on the order of insertion.
    member_process : int32 (M,)
        Process of each consumer. Every process has at least one consumer.
    tag_key : (G,) str
        Keys of client tags, KIP-708.
    tag_value : int32 (C, G)
        For each process and tag: the number of the tag's value. Equal values of a tag have equal
        numbers. `NO_TAG` if the process does not have the tag.
    rack_name : (racks,) str
        Distinct names.
    process_rack : int32 (C,)
        Number of the process's rack in `rack_name`, or `NO_RACK`.
    source, changelog : TaskPartitions
        The partitions that each task reads, and the changelog partitions of its state.
    owned_member, owned_task : int32 (O,)
        Each active task and the consumer that owns its partitions.
    owns_unknown : bool (C,)
        Whether a consumer of the process owns partitions of tasks that do not exist, such as tasks
        of a removed subtopology.
    reported_member, reported_task : int32 (R,)
    reported_sum : int64 (R,)
        Offset sum that the consumer reported for a task: `RUNNING`, `UNKNOWN_SUM`, or the sum of
        the offsets of the task's local state.
    standby_member, standby_task : int32 (S,)
        Standbys that the broker stored for members of a streams group. The stored active tasks are
        in `owned_task`.
    list_place : int64 (M,) or None
        Place of each consumer in the coordinator's list, which is not sorted by process. If None,
        this list is unknown, and the order of `member_id` is used.
    """

    task_subtopology: np.ndarray
    task_partition: np.ndarray
    is_stateful: np.ndarray
    end_offset_sum: np.ndarray
    process_id: np.ndarray
    member_id: tuple[str, ...]
    member_process: np.ndarray
    tag_key: tuple[str, ...]
    tag_value: np.ndarray
    rack_name: tuple[str, ...]
    process_rack: np.ndarray
    source: TaskPartitions
    changelog: TaskPartitions
    owned_member: np.ndarray
    owned_task: np.ndarray
    owns_unknown: np.ndarray
    reported_member: np.ndarray
    reported_task: np.ndarray
    reported_sum: np.ndarray
    standby_member: np.ndarray = field(default_factory=_no_rows)
    standby_task: np.ndarray = field(default_factory=_no_rows)
    list_place: np.ndarray | None = None

    @property
    def task_count(self) -> int:
        return len(self.task_subtopology)

    @property
    def process_count(self) -> int:
        return len(self.process_id)

    @property
    def member_count(self) -> int:
        return len(self.member_id)

    @cached_property
    def capacity(self) -> np.ndarray:
        """int64 (C,): number of consumers of each process."""
        return np.bincount(self.member_process, minlength=self.process_count)

    @cached_property
    def task_hash(self) -> np.ndarray:
        """uint32 (K,): Java's hash codes of the task ids."""
        return task_id_hashes(self.task_subtopology, self.task_partition)

    @cached_property
    def process_hash(self) -> np.ndarray:
        """uint32 (C,): Java's hash codes of the process ids."""
        return uuid_hashes(self.process_id)

    @cached_property
    def processes_by_id(self) -> np.ndarray:
        """int64 (C,): process numbers in the order of `UUID.compareTo`.

        `UUID.compareTo` compares each half of the UUID as a signed number.
        """
        return np.lexsort((self.process_id[:, 1], self.process_id[:, 0]))

    @cached_property
    def member_map_order(self) -> MemberOrder:
        """The consumers in the iteration order of a HashMap of member ids.

        The map is filled in the order of the coordinator's list.
        """
        if self.list_place is None:
            return map_order(self.member_id)
        listed = np.argsort(self.list_place, kind="stable")
        walked = map_order([self.member_id[row] for row in listed.tolist()])
        return MemberOrder(listed[walked.rows].astype(np.int32), walked.assumed)

    @cached_property
    def process_map_order(self) -> ProcessOrder:
        """Processes in the iteration order of the leader's HashMap of processes."""
        met = self.member_process[self.member_map_order.rows]
        first = np.unique(met, return_index=True)[1]
        rows = met[np.sort(first)]
        # The leader fills a second map in the iteration order of the first map.
        once = put_order(self.process_hash[rows])
        again = put_order(self.process_hash[rows[once.rows]])
        return ProcessOrder(rows[once.rows][again.rows], once.tree_bin or again.tree_bin)

    @cached_property
    def is_process_order_unknown(self) -> bool:
        """Whether the coordinator's list is unknown and can change `process_map_order`.

        Only the reverse order of `member_id` is tried.
        """
        if self.list_place is not None:
            return False
        turned = replace(self, list_place=np.arange(self.member_count)[::-1])
        return not np.array_equal(turned.process_map_order.rows, self.process_map_order.rows)

    @cached_property
    def offset_sum(self) -> np.ndarray:
        """int64 (C, K): offset sum that each process reported for each task, or `NOT_REPORTED`.

        If several consumers of a process report a task, the last consumer in the iteration order of
        Java's map counts.
        """
        last = np.argsort(self.member_map_order.places[self.reported_member], kind="stable")
        sums = np.full((self.process_count, self.task_count), NOT_REPORTED, dtype=np.int64)
        sums[self.member_process[self.reported_member[last]], self.reported_task[last]] = (
            self.reported_sum[last]
        )
        return sums

    @cached_property
    def known_end(self) -> np.ndarray:
        """int64 (K,): end offset sum of each task, as the leader uses it.

        0 if the sum is unknown, or if the task has no changelog.
        """
        return np.where(self.is_stateful & (self.end_offset_sum != UNKNOWN), self.end_offset_sum, 0)

    @cached_property
    def has_unread_ends(self) -> bool:
        """Whether the end offsets of all stateful tasks are unknown. False without stateful tasks.

        They are unknown if the leader could not read the end offsets of changelogs.
        """
        return bool(self.is_stateful.any()) and bool(
            (self.end_offset_sum[self.is_stateful] == UNKNOWN).all()
        )

    @cached_property
    def lag(self) -> np.ndarray:
        """int64 (C, K): number of records that each process must restore for each task.

        `RUNNING` if the task runs on the process, `UNKNOWN_SUM` if the process reported this value,
        0 for stateless tasks. A process restores all records if it has no state, or if it reports
        more records than the changelog has. An unknown end offset counts as 0. If all end offsets
        are unknown, the lag of every stateful task that is not running is `UNKNOWN_SUM`.
        """
        end = np.full_like(self.known_end, UNKNOWN_SUM) if self.has_unread_ends else self.known_end
        had = np.where(self.offset_sum == NOT_REPORTED, 0, self.offset_sum)
        lag = np.where(had < 0, had, np.where(end < had, end, end - had))
        return np.where(self.is_stateful, lag, 0)

    @cached_property
    def records_left(self) -> np.ndarray:
        """int64 (C, K): number of records that each process would have to restore for each task.

        All records if the offsets of the process are unknown.
        """
        return np.where(self.lag == RUNNING, 0, np.where(self.lag < 0, self.known_end, self.lag))

    def is_caught_up(self, acceptable_recovery_lag: int) -> np.ndarray:
        """Return whether each process may take over each task at once, bool (C, K)."""
        is_near = (self.lag >= 0) & (self.lag <= acceptable_recovery_lag)
        return (self.lag == RUNNING) | is_near | (acceptable_recovery_lag == UNBOUNDED_LAG)
