"""Data of a page: the open group, its view, and a change of its assignment."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import TaskAssignment
from evenkeel.assignors.compare.comparison import Comparison
from evenkeel.assignors.compare.moves import Moves, OwnerPairs
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.kafka.release import NEWEST
from evenkeel.assignors.rounds.restoring import Restoring
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document.application import Application
from evenkeel.data.scenarios.leaders import client_of
from evenkeel.data.scenarios.scenario.scenario import Settings


class PlanChoice(NamedTuple):
    """Request for the best assignment: objective, limits, and `within`.

    `within`: value that the right size must reach, in the objective's unit.
    """

    objective: str = "lag"
    moves: int | None = None
    partitions_per_member: int | None = None
    keeps_racks: bool = False
    within: float | None = None


class OpenGroup(NamedTuple):
    """Key of an open group: a worked example by `slug`, or one group of an upload by `batch`.

    A listing that names no group is identified by its file. `kafka`: release whose assignors
    answer. `earlier`: an earlier moment of the same group; its owners are an additional row.
    `client`: client chosen as leader, None for the group's leader, or Java. `reset`: assumed
    `auto.offset.reset`. `edited`: digest of the edits in What-if, with the assignor.
    `restore_rate`: assumed records/s that each instance of an application restores, if its document
    has no rate. `plan`: planned owners as an additional row, int32 of each partition as bytes.
    """

    slug: str | None = None
    batch: str = ""
    group_id: str | None = None
    source_file: str | None = None
    kafka: str = NEWEST
    earlier: str | None = None
    reset: str | None = None
    edited: str | None = None
    client: str | None = None
    restore_rate: float | None = None
    plan: bytes | None = None

    @property
    def settings(self) -> Settings:
        """Client and release in the form of a scenario."""
        return Settings(client=self.client, kafka_version=self.kafka)

    @property
    def lasting(self) -> tuple[str | None, ...]:
        """Fields that do not change if the group is read again."""
        return self.slug, self.group_id, self.source_file


class View(NamedTuple):
    """One group, ready to be shown. `names`: short names of its members. `order`: its members, most
    current lag first.

    Members with equal or unknown lag are sorted by name. `waiting`: names of plug-ins that have not
    answered yet.
    """

    observed: ObservedGroup
    comparison: Comparison
    names: tuple[str, ...]
    order: np.ndarray
    waiting: tuple[str, ...] = ()
    opened: OpenGroup = OpenGroup()

    @property
    def client(self) -> str:
        """The client whose code assigns for a classic group."""
        return client_of(self.observed.leader, self.opened.client)

    @property
    def name_of(self) -> dict[str, str]:
        """Name of each member by its id."""
        return dict(zip(self.comparison.group.member_id, self.names, strict=True))


class Change(NamedTuple):
    """Difference of two assignments: the moves, and every partition with its owners before and
    after and its lag.
    """

    moves: Moves
    pairs: OwnerPairs
    lag: np.ndarray


class ApplicationView(NamedTuple):
    """One application, ready to be shown.

    `tasks`, `processes`, `threads`: names by row of the snapshot. `owners`: int32 (K,), row of the
    process that ran each task before. It is the number of processes if this process has left, and
    -1 if there was none. `digest`: of the edits that were applied to the opened application.
    """

    opened: OpenGroup
    document: Application
    snapshot: ApplicationSnapshot
    restoring: Restoring
    tasks: tuple[str, ...]
    processes: tuple[str, ...]
    threads: tuple[str, ...]
    owners: np.ndarray
    digest: str = ""


@dataclass(frozen=True, eq=False)
class TaskRound:
    """One probing rebalance of an application, and the rebalances that follow it immediately.

    Parameters
    ----------
    seconds : float
        Seconds after the first rebalance.
    application : ApplicationSnapshot
        The application at the start of the rebalance.
    answer : TaskAssignment
        The assignment until the next round.
    active_left : int64 (K,)
        Records that each task must restore before it runs.
    standby_left : int64 (S,)
        Records that each copy of `answer.standby` must restore.
    """

    seconds: float
    application: ApplicationSnapshot
    answer: TaskAssignment
    active_left: np.ndarray
    standby_left: np.ndarray


@dataclass(frozen=True, eq=False)
class TaskRounds:
    """Rounds of one assignor; `is_balanced`, `is_endless` and `seconds` as in `StreamsRounds`.

    `is_whole`: all rounds are computed.
    """

    rounds: tuple[TaskRound, ...]
    is_balanced: bool
    is_endless: bool
    seconds: float | None
    is_whole: bool = True
