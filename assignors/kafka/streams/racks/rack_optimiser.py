"""RackOptimiser: tasks change places so that less is read across racks, KIP-925.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.RackAwareTaskAssignor`.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.kafka.streams.clients import Clients
from evenkeel.assignors.kafka.streams.racks.rack_graphs import Cost, balance_subtopology, min_traffic

_MOST_ROUNDS = 4
STATELESS_COSTS = (1, 0)
"""Of a partition in another rack, and of a change of place."""


class RackOptimiser:
    """Works on clients in place.

    Parameters
    ----------
    processes : int64 (C,)
        Row of each client's process.
    in_order : sequence of int
        Clients ascending by process id.
    is_by_subtopology : bool
        The strategy `balance_subtopology`; else `min_traffic`.
    is_public : bool
        As `TaskAssignmentUtils` of the public API does it: active tasks cost what their changelogs cost too, and standbys keep to the
        strategy.
    """

    def __init__(
        self,
        application: ApplicationSnapshot,
        clients: Clients,
        processes: np.ndarray,
        in_order: Sequence[int],
        *,
        is_by_subtopology: bool,
        is_public: bool = False,
    ):
        racks = application.process_rack[processes]
        self._clients, self._in_order, self._is_by_subtopology = clients, list(in_order), is_by_subtopology
        self._rack, self._is_public = racks.tolist(), is_public
        source, changelog = (
            partitions.misses(racks, len(application.rack_name)) for partitions in (application.source, application.changelog)
        )
        self._active_misses = (source + changelog * application.is_stateful if is_public else source).tolist()
        self._changelog_misses = changelog.tolist()
        # The public class pairs clients in the order of a map, but numbers the two by id.
        self._place = np.argsort(application.processes_by_id)[processes].tolist()
        groups, place = np.unique(application.task_subtopology, return_inverse=True)
        self._subtopology, self._subtopology_count = place.tolist(), groups.size

    def improve_active(self, tasks: Sequence[int], costs: tuple[int, int]):
        """Exchange active tasks; `costs` of a partition in another rack, and of a change of place."""
        if not tasks:
            return
        held, cost = self._clients.active, self._cost(self._clients.active, self._active_misses, costs)
        _exchange(self._found(tasks, self._in_order, held, cost, is_by_subtopology=self._is_by_subtopology), self._in_order, held)

    def improve_standbys(self, costs: tuple[int, int], may_move: Callable[[int, int, int], bool]):
        """Exchange standbys between clients of different racks, pair by pair; `may_move` of source, destination and task."""
        held, cost = self._clients.standby, self._cost(self._clients.standby, self._changelog_misses, costs)
        for _ in range(_MOST_ROUNDS):
            has_moved = False
            for one, other in self._pairs():
                tasks = [self._movable(one, other, may_move), self._movable(other, one, may_move)]
                if all(tasks):
                    pair = sorted((one, other), key=self._place.__getitem__)
                    by_subtopology = self._is_public and self._is_by_subtopology
                    found = self._found(sorted(tasks[0] + tasks[1]), pair, held, cost, is_by_subtopology=by_subtopology)
                    has_moved |= _exchange(found, pair, held)
            if not has_moved:
                return

    def _found(
        self, tasks: Sequence[int], clients: Sequence[int], held: Sequence[set[int]], cost: Cost, *, is_by_subtopology: bool
    ) -> dict[int, int]:
        if is_by_subtopology:
            return balance_subtopology(tasks, clients, held, cost, self._subtopology, self._subtopology_count)
        return min_traffic(tasks, clients, held, cost)

    def _pairs(self) -> Iterable[tuple[int, int]]:
        for place, one in enumerate(self._in_order):
            yield from ((one, other) for other in self._in_order[place + 1 :] if self._rack[one] != self._rack[other])

    def _movable(self, source: int, destination: int, may_move: Callable[[int, int, int], bool]) -> list[int]:
        tasks = self._clients.standby[source]
        return [task for task in tasks if not self._clients.has(destination, task) and may_move(source, destination, task)]

    @staticmethod
    def _cost(held: Sequence[set[int]], misses: Sequence[Sequence[int]], costs: tuple[int, int]) -> Callable[[int, int], int]:
        traffic, change = costs
        return lambda task, client: traffic * misses[client][task] + (0 if task in held[client] else change)


def _exchange(found: dict[int, int], clients: Sequence[int], held: Sequence[set[int]]) -> bool:
    """Put each task where it was found to belong; return whether one moved."""
    has_moved = False
    for task, client in found.items():
        before = next(each for each in clients if task in held[each])
        if before != client:
            held[before].remove(task)
            held[client].add(task)
            has_moved = True
    return has_moved
