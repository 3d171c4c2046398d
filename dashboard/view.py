"""What a page has in hand: the group that is open, its view, and a change of it."""

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
    """What the best assignment is asked for: objective, limits, and the value that the right size
    must reach, in the objective's unit.
    """

    objective: str = "lag"
    moves: int | None = None
    partitions_per_member: int | None = None
    keeps_racks: bool = False
    within: float | None = None


class Opened(NamedTuple):
    """A worked example by its slug, or one group of an upload, its `batch`; a listing that names no
    group is known by its file.

    `kafka`: the release that answers. `earlier`: a moment of the same group before this one, whose
    owners are one more row. `client`: the one chosen to lead, None if the group's leader answers,
    or Java. `reset`: the `auto.offset.reset` that is assumed. `edited`: what What-if shows of it: a
    digest of its edits, with the assignor. `restore_rate`: records/s that every instance of an
    application is assumed to restore where its document has no rate. `plan`: owners as planned, one
    more row, int32 of each partition as bytes.
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
        """Client and release as a scenario says them."""
        return Settings(client=self.client, kafka_version=self.kafka)

    @property
    def lasting(self) -> tuple[str | None, ...]:
        """What stays when the group is read again."""
        return self.slug, self.group_id, self.source_file


class View(NamedTuple):
    """One group, ready to be shown: `names` are short names of its members, `order` puts the worst
    current lag first.

    Members with equal or unknown lag stand by name. `waiting`: rows of plug-ins that have not
    answered yet.
    """

    observed: ObservedGroup
    comparison: Comparison
    names: tuple[str, ...]
    order: np.ndarray
    waiting: tuple[str, ...] = ()
    opened: Opened = Opened()

    @property
    def client(self) -> str:
        """Whose code answers for a classic group."""
        return client_of(self.observed.leader, self.opened.client)

    @property
    def name_of(self) -> dict[str, str]:
        """The name of each member by its id."""
        return dict(zip(self.comparison.group.member_id, self.names, strict=True))


class Change(NamedTuple):
    """The difference of two assignments: the moves, and every partition with its owner before and
    after and its lag.
    """

    moves: Moves
    pairs: OwnerPairs
    lag: np.ndarray


class ApplicationView(NamedTuple):
    """One application, ready to be shown.

    `tasks`, `processes`, `threads`: names by row of the snapshot. `owners` int32 (K,): the process
    that ran each task before, one row more for one that is gone, -1 for none. `digest`: of the
    edits that made it from what is opened.
    """

    opened: Opened
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
    """One probing rebalance of an application, and the rebalances that follow it at once.

    Parameters
    ----------
    seconds : float
        Since the first one.
    application : ApplicationSnapshot
        As it joined.
    answer : TaskAssignment
        Until the next one.
    active_left : int64 (K,)
        Records that each task has to restore before it runs.
    standby_left : int64 (S,)
        Records that each copy of `answer.standby` has to restore.
    """

    seconds: float
    application: ApplicationSnapshot
    answer: TaskAssignment
    active_left: np.ndarray
    standby_left: np.ndarray


@dataclass(frozen=True, eq=False)
class TaskRounds:
    """The rounds of one assignor; `is_balanced`, `is_endless` and `seconds` as of `StreamsRounds`.
    `is_whole`: none is still computed.
    """

    rounds: tuple[TaskRound, ...]
    is_balanced: bool
    is_endless: bool
    seconds: float | None
    is_whole: bool = True
