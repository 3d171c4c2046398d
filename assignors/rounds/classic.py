"""Rounds: the rebalances of a classic group until no member has a reason to rejoin.

With a cooperative assignor (KIP-429), a member rejoins after it gives up partitions. Some clients
refuse an assignment with an unsubscribed topic, and also rejoin.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.owned import (
    are_among,
    claim_rows,
    distinct_rows,
    held_rows,
    numbers_of,
    with_claims,
)
from evenkeel.assignors.protocol import Assignor

MOST_ROUNDS = 16
"""Kafka's own tests allow five rounds. A few other groups need more than a hundred."""


@dataclass(frozen=True, eq=False)
class Round:
    """One rebalance.

    Parameters
    ----------
    group : GroupSnapshot
        The group when its members join, with their owned partitions.
    assignment : Assignment
    revoked : int32 (R, 3)
        (member, topic, partition), ascending: partitions that a member owned and is not assigned
        again. The new owner gets a revoked partition in the next round; with an eager assignor, in
        this round.
    rejected : int32 (J, 2)
        (member, topic), ascending: topics assigned to a member that does not subscribe to them. The
        member's client refuses the whole assignment and rejoins.
    is_last : bool
        Whether no member has a reason to rejoin.
    """

    group: GroupSnapshot
    assignment: Assignment
    revoked: np.ndarray
    rejected: np.ndarray
    is_last: bool

    @cached_property
    def owned_before(self) -> np.ndarray:
        """Partitions that members own when they join, int32 (K, 3), ascending: member, topic and
        partition.
        """
        return _claims(self.group)

    @cached_property
    def owned_after(self) -> np.ndarray:
        """Partitions that members own at the next join, int32 (K, 3). A client gives up partitions
        of unsubscribed topics before that join.
        """
        assigned, owned, rejecting = (
            held_rows(self.group, self.assignment),
            self.owned_before,
            self.rejected[:, 0],
        )
        if not rejecting.size:
            return assigned
        left = owned[np.isin(owned[:, 0], rejecting) & _is_subscribed(self.group, owned)]
        rows = np.concatenate((assigned[~np.isin(assigned[:, 0], rejecting)], left))
        return distinct_rows(self.group, rows)


@dataclass(frozen=True, eq=False)
class Rounds:
    """All rebalances after a change of the group.

    `is_settled`: no member has a reason to rejoin. `is_endless`: the group rejoins in the same
    state as at an earlier join, so the rebalances never end. If both are False, the simulation
    stopped after `MOST_ROUNDS` rebalances.
    """

    rounds: tuple[Round, ...]
    is_settled: bool
    is_endless: bool
    is_eager: bool

    @property
    def joining(self) -> GroupSnapshot:
        """The group when its members join the next rebalance."""
        last = self.rounds[-1]
        generation = int(self.rounds[0].group.generation.max(initial=0)) + len(self.rounds)
        return (_joining_eagerly if self.is_eager else _joining)(last, generation)


def rounds(group: GroupSnapshot, assignor: Assignor) -> Rounds:
    """Repeat the rebalance until no member has a reason to rejoin. In the next rebalance, members
    own the partitions of the previous assignment, and the generation is larger by one.

    Raises
    ------
    AssignorError
        If Kafka's own class would throw, in any round.
    """
    is_eager = not assignor.is_cooperative
    done: list[Round] = []
    seen, generation = set(), int(group.generation.max(initial=0))
    while len(done) < MOST_ROUNDS:
        done.append(_round(group, assignor.assign(group), is_eager, assignor.checks_topics))
        if done[-1].is_last:
            return Rounds(tuple(done), is_settled=True, is_endless=False, is_eager=is_eager)
        generation += 1
        group = (_joining_eagerly if is_eager else _joining)(done[-1], generation)
        state = _state(group, assignor)
        if state in seen:
            return Rounds(tuple(done), is_settled=False, is_endless=True, is_eager=is_eager)
        seen.add(state)
    return Rounds(tuple(done), is_settled=False, is_endless=False, is_eager=is_eager)


def _round(
    group: GroupSnapshot, assignment: Assignment, is_eager: bool, checks_topics: bool
) -> Round:
    owned, assigned = _claims(group), held_rows(group, assignment)
    # Java's ConsumerCoordinator.onJoinComplete refuses an assignment that
    # SubscriptionState.checkAssignmentMatchedSubscription rejects.
    rejected = (
        np.unique(assigned[~_is_subscribed(group, assigned)][:, :2], axis=0)
        if checks_topics
        else assigned[:0, :2]
    )
    applied = assigned[~np.isin(assigned[:, 0], rejected[:, 0])] if rejected.size else assigned
    stays = are_among(numbers_of(group, owned), numbers_of(group, applied))
    revoked = owned[~(stays | np.isin(owned[:, 0], rejected[:, 0]))]
    return Round(
        group,
        assignment,
        revoked,
        rejected,
        is_last=not len(rejected) and (is_eager or not len(revoked)),
    )


def _joining(last: Round, generation: int) -> GroupSnapshot:
    return with_claims(last.group, last.owned_after, generation)


def _joining_eagerly(last: Round, generation: int) -> GroupSnapshot:
    """Return the group at its next join, for an assignor whose members send claims as user data.

    If a client refuses its assignment, the client's assignor does not see the assignment. The
    client then sends its earlier claims again.
    """
    assigned, owned = held_rows(last.group, last.assignment), last.owned_before
    rejecting = np.isin(np.arange(last.group.member_count), last.rejected[:, 0])
    rows = np.concatenate((assigned[~rejecting[assigned[:, 0]]], owned[rejecting[owned[:, 0]]]))
    return with_claims(
        last.group,
        distinct_rows(last.group, rows),
        np.where(rejecting, last.group.generation, generation),
    )


def _state(group: GroupSnapshot, assignor: Assignor) -> bytes:
    """Return all inputs of the next assignment as bytes, to compare joins.

    Generations are replaced by their ranks, because only their order matters. The leader may
    remember a larger generation than any member.
    """
    generations = np.append(group.generation, assignor.max_generation)
    columns = (
        group.claim_member,
        group.claim_topic,
        group.claim_partition,
        np.unique(generations, return_inverse=True)[1],
    )
    return b"".join(column.tobytes() for column in columns)


def _claims(group: GroupSnapshot) -> np.ndarray:
    return distinct_rows(group, claim_rows(group))


def _is_subscribed(group: GroupSnapshot, rows: np.ndarray) -> np.ndarray:
    return group.is_listed[group.subscription[rows[:, 0]], rows[:, 1]]
