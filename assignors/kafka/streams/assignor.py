"""StreamsTaskAssignor: base of the leader's task assignors, with the leader's settings.

    HighAvailabilityTaskAssignor(num_standby_replicas=1).assign(application)

Settings of other consumers have no effect.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import AssignorError, Assumption, TaskAssignment
from evenkeel.assignors.group import NO_RACK
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.kafka.streams.clients import Clients
from evenkeel.assignors.kafka.streams.racks import RackOptimiser
from evenkeel.assignors.protocol import CLASSIC, TaskAssignor

_LARGEST_INT, _LARGEST_LONG = 2**31 - 1, 2**63 - 1

_RANGES = {
    "acceptable_recovery_lag": (0, _LARGEST_LONG),
    "max_warmup_replicas": (1, _LARGEST_INT),
    "probing_rebalance_interval_ms": (60_000, _LARGEST_LONG),
    "jdk": (8, _LARGEST_INT),
}

_COSTS = ("rack_aware_assignment_traffic_cost", "rack_aware_assignment_non_overlap_cost")
_STRATEGIES = ("none", "min_traffic", "balance_subtopology")
_MOST_TAGS, _LONGEST_KEY = 5, 20


@dataclass(frozen=True)
class StreamsSettings(TaskAssignor):
    """Kafka's settings with Kafka's defaults, and the leader's Java release.

    Parameters
    ----------
    acceptable_recovery_lag : int
        Records; 2 ** 63 - 1 means no limit.
    rack_aware_assignment_tags : tuple of str
        Keys of client tags. Clients with copies of the same task should have different values of
        these tags.
    rack_aware_assignment_strategy : str
        `none`, `min_traffic` or `balance_subtopology`, KIP-925.
    rack_aware_assignment_traffic_cost, rack_aware_assignment_non_overlap_cost : int or None
        Cost of reading a partition from another rack, and cost of moving a task. None means the
        assignor's default.
    jdk : int
        Java release of the leader. From 19 on, copies of hash sets have other bucket counts.
    """

    name: ClassVar[str]
    group_type: ClassVar[str] = CLASSIC
    java_class: ClassVar[str]
    quirks: ClassVar[tuple[str, ...]] = ()
    """Numbered behaviours of `docs/assignors.md` that are possible with this assignor."""
    own_costs: ClassVar[tuple[int, int]]
    """Default costs of traffic and non-overlap."""

    least_standbys: ClassVar[int] = -_LARGEST_INT - 1
    """The least allowed number of standbys: Kafka's leaders accept negative numbers."""

    acceptable_recovery_lag: int = 10_000
    max_warmup_replicas: int = 2
    num_standby_replicas: int = 0
    probing_rebalance_interval_ms: int = 600_000
    rack_aware_assignment_tags: tuple[str, ...] = ()
    rack_aware_assignment_strategy: str = "none"
    rack_aware_assignment_traffic_cost: int | None = None
    rack_aware_assignment_non_overlap_cost: int | None = None
    jdk: int = 17

    def __post_init__(self):
        for setting, (least, most) in _RANGES.items():
            self._check_number(setting, least, most)
        self._check_number("num_standby_replicas", self.least_standbys, _LARGEST_INT)
        for setting in _COSTS:
            if getattr(self, setting) is not None:
                self._check_number(setting, -_LARGEST_INT - 1, _LARGEST_INT)
        if self.rack_aware_assignment_strategy not in _STRATEGIES:
            strategy = self.rack_aware_assignment_strategy
            raise ValueError(
                f"{self.name}: rack_aware_assignment_strategy is {strategy!r}, expected one of"
                f" {', '.join(_STRATEGIES)}"
            )
        self._check_tags()

    @property
    def costs(self) -> tuple[int, int]:
        """Cost of reading a stateful task's partition from another rack, and cost of moving the
        task.
        """
        given = (getattr(self, setting) for setting in _COSTS)
        traffic, overlap = (
            own if cost is None else cost for cost, own in zip(given, self.own_costs, strict=True)
        )
        return traffic, overlap

    def _check_number(self, setting: str, least: int, most: int):
        value = getattr(self, setting)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(
                f"{self.name}: {setting} is {value!r}, expected an integer from {least} to {most}"
            )

    def _check_tags(self):
        keys = self.rack_aware_assignment_tags
        if not isinstance(keys, list | tuple) or not all(
            isinstance(key, str) and len(key) <= _LONGEST_KEY for key in keys
        ):
            raise ValueError(
                f"{self.name}: rack_aware_assignment_tags is {keys!r}, expected a list of keys of"
                f" at most {_LONGEST_KEY} characters"
            )
        if len(keys) > _MOST_TAGS:
            raise ValueError(
                f"{self.name}: rack_aware_assignment_tags has {len(keys)} keys, expected at most"
                f" {_MOST_TAGS}"
            )


@dataclass(frozen=True)
class StreamsTaskAssignor(StreamsSettings):
    """Base of the task assignors. The result depends only on the application and on the
    settings.
    """

    def assign(self, application: ApplicationSnapshot) -> TaskAssignment:
        """Return the tasks of each process, and whether a probing rebalance is needed.

        Raises
        ------
        AssignorError
            `IllegalStateException` if a process owns only partitions of tasks that do not exist. If
            there are tasks but no processes: the exception of Kafka's class.
        """
        has_owned = np.isin(
            np.arange(application.process_count),
            application.member_process[application.owned_member],
        )
        lost = np.flatnonzero(application.owns_unknown & ~has_owned)
        if lost.size:
            raise AssignorError(
                "IllegalStateException",
                f"{self.name}: process {lost[0]} owns only partitions of tasks that do not exist",
            )
        answer = self._assigned(application)
        return replace(answer, assumed=(*answer.assumed, *assumed_racks(self, application)))

    def _optimiser(
        self,
        application: ApplicationSnapshot,
        clients: Clients,
        processes: np.ndarray,
        in_order: Sequence[int],
    ) -> RackOptimiser | None:
        """Return the optimiser that exchanges tasks to reduce rack costs, or None if it is off.

        Parameters: as in RackOptimiser.
        """
        if not is_rack_aware(self, application):
            return None
        is_by_subtopology = self.rack_aware_assignment_strategy == "balance_subtopology"
        return RackOptimiser(
            application, clients, processes, in_order, is_by_subtopology=is_by_subtopology
        )

    @abstractmethod
    def _assigned(self, application: ApplicationSnapshot) -> TaskAssignment: ...


# Whether tasks may be exchanged because of racks; decided once per rebalance


def is_rack_aware(settings: StreamsSettings, application: ApplicationSnapshot) -> bool:
    """Return whether the strategy is on, and all racks that it needs are known.

    It needs the racks of processes, of the replicas of source topics, and, with standbys, of the
    replicas of changelogs.
    """
    if (
        settings.rack_aware_assignment_strategy == "none"
        or (application.process_rack == NO_RACK).any()
    ):
        return False
    has_copies = settings.num_standby_replicas > 0
    return bool(
        application.source.has_racks.all()
        and (not has_copies or application.changelog.has_racks[application.is_stateful].all())
    )


def are_racks_known(application: ApplicationSnapshot) -> bool:
    """Return whether every process has a rack, and every partition has a replica with a rack.

    Kafka's public interface ignores replicas without a rack.
    """
    if (application.process_rack == NO_RACK).any():
        return False
    return bool(
        application.source.has_some_racks.all()
        and application.changelog.has_some_racks[application.is_stateful].all()
    )


def assumed_racks(
    settings: StreamsSettings, application: ApplicationSnapshot
) -> tuple[Assumption, ...]:
    """Return the assumptions about unknown racks. If there are any, no task moves because of
    racks.
    """
    if settings.rack_aware_assignment_strategy == "none":
        return ()
    unknown = {
        "rack": application.process_rack == NO_RACK,
        "source_racks": ~application.source.is_known,
        "changelog_racks": ~application.changelog.is_known
        & application.is_stateful
        & (settings.num_standby_replicas > 0),
    }
    return tuple(
        Assumption(column, np.flatnonzero(rows)) for column, rows in unknown.items() if rows.any()
    )
