"""ProcessLoads: the processes of a streams group, their members, and what each has been given.

Reproduces `org.apache.kafka.coordinator.group.streams.assignor.ProcessState`.
"""

from collections.abc import Iterable, Sequence

from evenkeel.assignors.java.collections import PriorityQueue


class ProcessLoads:
    """Members and processes are rows of the snapshot.

    Parameters
    ----------
    process_of : sequence of int
        Of each member.
    members_of : sequence of lists
        Of each process, as its HashMap of members iterates.
    """

    def __init__(self, process_of: Sequence[int], members_of: Sequence[list[int]]):
        self.task_count = [0] * len(process_of)
        self._process_of, self._members_of = process_of, members_of
        self._held: list[set[int]] = [set() for _ in members_of]
        self._by_count: list[PriorityQueue | None] = [None] * len(members_of)

    def load(self, process: int) -> float:
        """Return tasks by member."""
        return len(self._held[process]) / len(self._members_of[process])

    def load_of(self, member: int) -> float:
        """Return the load of the member's process."""
        return self.load(self._process_of[member])

    def has(self, process: int, task: int) -> bool:
        """Return whether a member of the process has the task in any role."""
        return task in self._held[process]

    def is_with(self, member: int, task: int) -> bool:
        """Return whether the member's process has the task."""
        return self.has(self._process_of[member], task)

    def give(self, member: int, task: int) -> int:
        """Give a task to a member; return how many it has now."""
        # Kafka builds its heap of members anew after this.
        self._by_count[self._process_of[member]] = None
        return self._add(member, task)

    def give_to_least(self, process: int, task: int) -> int:
        """Give a task to the member of the process with the fewest; return the member."""
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
        """Return the processes by load; the layout of the heap decides between equal ones."""
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
