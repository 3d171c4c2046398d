"""Rounds: the rebalances of a classic group until nobody has a reason to join again.

With a cooperative assignor (KIP-429) members rejoin after giving something up. With every assignor a member rejoins that is assigned a topic it does not subscribe to.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assignors.assignment import Assignment
from assignors.group import GroupSnapshot
from assignors.group.owned import held_rows, with_claims
from assignors.group.row_numbers import are_among, distinct_rows, numbers_of
from assignors.protocol import Assignor

MOST_ROUNDS = 16
"""Kafka's own tests allow five; a few of the groups that they do not have take more than a hundred."""


@dataclass(frozen=True, eq=False)
class Round:
    """One rebalance.

    Parameters
    ----------
    group : GroupSnapshot
        What members owned when they joined.
    assignment : Assignment
    revoked : int32 (R, 3)
        (member, topic, partition), ascending: what a member owned and was not assigned again. Whoever waits for it gets it in the next round, or at once from an eager assignor.
    rejected : int32 (J, 2)
        (member, topic), ascending: topics assigned to a member that does not subscribe to them. Its client takes nothing of this assignment and joins again.
    is_last : bool
        Nobody has a reason to join again.
    """

    group: GroupSnapshot
    assignment: Assignment
    revoked: np.ndarray
    rejected: np.ndarray
    is_last: bool

    @cached_property
    def owned_before(self) -> np.ndarray:
        """int32 (K, 3), ascending: member, topic and partition of what members owned when they joined."""
        return _claims(self.group)

    @cached_property
    def owned_after(self) -> np.ndarray:
        """The same of what they own when they join again. Before that a client gives up what is of topics that it does not subscribe to."""
        assigned, owned, rejecting = held_rows(self.group, self.assignment), self.owned_before, self.rejected[:, 0]
        if not rejecting.size:
            return assigned
        left = owned[np.isin(owned[:, 0], rejecting) & _is_subscribed(self.group, owned)]
        rows = np.concatenate((assigned[~np.isin(assigned[:, 0], rejecting)], left))
        return distinct_rows(self.group, rows)


@dataclass(frozen=True, eq=False)
class Rounds:
    """All rebalances, the first one caused by whatever changed.

    `is_settled`: nobody has a reason to join again; `is_endless`: the group joins again as it did before, so they go on for ever. Neither: more than `MOST_ROUNDS`.
    """

    rounds: tuple[Round, ...]
    is_settled: bool
    is_endless: bool


def rounds(group: GroupSnapshot, assignor: Assignor) -> Rounds:
    """Repeat the rebalance, each time with what the last one assigned and one generation more, until nobody has a reason to join again.

    Raises
    ------
    AssignorError
        Where Kafka's own class would throw, in whichever round.
    """
    is_eager = not assignor.is_cooperative
    done, seen, generation = [], set(), int(group.generation.max(initial=0))
    while len(done) < MOST_ROUNDS:
        done.append(_round(group, assignor.assign(group), is_eager))
        if done[-1].is_last:
            return Rounds(tuple(done), is_settled=True, is_endless=False)
        generation += 1
        group = (_joining_eagerly if is_eager else _joining)(done[-1], generation)
        state = _state(group, assignor)
        if state in seen:
            return Rounds(tuple(done), is_settled=False, is_endless=True)
        seen.add(state)
    return Rounds(tuple(done), is_settled=False, is_endless=False)


def _round(group: GroupSnapshot, assignment: Assignment, is_eager: bool) -> Round:
    owned, assigned = _claims(group), held_rows(group, assignment)
    rejected = np.unique(assigned[~_is_subscribed(group, assigned)][:, :2], axis=0)
    applied = assigned[~np.isin(assigned[:, 0], rejected[:, 0])] if rejected.size else assigned
    stays = are_among(numbers_of(group, owned), numbers_of(group, applied))
    revoked = owned[~(stays | np.isin(owned[:, 0], rejected[:, 0]))]
    return Round(group, assignment, revoked, rejected, is_last=not len(rejected) and (is_eager or not len(revoked)))


def _joining(last: Round, generation: int) -> GroupSnapshot:
    return with_claims(last.group, last.owned_after, generation)


def _joining_eagerly(last: Round, generation: int) -> GroupSnapshot:
    """Return the group where claims are user data: the assignor of a member that rejects never sees the assignment, so the member says again what it said before."""
    assigned, owned = held_rows(last.group, last.assignment), last.owned_before
    rejecting = np.isin(np.arange(last.group.member_count), last.rejected[:, 0])
    rows = np.concatenate((assigned[~rejecting[assigned[:, 0]]], owned[rejecting[owned[:, 0]]]))
    return with_claims(last.group, distinct_rows(last.group, rows), np.where(rejecting, last.group.generation, generation))


def _state(group: GroupSnapshot, assignor: Assignor) -> bytes:
    """Return what decides the next answer. Of generations it counts which are older, not by how much; the leader may remember a higher one than any member has."""
    generations = np.append(group.generation, assignor.max_generation)
    columns = group.claim_member, group.claim_topic, group.claim_partition, np.unique(generations, return_inverse=True)[1]
    return b"".join(column.tobytes() for column in columns)


def _claims(group: GroupSnapshot) -> np.ndarray:
    return distinct_rows(group, np.stack((group.claim_member, group.claim_topic, group.claim_partition)).T)


def _is_subscribed(group: GroupSnapshot, rows: np.ndarray) -> np.ndarray:
    return group.is_listed[group.subscription[rows[:, 0]], rows[:, 1]]
