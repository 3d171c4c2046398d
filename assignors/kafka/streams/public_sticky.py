"""Sticky of the public interface, KIP-924: as legacy sticky, with other rules for equal loads and
for racks.

Reproduces `org.apache.kafka.streams.processor.assignment.assignors.StickyTaskAssignor`, which users
can set as `task.assignor.class`.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import IDENTITY_HASHES, TaskAssignment
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.java.collections import HashSet
from evenkeel.assignors.kafka.streams.assignor import are_racks_known
from evenkeel.assignors.kafka.streams.clients import Clients
from evenkeel.assignors.kafka.streams.leader_maps import LeaderMaps, public_maps
from evenkeel.assignors.kafka.streams.legacy_sticky import LegacyStickyTaskAssignor
from evenkeel.assignors.kafka.streams.racks import RackOptimiser


@dataclass(frozen=True)
class StickyTaskAssignor(LegacyStickyTaskAssignor):
    """The public sticky assignor. It places standbys task by task.

    Kafka iterates over tasks in the order of identity hash codes, so Kafka's own results vary
    (Q-21).
    """

    name: ClassVar[str] = "streams-sticky"
    java_class: ClassVar[str] = (
        "org.apache.kafka.streams.processor.assignment.assignors.StickyTaskAssignor"
    )
    quirks: ClassVar[tuple[str, ...]] = ("Q-13", "Q-18", "Q-19", "Q-21", "Q-22")
    without_processes: ClassVar[str] = "ArithmeticException"
    counts_capacity: ClassVar[bool] = False

    def _assigned(self, application: ApplicationSnapshot) -> TaskAssignment:
        answer = super()._assigned(application)
        is_one_of_many = (
            self.num_standby_replicas > 0
            and application.process_count > 1
            and np.count_nonzero(application.is_stateful) > 1
        )
        return (
            replace(answer, assumed=(*answer.assumed, IDENTITY_HASHES))
            if is_one_of_many
            else answer
        )

    def _rack_optimiser(
        self, application: ApplicationSnapshot, clients: Clients
    ) -> RackOptimiser | None:
        has_costs = None not in (
            self.rack_aware_assignment_traffic_cost,
            self.rack_aware_assignment_non_overlap_cost,
        )
        if (
            self.rack_aware_assignment_strategy == "none"
            or not has_costs
            or not are_racks_known(application)
        ):
            return None
        in_order = application.process_map_order.rows.tolist()
        is_by_subtopology = self.rack_aware_assignment_strategy == "balance_subtopology"
        return RackOptimiser(
            application,
            clients,
            np.arange(len(clients)),
            in_order,
            is_by_subtopology=is_by_subtopology,
            is_public=True,
        )

    def _clients(self, application: ApplicationSnapshot) -> Clients:
        return _PublicClients(application)

    def _maps(self, application: ApplicationSnapshot) -> LeaderMaps:
        return public_maps(application, self.jdk)

    def _standby_order(self, maps: LeaderMaps) -> list[int]:
        return sorted(maps.stateful.tolist())


class _PublicClients(Clients):
    """Clients with one map for the tasks of both roles, as in `KafkaStreamsAssignment`.

    `ClientState.setAssignedTasks` then iterates over this map.
    """

    def __init__(self, application: ApplicationSnapshot):
        super().__init__(application.capacity.tolist())
        hashes = application.task_hash.tolist()
        self.maps = [HashSet(hashes.__getitem__) for _ in self.capacity]
        self.active = [_Role(tasks) for tasks in self.maps]
        self.standby = [_Role(tasks) for tasks in self.maps]


class _Role(set):
    """The tasks of a client in one role. They are also in the client's map.

    The bucket count of this map never decreases.
    """

    def __init__(self, tasks: HashSet):
        super().__init__()
        self._tasks = tasks

    def add(self, task: int):
        super().add(task)
        self._tasks.add(task)

    def remove(self, task: int):
        super().remove(task)
        self._tasks.remove(task)
