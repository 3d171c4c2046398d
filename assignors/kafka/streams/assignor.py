"""StreamsTaskAssignor: what all task assignors do before their own strategy begins."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from assignors.assignment import TaskAssignment
from assignors.errors import AssignorError
from assignors.group.application import ApplicationSnapshot
from assignors.kafka.streams.settings import StreamsSettings


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
        return self._assigned(application)

    @abstractmethod
    def _assigned(self, application: ApplicationSnapshot) -> TaskAssignment: ...
