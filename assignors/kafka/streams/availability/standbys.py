"""Standbys: each stateful task's copies on the lightest other clients.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.DefaultStandbyTaskAssignor`.
"""

from collections.abc import Iterable, Sequence

from assignors.kafka.streams.availability.constrained_heap import ConstrainedHeap
from assignors.kafka.streams.clients import Clients


def lightest_without(clients: Clients, hashes: Sequence[int]) -> ConstrainedHeap:
    """Return all clients by load, for tasks that they do not have."""
    heap = ConstrainedHeap(clients.load, lambda client, task: not clients.has(client, task), hashes)
    heap.offer(range(len(clients)))
    return heap


def assign_standbys(clients: Clients, heap: ConstrainedHeap, missing: Iterable[tuple[int, int]]):
    """Place copies, given as (task, number of copies), in this order; copies that no client can take are left out."""
    for task, number in missing:
        for _ in range(number):
            client = heap.poll(task)
            if client is None:
                break
            clients.standby[client].add(task)
            heap.offer([client])
