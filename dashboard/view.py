"""The data of a page: the open group, the answers of assignors, and the changes between two
answers.
"""

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
    """The reader's request for a best assignment: the objective and the limits.

    `within`: the value of the objective, in its unit, that a group of the right size must reach.
    The right size is a number of members.
    """

    objective: str = "lag"
    moves: int | None = None
    partitions_per_member: int | None = None
    keeps_racks: bool = False
    within: float | None = None


class OpenGroup(NamedTuple):
    """The open group, as a cache key: a worked example has a `slug`, a group of a batch has `batch`
    and `group_id`. A group without a name is identified by its file.

    `kafka`: the Kafka release whose assignors answer. `client`: the client chosen as the leader;
    None for the group's own leader, or Java. `reset`: the assumed `auto.offset.reset`.
    `restore_rate`: records/s that each Streams instance is assumed to restore, if the document has
    no rate.

    `earlier`, `plan`: additional rows of owners. `earlier`: an earlier reading of the group.
    `plan`: planned owners, as the bytes of one int32 for each partition. `edited`: a digest of the
    edits in What-if and of the assignor's name.
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
        """The chosen client and Kafka release, as the settings of a scenario."""
        return Settings(client=self.client, kafka_version=self.kafka)

    @property
    def lasting(self) -> tuple[str | None, ...]:
        """The fields that stay the same if the group is read again."""
        return self.slug, self.group_id, self.source_file


class View(NamedTuple):
    """One group with the answers of assignors. `names`: short names of its members. `order`: row
    numbers of the members, most lag first under the current owners.

    Members with equal or unknown lag are ordered by name. `waiting`: names of plug-ins whose answer
    is still missing.
    """

    observed: ObservedGroup
    comparison: Comparison
    names: tuple[str, ...]
    order: np.ndarray
    waiting: tuple[str, ...] = ()
    opened: OpenGroup = OpenGroup()

    @property
    def client(self) -> str:
        """The client whose code computes the assignment, if the group is classic."""
        return client_of(self.observed.leader, self.opened.client)

    @property
    def name_of(self) -> dict[str, str]:
        """Name of each member by its id."""
        return dict(zip(self.comparison.group.member_id, self.names, strict=True))


class Change(NamedTuple):
    """The difference between two assignments: the moves, and all partitions with their lag and
    their owners before and after.
    """

    moves: Moves
    pairs: OwnerPairs
    lag: np.ndarray


class ApplicationView(NamedTuple):
    """One Kafka Streams application for the pages.

    `tasks`, `processes`, `threads`: names, in the order of the snapshot. `owners`: int32 (K,), the
    row number of the process that ran each task before the edits. -1 if no process ran the task;
    the number of processes if the process has left. `digest`: digest of the edits that were applied
    to the open application.
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
    """One round: a probing rebalance of an application and the rebalances that directly follow it.

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
    """The rounds of one assignor. `is_balanced`, `is_endless` and `seconds`: as in `StreamsRounds`.

    `is_whole`: all rounds have been computed.
    """

    rounds: tuple[TaskRound, ...]
    is_balanced: bool
    is_endless: bool
    seconds: float | None
    is_whole: bool = True
