"""StreamsTaskAssignor: what all task assignors do before their own strategy begins."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evenkeel.assignors.assignment import AssignorError, TaskAssignment
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.kafka.streams.clients import Clients
from evenkeel.assignors.kafka.streams.racks.rack_awareness import assumed_racks, is_rack_aware
from evenkeel.assignors.kafka.streams.racks.rack_optimiser import RackOptimiser
from evenkeel.assignors.kafka.streams.settings import StreamsSettings


@dataclass(frozen=True)
class StreamsTaskAssignor(StreamsSettings):
    """A pure function of an application; settings are fields. No state between calls."""

    def assign(self, application: ApplicationSnapshot) -> TaskAssignment:
        """Return who runs what, and whether a probing rebalance has to follow.

        Raises
        ------
        AssignorError
            `IllegalStateException` where all that a process owns belongs to tasks that do not exist; the exception that Kafka's class
            throws where there are tasks and no processes.
        """
        has_owned = np.isin(np.arange(application.process_count), application.member_process[application.owned_member])
        lost = np.flatnonzero(application.owns_unknown & ~has_owned)
        if lost.size:
            raise AssignorError("IllegalStateException", f"{self.name}: process {lost[0]} owns only partitions of tasks that do not exist")
        answer = self._assigned(application)
        return replace(answer, assumed=(*answer.assumed, *assumed_racks(self, application)))

    def _optimiser(
        self, application: ApplicationSnapshot, clients: Clients, processes: np.ndarray, in_order: Sequence[int]
    ) -> RackOptimiser | None:
        """Return what lets tasks change places for their racks' sake, None where they may not; parameters as of RackOptimiser."""
        if not is_rack_aware(self, application):
            return None
        is_by_subtopology = self.rack_aware_assignment_strategy == "balance_subtopology"
        return RackOptimiser(application, clients, processes, in_order, is_by_subtopology=is_by_subtopology)

    @abstractmethod
    def _assigned(self, application: ApplicationSnapshot) -> TaskAssignment: ...
