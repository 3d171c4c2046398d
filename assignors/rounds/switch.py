"""Switch: the partitions that pause while a group switches to a new assignment, and for how many
rounds each partition pauses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.owned import (
    are_among,
    held_rows,
    numbers_of,
)
from evenkeel.assignors.protocol import CLASSIC, SHARE, Assignor
from evenkeel.assignors.rounds.classic import Round, Rounds, rounds
from evenkeel.assignors.rounds.reconciliation import reconciliation


class Kind(StrEnum):
    """How a group switches to a new assignment.

    Eager: all members stop. Cooperative: members first give up moving partitions. Reconciled: the
    broker sends each member its target in heartbeat responses. Shared: all partitions change at
    once, because members share partitions.
    """

    EAGER = "eager"
    COOPERATIVE = "cooperative"
    RECONCILED = "reconciled"
    SHARED = "shared"


class Step(NamedTuple):
    """Numbers of partitions in one round.

    `revoked`: partitions that members give up. `handed_out`: partitions that members get.
    `waiting`: partitions that the new owner does not have yet after the round. `refused`:
    partitions in assignments that members refuse. `stale`: the part of `revoked` that belongs to
    another member or does not exist.
    """

    revoked: int
    handed_out: int
    waiting: int
    refused: int = 0
    stale: int = 0


@dataclass(frozen=True, eq=False)
class Switch:
    """The switch from the current assignment to an answer.

    Parameters
    ----------
    steps : tuple of Step
        The rebalances of a classic group, or the rounds of heartbeats of a KIP-848 group.
    paused : int64 (N,)
        Topic-partitions that temporarily have no owner, ascending.
    paused_rounds : int64 (N,)
        Number of rounds without an owner, for each paused partition.
    is_settled, is_endless : bool
        Whether the last step ends the switch, and whether the rebalances never end. If both are
        False, the simulation stopped too early to tell.
    """

    kind: Kind
    steps: tuple[Step, ...]
    paused: np.ndarray
    paused_rounds: np.ndarray
    is_settled: bool = True
    is_endless: bool = False

    @property
    def paused_count(self) -> int:
        return len(self.paused)

    @property
    def round_count(self) -> int:
        return len(self.steps)

    @property
    def is_refused(self) -> bool:
        """Whether a member refuses its assignment in some round."""
        return any(step.refused for step in self.steps)


def switch(
    group: GroupSnapshot,
    current: Assignment,
    assignor: Assignor,
    answer: Assignment,
    done: Rounds | None = None,
) -> Switch | None:
    """Return the group's switch to an assignor's answer. None if it is unknown whether the assignor
    is cooperative.

    If the assignor runs on the broker, the switch is simulated as in a KIP-848 group, even if the
    group is classic now. At the start, no member knows its new target. Additional owners of a
    partition, and partitions that the topic does not have, are left out. `done`: the rebalances of
    a cooperative assignor, if known.

    Raises
    ------
    AssignorError
        If Kafka's own class would throw in a later round of a cooperative assignor.
    """
    kind = kind_of(assignor)
    if kind == Kind.SHARED:
        return Switch(
            Kind.SHARED,
            (Step(0, int(np.count_nonzero(answer.owner != UNASSIGNED)), 0),),
            paused=np.empty(0, dtype=np.int64),
            paused_rounds=np.empty(0, dtype=np.int64),
        )
    if kind == Kind.RECONCILED:
        return _reconciled(current, answer, group.member_count)
    if kind is None:
        return None
    return (
        _cooperative(group, done or rounds(group, assignor))
        if kind == Kind.COOPERATIVE
        else _eager(group, current, assignor, answer)
    )


def kind_of(assignor: Assignor | type[Assignor]) -> Kind | None:
    """Return how a group switches to an assignor's answers. None if it is unknown whether the
    assignor is cooperative.
    """
    if assignor.group_type != CLASSIC:
        return Kind.SHARED if assignor.group_type == SHARE else Kind.RECONCILED
    if assignor.is_cooperative is None:
        return None
    return Kind.COOPERATIVE if assignor.is_cooperative else Kind.EAGER


def _eager(
    group: GroupSnapshot, current: Assignment, assignor: Assignor, answer: Assignment
) -> Switch:
    paused, member, topic = np.flatnonzero(current.owner != UNASSIGNED), *_held(group, answer)
    if (
        not assignor.checks_topics
        or group.is_listed.all()
        or group.is_listed[group.subscription[member], topic].all()
    ):
        return Switch(
            Kind.EAGER,
            (Step(paused.size, member.size, 0),),
            paused,
            np.ones(paused.size, dtype=np.int64),
        )
    # A client refuses an assignment with a topic that it does not subscribe to. It rejoins, and all
    # members stop once more.
    done = rounds(group, assignor)
    steps = tuple(Step(len(each.owned_before), *_taken_and_refused(each)) for each in done.rounds)
    return Switch(
        Kind.EAGER,
        steps,
        paused,
        np.full(paused.size, len(steps)),
        done.is_settled,
        done.is_endless,
    )


def _held(group: GroupSnapshot, answer: Assignment) -> tuple[np.ndarray, np.ndarray]:
    """Return the member and the topic of each assigned partition, in any order."""
    tps = np.flatnonzero(answer.owner != UNASSIGNED)
    member, topic, _ = answer.extra.T
    return np.append(answer.owner[tps], member), np.append(group.tp_topic[tps], topic)


def _taken_and_refused(each: Round) -> tuple[int, int, int]:
    held = held_rows(each.group, each.assignment)
    refused = int(np.count_nonzero(np.isin(held[:, 0], each.rejected[:, 0])))
    return len(held) - refused, 0, refused


def _reconciled(current: Assignment, answer: Assignment, member_count: int) -> Switch:
    wave = reconciliation(current.owner, answer.owner, np.zeros(member_count, dtype=np.int32), 1)
    steps = tuple(
        Step(
            each.revoked.size, each.added.size, int(np.count_nonzero(each.assigned != answer.owner))
        )
        for each in wave
    )
    return Switch(
        Kind.RECONCILED,
        steps,
        *_paused(current.owner != UNASSIGNED, [each.assigned != UNASSIGNED for each in wave]),
    )


def _cooperative(group: GroupSnapshot, done: Rounds) -> Switch:
    steps, after = [], []
    for each in done.rounds:
        before, now = each.owned_before, each.owned_after
        had, has = numbers_of(group, before), numbers_of(group, now)
        given_up = before[~are_among(had, has)]
        taken = len(now) - len(before) + len(given_up)
        after.append(_is_held(group, now))
        stale = int(np.count_nonzero(_stops_nothing(group, given_up, after[-1])))
        steps.append(
            Step(len(given_up), taken, len(each.assignment.withheld), _refused(group, each), stale)
        )
    paused = _paused(_is_held(group, done.rounds[0].owned_before), after)
    return Switch(Kind.COOPERATIVE, tuple(steps), *paused, done.is_settled, done.is_endless)


def _refused(group: GroupSnapshot, each: Round) -> int:
    """Count the new partitions of members that refuse their assignment."""
    if not each.rejected.size:
        return 0
    held = held_rows(each.group, each.assignment)
    meant = held[np.isin(held[:, 0], each.rejected[:, 0])]
    return int(
        np.count_nonzero(~are_among(numbers_of(group, meant), numbers_of(group, each.owned_before)))
    )


def _is_held(group: GroupSnapshot, rows: np.ndarray) -> np.ndarray:
    """Return whether a topic-partition is in `rows` (member, topic, partition), bool (P,)."""
    held = np.zeros(group.tp_count, dtype=bool)
    held[_tps(group, rows[_exists(group, rows)])] = True
    return held


def _stops_nothing(group: GroupSnapshot, given_up: np.ndarray, held: np.ndarray) -> np.ndarray:
    """Return whether a revoked row (member, topic, partition) causes no pause, bool (N,): the
    partition still has an owner, or does not exist.

    `held`: bool (P,), whether the partition has an owner.
    """
    exists = _exists(group, given_up)
    stops_nothing = ~exists
    stops_nothing[exists] = held[_tps(group, given_up[exists])]
    return stops_nothing


def _exists(group: GroupSnapshot, rows: np.ndarray) -> np.ndarray:
    return rows[:, 2] < group.partition_count[rows[:, 1]]


def _tps(group: GroupSnapshot, rows: np.ndarray) -> np.ndarray:
    return group.first_tp[rows[:, 1]] + rows[:, 2]


def _paused(before: np.ndarray, after: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the partitions that lose their owner, and for each the number of rounds without an
    owner.

    `before`, `after`: whether a partition has an owner, before the first round and after each
    round.
    """
    without = np.zeros(before.size, dtype=np.int64)
    for held in after:
        without += before & ~held
    paused = np.flatnonzero(without)
    return paused, without[paused]
