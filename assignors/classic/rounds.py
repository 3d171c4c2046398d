"""Rounds: the rebalances that a cooperative assignor takes until nobody has to give anything up any more (KIP-429)."""

from dataclasses import dataclass

import numpy as np

from assignors.assignment import Assignment
from assignors.group import GroupSnapshot
from assignors.owned import held_rows, with_claims
from assignors.protocol import Assignor

MOST_ROUNDS = 16
"""Kafka's own tests allow five."""


@dataclass(frozen=True, eq=False)
class Round:
    """One rebalance.

    Parameters
    ----------
    group : GroupSnapshot
        What members owned when they joined.
    assignment : Assignment
    revoked : int32 (R, 3)
        (member, topic, partition), ascending: what a member owned and was not assigned again; it stops, and whoever waits for it gets it in the next round.
    rejected : int32 (J, 2)
        (member, topic), ascending: topics assigned to a member that does not subscribe to them. Its client takes nothing of this assignment and joins again.
    """

    group: GroupSnapshot
    assignment: Assignment
    revoked: np.ndarray
    rejected: np.ndarray

    @property
    def is_last(self) -> bool:
        """Whether nobody has a reason to join again."""
        return not len(self.revoked) and not len(self.rejected)

    def owned_before(self) -> np.ndarray:
        """Return int32 (K, 3), ascending: member, topic and partition of what members owned when they joined."""
        return _claims(self.group)

    def owned_after(self) -> np.ndarray:
        """Return the same of what they own when they join again. Before that a client gives up what is of topics that it does not subscribe to."""
        assigned, owned = held_rows(self.group, self.assignment), _claims(self.group)
        rejecting = self.rejected[:, 0]
        left = owned[np.isin(owned[:, 0], rejecting) & _is_subscribed(self.group, owned)]
        rows = np.concatenate((assigned[~np.isin(assigned[:, 0], rejecting)], left))
        return rows[np.lexsort(rows.T[::-1])].astype(np.int32)


@dataclass(frozen=True, eq=False)
class Rounds:
    """All rebalances, the first one caused by whatever changed; `is_settled` False where they would go on for ever, or longer than `MOST_ROUNDS`."""

    rounds: tuple[Round, ...]
    is_settled: bool


def rounds(group: GroupSnapshot, assignor: Assignor) -> Rounds:
    """Repeat the rebalance, each time with what the last one assigned and one generation more, until nobody revokes or rejects anything.

    Raises
    ------
    AssignorError
        Where Kafka's own class would throw, in whichever round.
    """
    done, seen, generation = [], set(), int(group.generation.max(initial=0))
    while len(done) < MOST_ROUNDS:
        done.append(_round(group, assignor.assign(group)))
        if done[-1].is_last:
            return Rounds(tuple(done), True)
        generation += 1
        owned = done[-1].owned_after()
        # From the second round on all are of one generation: the same claims give the same answer again.
        if owned.tobytes() in seen:
            break
        seen.add(owned.tobytes())
        group = with_claims(group, owned, generation)
    return Rounds(tuple(done), False)


def _round(group: GroupSnapshot, assignment: Assignment) -> Round:
    owned, assigned = _claims(group), held_rows(group, assignment)
    rejected = np.unique(assigned[~_is_subscribed(group, assigned)][:, :2], axis=0)
    applied = assigned[~np.isin(assigned[:, 0], rejected[:, 0])]
    stays = np.isin(owned[:, 0], rejected[:, 0]) | _is_in(owned, applied)
    return Round(group, assignment, owned[~stays], rejected)


def _claims(group: GroupSnapshot) -> np.ndarray:
    return np.unique(np.column_stack((group.claim_member, group.claim_topic, group.claim_partition)), axis=0)


def _is_subscribed(group: GroupSnapshot, rows: np.ndarray) -> np.ndarray:
    return group.is_listed[group.subscription[rows[:, 0]], rows[:, 1]]


def _is_in(rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return which of the rows are among the others; both are of whole numbers in three columns."""
    number = np.unique(np.concatenate((rows, others)), axis=0, return_inverse=True)[1].reshape(-1)
    return np.isin(number[: len(rows)], number[len(rows) :])
