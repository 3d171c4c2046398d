"""Sticky for streams groups (KIP-1071): tasks stay with their members as long as task counts are
even.

Reproduces `org.apache.kafka.coordinator.group.streams.assignor.StickyTaskAssignor` of Kafka 4.2 and
4.3. Lags, tags and racks have no effect.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple
from uuid import UUID

import numpy as np

from evenkeel.assignors.assignment import HASH_COLLISIONS, AssignorError, TaskAssignment
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.java.collections import PriorityQueue, put_order
from evenkeel.assignors.java.hashing import rounded_capacity, string_hashes
from evenkeel.assignors.kafka.streams.assignor import StreamsSettings
from evenkeel.assignors.kafka.streams.task_steps import (
    ACTIVE,
    STANDBY,
    HasState,
    Lightest,
    Ran,
    TaskDecision,
)
from evenkeel.assignors.protocol import STREAMS
from evenkeel.assignors.trace import asked


@dataclass(frozen=True)
class StreamsGroupStickyAssignor(StreamsSettings):
    """The only assignor of streams groups.

    Its result is the target assignment. Members need several heartbeats to reach this assignment.
    """

    name: ClassVar[str] = "streams-group-sticky"
    protocol: ClassVar[str] = "sticky"
    group_type: ClassVar[str] = STREAMS
    java_class: ClassVar[str] = (
        "org.apache.kafka.coordinator.group.streams.assignor.StickyTaskAssignor"
    )
    quirks: ClassVar[tuple[str, ...]] = ("Q-30",)
    own_costs: ClassVar[tuple[int, int]] = (0, 0)
    least_standbys: ClassVar[int] = 0

    def assign(self, application: ApplicationSnapshot) -> TaskAssignment:
        """Return the tasks of each process. There is no probing rebalance.

        Raises
        ------
        AssignorError
            `TaskAssignorException` if there are tasks but no members.
        """
        order = group_order(application)
        work = _Work(application, order, self.num_standby_replicas)
        active = work.active_members()
        standby = sorted(
            work.standbys(), key=lambda copy: (application.member_process[copy[0]], copy[1])
        )
        copies = np.array(standby, dtype=np.int32).reshape(-1, 2)
        return TaskAssignment(
            active=application.member_process[active],
            standby=np.column_stack(
                (application.member_process[copies[:, 0]], copies[:, 1])
            ).astype(np.int32),
            warmup=np.empty((0, 2), dtype=np.int32),
            active_member=active,
            standby_member=copies[:, 0],
            withheld=np.empty((0, 2), dtype=np.int32),
            is_probing_rebalance_needed=False,
            assumed=(HASH_COLLISIONS,) if order.tree_bin else (),
        )


class _Work:
    """An assignment in progress. Tasks have the numbers of the application snapshot."""

    def __init__(self, application: ApplicationSnapshot, order: "GroupOrder", standbys: int):
        self._application, self._order, self._standbys = application, order, standbys
        process_of = application.member_process.tolist()
        self._loads = ProcessLoads(process_of, order.members_of)
        count, stateful = application.task_count, int(application.is_stateful.sum())
        self._of_active = Quota(count, application.member_count)
        self._of_all = Quota(count + stateful * standbys, application.member_count)
        self._ran = dict(
            _task_members(order.members, application.owned_member, application.owned_task)
        )
        self._kept: dict[int, list[int]] = {}
        for task, member in dict.fromkeys(
            _task_members(order.members, application.standby_member, application.standby_task)
        ):
            self._kept.setdefault(task, []).append(member)
        self._by_partition = np.lexsort((order.name_place, application.task_partition)).tolist()
        self._by_name = np.lexsort((application.task_partition, order.name_place)).tolist()

    def active_members(self) -> np.ndarray:
        """Return the member that runs each task, int32 (K,).

        The first choice is the member that ran the task, then a member with a copy, then a member
        of the process with the least load.
        """
        given: dict[int, int] = {}
        for task in self._by_partition:
            self._keep(task, self._ran.get(task), given, Ran)
        for task in self._by_partition:
            if task not in given:
                self._keep(task, self._lightest_keeper(task), given, HasState)
        queue = self._loads.queue(self._order.processes)
        for task in self._by_name:
            if task not in given:
                if not queue:
                    raise AssignorError("TaskAssignorException", "streams-group-sticky: no process")
                process = queue.poll()
                load = self._loads.sizes(process)
                given[task] = self._loads.give_to_least(process, task)
                self._tell(task, Lightest, given[task], load=load)
                self._count_active(given[task])
                queue.offer(process)
        return np.array(
            [given[task] for task in range(self._application.task_count)], dtype=np.int32
        )

    def standbys(self) -> list[tuple[int, int]]:
        """Place the standbys of each stateful task on members of other processes.

        Return pairs (member, task).
        """
        copies, missing = [], {}
        for task in reversed(self._by_partition):
            if self._application.is_stateful[task]:
                keepers = self._keep_copies(task)
                copies += [(member, task) for member in keepers]
                missing[task] = self._standbys - len(keepers)
        queue = self._loads.queue(self._order.processes)
        for task in reversed(self._by_name):
            for _ in range(missing.get(task, 0)):
                member = self._place_copy(task, queue)
                if member is None:
                    break
                copies.append((member, task))
        return copies

    def _tell(
        self, task: int, kind: type[TaskDecision], member: int, role: str = ACTIVE, **about: object
    ):
        trace = asked()
        if trace is not None and trace.watches(task):
            trace.add(
                task,
                kind(
                    int(self._application.member_process[member]),
                    role=role,
                    consumer=member,
                    **about,
                ),
            )

    def _keep(self, task: int, member: int | None, given: dict[int, int], kind: type[TaskDecision]):
        if member is not None and self._loads.task_count[member] < self._of_active.share:
            self._tell(
                task, kind, member, count=self._loads.task_count[member], room=self._of_active.share
            )
            self._loads.give(member, task)
            given[task] = member
            self._count_active(member)

    def _count_active(self, member: int):
        self._of_active.count(self._loads.task_count[member])
        self._of_all.count(self._loads.task_count[member])

    def _lightest_keeper(self, task: int, *, is_copy: bool = False) -> int | None:
        """Return the least loaded member with a copy of the task.

        `is_copy`: whether the member gets a standby. The result is then None if the process of the
        first member with a copy already has the task (Q-30).
        """
        keepers = self._kept.get(task)
        if not keepers:
            return None
        best, load, count = (
            keepers[0],
            self._loads.load_of(keepers[0]),
            self._loads.task_count[keepers[0]],
        )
        for member in keepers[1:]:
            fits = not (is_copy and self._loads.is_with(member, task))
            if (
                fits
                and self._loads.load_of(member) < load
                and self._loads.task_count[member] < count
            ):
                best, load, count = (
                    member,
                    self._loads.load_of(member),
                    self._loads.task_count[member],
                )
        return None if is_copy and self._loads.is_with(keepers[0], task) else best

    def _keep_copies(self, task: int) -> list[int]:
        keepers: list[int] = []
        while len(keepers) < self._standbys:
            member = self._next_keeper(task)
            if member is None:
                break
            self._tell(
                task,
                HasState,
                member,
                STANDBY,
                count=self._loads.task_count[member],
                room=self._of_all.share,
            )
            self._of_all.count(self._loads.give(member, task))
            keepers.append(member)
        return keepers

    def _next_keeper(self, task: int) -> int | None:
        """Return the member for the next standby of the task.

        The member that ran the task if it has room, else the least loaded member with a copy. None
        if this member has no room.
        """
        ran = self._ran.get(task)
        if ran is not None and not self._loads.is_with(ran, task) and self._has_room(ran):
            return ran
        member = self._lightest_keeper(task, is_copy=True)
        return member if member is not None and self._has_room(member) else None

    def _has_room(self, member: int) -> bool:
        return self._loads.task_count[member] < self._of_all.share

    def _place_copy(self, task: int, queue) -> int | None:
        """Place a standby on the least loaded process without the task. Return the member, or
        None.
        """
        polled, member = [], None
        while queue and member is None:
            polled.append(queue.poll())
            if not self._loads.has(polled[-1], task):
                load = self._loads.sizes(polled[-1])
                member = self._loads.give_to_least(polled[-1], task)
                self._tell(task, Lightest, member, STANDBY, load=load)
                self._of_all.count(self._loads.task_count[member])
        for process in reversed(polled):
            queue.offer(process)
        return member


def _task_members(
    members: list[int], member: np.ndarray, task: np.ndarray
) -> list[tuple[int, int]]:
    """Return pairs (task, member), sorted by the place of the member in `members`."""
    place = np.argsort(members)
    rows = np.argsort(place[member], kind="stable")
    return list(zip(task[rows].tolist(), member[rows].tolist(), strict=True))


class GroupOrder(NamedTuple):
    """Iteration orders on the broker for a streams group.

    `members`, `processes`: member numbers and process numbers in order. `members_of`: for each
    process, its member numbers in order. `name_place`: for each task, the place of its subtopology
    if names are sorted as strings. `tree_bin`: as in IterationOrder.
    """

    members: list[int]
    processes: list[int]
    members_of: list[list[int]]
    name_place: np.ndarray
    tree_bin: bool


def group_order(application: ApplicationSnapshot) -> "GroupOrder":
    """Return the iteration orders of the broker's Java maps."""
    walked = application.member_map_order
    members = walked.rows.tolist()
    met = list(dict.fromkeys(application.member_process[walked.rows].tolist()))
    hashes = string_hashes([_text(*application.process_id[process].tolist()) for process in met])
    processes = put_order(hashes, rounded_capacity(application.member_count))
    members_of: list[list[int]] = [[] for _ in range(application.process_count)]
    for member in members:
        members_of[application.member_process[member]].append(member)
    tree_bin = processes.tree_bin or bool(walked.assumed)
    for process, own in enumerate(members_of):
        order = put_order(string_hashes([application.member_id[member] for member in own]))
        members_of[process] = [own[row] for row in order.rows.tolist()]
        tree_bin |= order.tree_bin
    names = np.unique(application.task_subtopology.astype(str), return_inverse=True)[1]
    return GroupOrder(
        members, [met[row] for row in processes.rows.tolist()], members_of, names, tree_bin
    )


def _text(most: int, least: int) -> str:
    return str(UUID(int=(most % 2**64 << 64) | least % 2**64))


class Quota:
    """The even share: remaining tasks divided by remaining members.

    When a member has this number of tasks, it no longer counts as remaining, and the share is
    computed again.
    """

    def __init__(self, tasks: int, members: int):
        self._tasks, self._members = tasks, members
        self._share()

    def count(self, tasks_of_member: int):
        """Record the new task count of a member."""
        if tasks_of_member == self.share:
            self._members -= 1
            self._tasks -= self.share
            self._share()

    def _share(self):
        self.share = -(-self._tasks // self._members) if self._members else 0


class ProcessLoads:
    """The assigned tasks of each process and each member of a streams group.

    Reproduces `org.apache.kafka.coordinator.group.streams.assignor.ProcessState`.

    Parameters
    ----------
    process_of : sequence of int
        Process of each member.
    members_of : sequence of lists
        Members of each process, in the iteration order of its HashMap of members.
    """

    def __init__(self, process_of: Sequence[int], members_of: Sequence[list[int]]):
        self.task_count = [0] * len(process_of)
        self._process_of, self._members_of = process_of, members_of
        self._held: list[set[int]] = [set() for _ in members_of]
        self._by_count: list[PriorityQueue | None] = [None] * len(members_of)

    def load(self, process: int) -> float:
        """Return the number of tasks of the process, divided by its members."""
        return len(self._held[process]) / len(self._members_of[process])

    def sizes(self, process: int) -> tuple[int, int]:
        """Return the number of tasks and the number of members of the process."""
        return len(self._held[process]), len(self._members_of[process])

    def load_of(self, member: int) -> float:
        """Return the load of the member's process."""
        return self.load(self._process_of[member])

    def has(self, process: int, task: int) -> bool:
        """Return whether a member of the process has the task in any role."""
        return task in self._held[process]

    def is_with(self, member: int, task: int) -> bool:
        """Return whether the member's process has the task in any role."""
        return self.has(self._process_of[member], task)

    def give(self, member: int, task: int) -> int:
        """Assign a task to a member. Return the member's new task count."""
        # Kafka rebuilds its heap of members after this step.
        self._by_count[self._process_of[member]] = None
        return self._add(member, task)

    def give_to_least(self, process: int, task: int) -> int:
        """Assign a task to the process's member with the fewest tasks. Return the member."""
        members = self._members_of[process]
        if len(members) == 1:
            self._add(members[0], task)
            return members[0]
        heap = self._by_count[process] or self._heap(members)
        self._by_count[process] = heap
        _, member = heap.poll()
        heap.offer((self._add(member, task), member))
        return member

    def queue(self, processes: Iterable[int]) -> PriorityQueue:
        """Return the processes, least load first. If loads are equal, their places in the heap
        decide.
        """
        queue = PriorityQueue(self.load)
        for process in processes:
            queue.offer(process)
        return queue

    def _heap(self, members: list[int]) -> PriorityQueue:
        heap = PriorityQueue(lambda entry: entry[0])
        for member in members:
            heap.offer((self.task_count[member], member))
        return heap

    def _add(self, member: int, task: int) -> int:
        self._held[self._process_of[member]].add(task)
        self.task_count[member] += 1
        return self.task_count[member]
