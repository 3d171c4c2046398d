"""Reconciliation (KIP-848): the heartbeats of a consumer group until it has reached its target."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED

# Reconciliation: the members of a KIP-848 group reach their target assignments heartbeat by
# heartbeat. The code reproduces
# `org.apache.kafka.coordinator.group.modern.consumer.CurrentAssignmentBuilder` for members with
# unchanged subscriptions.


class MemberState(IntEnum):
    """Kafka's member states. `STABLE`: the member has its target. `UNREVOKED_PARTITIONS`: the
    member must give up partitions. `UNRELEASED_PARTITIONS`: the member waits for partitions that
    other members still have.
    """

    STABLE = 0
    UNREVOKED_PARTITIONS = 1
    UNRELEASED_PARTITIONS = 2


@dataclass(frozen=True, eq=False)
class Beat:
    """A group after every member has sent one heartbeat, in the order of row numbers, and got the
    response.

    Parameters
    ----------
    assigned : int32 (P,)
        Member that may consume the partition, or `UNASSIGNED`.
    pending : int32 (P,)
        Member that must give up the partition and has not confirmed this, or `UNASSIGNED`.
    added, revoked : int64
        `added`: topic-partitions that members got in this round. `revoked`: topic-partitions that
        members must give up since this round. Both ascend.
    state : int8 (M,)
        `MemberState` of each member.
    epoch : int32 (M,)
        Epoch of each member.
    """

    assigned: np.ndarray
    pending: np.ndarray
    added: np.ndarray
    revoked: np.ndarray
    state: np.ndarray
    epoch: np.ndarray


def reconciliation(
    owned: np.ndarray, target: np.ndarray, epoch: np.ndarray, target_epoch: int
) -> tuple[Beat, ...]:
    """Return the rounds until every member is stable. Empty if every member is already stable.

    A member revokes partitions at once and reports this with its next heartbeat. Every member has
    one heartbeat in each round. Therefore a moving partition has no owner for one round, or for two
    rounds if the new owner sends its heartbeat before the old owner.

    Parameters
    ----------
    owned, target : int32 (P,)
        Present and target member of each partition, or `UNASSIGNED`.
    epoch : int32 (M,)
        Member epochs before the first round. A member at `target_epoch` knows its target and gives
        up nothing.

    Raises
    ------
    ValueError
        If a member at `target_epoch` still owns a partition that is in another member's target.
    """
    # UNASSIGNED is -1, the index of the False at the end.
    is_current = np.append(epoch == target_epoch, False)
    if (late := np.flatnonzero(is_current[owned] & (owned != target))).size:
        owner, wanted = owned[late[0]], target[late[0]]
        because = f"because that member is at epoch {target_epoch} already"
        raise ValueError(
            f"topic-partition {late[0]} is owned by member {owner}, expected {wanted}, {because}"
        )
    unassigned = np.full_like(owned, UNASSIGNED)
    state = np.full(epoch.size, MemberState.STABLE, dtype=np.int8)
    rounds = [
        Beat(
            owned,
            unassigned,
            np.empty(0, dtype=np.int64),
            np.empty(0, dtype=np.int64),
            state,
            epoch,
        )
    ]
    while (rounds[-1].state != MemberState.STABLE).any() or (
        rounds[-1].epoch != target_epoch
    ).any():
        rounds.append(_next(rounds[-1], target, target_epoch))
    return tuple(rounds[1:])


def _next(before: Beat, target: np.ndarray, target_epoch: int) -> Beat:
    acts = np.append((before.state != MemberState.STABLE) | (before.epoch != target_epoch), False)
    revoked = acts[before.assigned] & (before.assigned != target)
    revokes = np.zeros_like(acts)
    revokes[before.assigned[revoked]] = True
    # CurrentAssignmentBuilder adds nothing for a member that must first revoke partitions.
    takes = acts & ~revokes
    assigned, pending = before.assigned.copy(), before.pending.copy()
    # A heartbeat finds free partitions that heartbeats of earlier rows released in the same round.
    free = (before.assigned == UNASSIGNED) & (before.pending < target)
    added = takes[target] & free
    assigned[added] = target[added]
    pending[takes[pending]] = UNASSIGNED
    assigned[revoked], pending[revoked] = UNASSIGNED, before.assigned[revoked]
    waits = np.zeros_like(acts)
    waits[target[assigned != target]] = True
    state = np.where(takes & waits, MemberState.UNRELEASED_PARTITIONS, MemberState.STABLE)
    state = np.where(revokes, MemberState.UNREVOKED_PARTITIONS, state)[:-1]
    epoch = np.where(takes[:-1], target_epoch, before.epoch)
    return Beat(
        assigned,
        pending,
        np.flatnonzero(added),
        np.flatnonzero(revoked),
        state.astype(np.int8),
        epoch.astype(np.int32),
    )
