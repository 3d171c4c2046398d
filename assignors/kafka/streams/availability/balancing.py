"""Balancing: tasks move from clients with more tasks by thread to clients with fewer.

Reproduces `HighAvailabilityTaskAssignor.balanceTasksOverThreads`.
"""

from collections.abc import Callable

from assignors.kafka.streams.clients import Clients


def balance(clients: Clients, held: list[set[int]], is_allowed: Callable[[int, int], bool] = lambda _source, _destination: True):
    """Move tasks of one role, in place, until no move makes the loads more even.

    Parameters
    ----------
    clients : Clients
    held : list of set
        The role: `clients.active` or `clients.standby`.
    is_allowed : function of two clients
        Whether tasks of the first may move to the second.
    """
    has_moved = True
    while has_moved:
        has_moved = False
        for source in range(len(clients)):
            for destination in range(len(clients)):
                if source != destination and _should_move(clients, source, destination):
                    has_moved |= is_allowed(source, destination) and _move(clients, held, source, destination)


def _move(clients: Clients, held: list[set[int]], source: int, destination: int) -> bool:
    has_moved = False
    for task in sorted(held[source]):
        if not _should_move(clients, source, destination):
            break
        if not clients.has(destination, task):
            held[source].remove(task)
            held[destination].add(task)
            has_moved = True
    return has_moved


def _should_move(clients: Clients, source: int, destination: int) -> bool:
    """Return whether one task less here and one more there leaves the loads more even and does not turn them round."""
    skew = clients.load(source) - clients.load(destination)
    if skew <= 0:
        return False
    # Two divisions and a subtraction, as Kafka rounds them.
    at_source = (clients.task_count(source) - 1) / clients.capacity[source]
    at_destination = (clients.task_count(destination) + 1) / clients.capacity[destination]
    return 0 <= at_source - at_destination < skew
