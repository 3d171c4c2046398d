"""Switch: which partitions nobody consumes while a group goes over to an answer, and for how many rounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from assignors.assignment import UNASSIGNED, Assignment
from assignors.classic.rounds import rounds
from assignors.consumer.reconciliation import reconciliation
from assignors.group import GroupSnapshot
from assignors.protocol import Assignor


class Kind(StrEnum):
    """How a group goes over: everybody stops; what moves is revoked first; the broker tells each member in its heartbeats; at once, as partitions are shared."""

    EAGER = "eager"
    COOPERATIVE = "cooperative"
    RECONCILED = "reconciled"
    SHARED = "shared"


class Step(NamedTuple):
    """One round, in partitions: what members give up, what they get, and what somebody is to have and nobody has yet when it ends."""

    revoked: int
    handed_out: int
    waiting: int


@dataclass(frozen=True, eq=False)
class Switch:
    """The way from what members have to an answer.

    Parameters
    ----------
    steps : tuple of Step
        Rebalances of a classic group; rounds of heartbeats of a KIP-848 group.
    paused : int64 (N,)
        Topic-partitions, ascending, that somebody has before and nobody for a while.
    paused_rounds : int64 (N,)
        For how many rounds.
    is_settled : bool
        False where the rebalances would go on for ever.
    """

    kind: Kind
    steps: tuple[Step, ...]
    paused: np.ndarray
    paused_rounds: np.ndarray
    is_settled: bool = True

    @property
    def paused_count(self) -> int:
        return len(self.paused)

    @property
    def round_count(self) -> int:
        return len(self.steps)


def switch(group: GroupSnapshot, current: Assignment, assignor: Assignor, answer: Assignment) -> Switch | None:
    """Return how the group gets from what it has to an assignor's answer, None where nobody knows how members of this assignor rebalance.

    A broker's answer is reached as a KIP-848 group reaches it, whatever the group is now, every member yet to be told. Further owners of a partition and numbers beyond a
    topic's size are left out.

    Raises
    ------
    AssignorError
        Where Kafka's own class would throw in a later round of a cooperative assignor.
    """
    if assignor.group_type == "share":
        return Switch(Kind.SHARED, (Step(0, int(np.count_nonzero(answer.owner != UNASSIGNED)), 0),), *_none_paused())
    if assignor.group_type == "consumer":
        return _reconciled(current, answer, group.member_count)
    if assignor.is_cooperative is None:
        return None
    return _cooperative(group, assignor) if assignor.is_cooperative else _eager(current, answer)


def _none_paused() -> tuple[np.ndarray, np.ndarray]:
    return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)


def _eager(current: Assignment, answer: Assignment) -> Switch:
    paused = np.flatnonzero(current.owner != UNASSIGNED)
    step = Step(paused.size, int(np.count_nonzero(answer.owner != UNASSIGNED)), 0)
    return Switch(Kind.EAGER, (step,), paused, np.ones(paused.size, dtype=np.int64))


def _reconciled(current: Assignment, answer: Assignment, member_count: int) -> Switch:
    told = reconciliation(current.owner, answer.owner, np.zeros(member_count, dtype=np.int32), 1)
    steps = tuple(Step(each.revoked.size, each.added.size, int(np.count_nonzero(each.assigned != answer.owner))) for each in told)
    return Switch(Kind.RECONCILED, steps, *_paused(current.owner != UNASSIGNED, [each.assigned != UNASSIGNED for each in told]))


def _cooperative(group: GroupSnapshot, assignor: Assignor) -> Switch:
    done = rounds(group, assignor)
    steps, after = [], []
    for each in done.rounds:
        before, now = each.owned_before(), each.owned_after()
        kept = len(before) + len(now) - len(np.unique(np.concatenate((before, now)), axis=0))
        steps.append(Step(len(before) - kept, len(now) - kept, len(each.assignment.withheld)))
        after.append(_is_held(group, now))
    return Switch(Kind.COOPERATIVE, tuple(steps), *_paused(_is_held(group, done.rounds[0].owned_before()), after), done.is_settled)


def _is_held(group: GroupSnapshot, rows: np.ndarray) -> np.ndarray:
    """Tell, bool (P,), which topic-partitions are among (member, topic, partition)."""
    exists = rows[:, 2] < group.partition_count[rows[:, 1]]
    held = np.zeros(group.tp_count, dtype=bool)
    held[group.first_tp[rows[exists, 1]] + rows[exists, 2]] = True
    return held


def _paused(before: np.ndarray, after: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return who is without owner and for how long; `after`: what is held at the end of each round."""
    without = np.zeros(before.size, dtype=np.int64)
    for held in after:
        without += before & ~held
    paused = np.flatnonzero(without)
    return paused, without[paused]
