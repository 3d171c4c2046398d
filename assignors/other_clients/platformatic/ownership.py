"""Former owners as @platformatic/kafka believes them: claims of the highest generation in the group alone."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import NO_GENERATION, NO_TP, GroupSnapshot


class Ownership(NamedTuple):
    """`owner` int32 (P,): believed owners. `is_contested` bool (P,): claimed twice in that generation, so nobody owns it."""

    owner: np.ndarray
    is_contested: np.ndarray


def ownership(group: GroupSnapshot, is_assignable: np.ndarray) -> Ownership:
    """Read the claims to topics that the claimant subscribes to; `is_assignable` bool (P,)."""
    highest = max(int(group.generation.max(initial=NO_GENERATION)), NO_GENERATION)
    member, tp = _claims(group)
    counts = is_assignable[tp] & group.is_listed[group.subscription[member], group.tp_topic[tp]]
    counts &= (group.generation[member] == highest) | (highest < 0)
    claims = np.bincount(tp[counts], minlength=group.tp_count)
    owner = np.full(group.tp_count, UNASSIGNED, dtype=np.int32)
    owner[tp[counts]] = member[counts]
    owner[claims > 1] = UNASSIGNED
    return Ownership(owner, claims > 1)


def lost_by_claimants(group: GroupSnapshot, before: Ownership, owner: np.ndarray) -> np.ndarray:
    """Tell, bool (P,), what a believed owner, or a claimant of a contested partition, does not get."""
    member, tp = _claims(group)
    is_lost = (owner[tp] != member) & ((before.owner[tp] == member) | before.is_contested[tp])
    lost = np.zeros(group.tp_count, dtype=bool)
    lost[tp[is_lost]] = True
    return lost


def _claims(group: GroupSnapshot) -> tuple[np.ndarray, np.ndarray]:
    """Return member and topic-partition of the claims to partitions that exist."""
    exists = group.claim_tp != NO_TP
    return group.claim_member[exists], group.claim_tp[exists]
