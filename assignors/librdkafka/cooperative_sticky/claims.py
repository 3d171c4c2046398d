"""Claims: who of those that say they own a partition is believed, and who is remembered."""

from collections.abc import Sequence
from functools import cmp_to_key
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.arrays import stable_order
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import NO_TP, GroupSnapshot
from evenkeel.assignors.librdkafka.cooperative_sticky.known_group import KnownGroup

_WRAP = 1 << 32
_HALF = 1 << 31


class Claims(NamedTuple):
    """int32 (P,) each, `UNASSIGNED` for nobody.

    `owner`: whom the leader believes. `former`: whose claim is the second newest. `holder`: who is named last; the leader moves partitions
    away from the holder, also where that is not the owner.
    """

    owner: np.ndarray
    former: np.ndarray
    holder: np.ndarray


def claims(known: KnownGroup) -> Claims:
    """Judge the claims to partitions of subscribed topics."""
    group = known.group
    at = known_claims(group, known.members)
    at = at[(group.claim_tp[at] != NO_TP) & (known.subscribers.count_of_topic[group.claim_topic[at]] > 0)]
    at = at[stable_order(group.claim_tp[at])]
    owner, former = (np.full(group.tp_count, UNASSIGNED, dtype=np.int32) for _ in range(2))
    owner[group.claim_tp[at]] = group.claim_member[at]
    holder = owner.copy()
    for tp, members in _repeated(group.claim_tp[at], group.claim_member[at]):
        owner[tp], former[tp] = _believed(members, group.generation[members].tolist())
        if owner[tp] == UNASSIGNED:
            holder[tp] = UNASSIGNED
    return Claims(owner, former, holder)


def known_claims(group: GroupSnapshot, members: np.ndarray) -> np.ndarray:
    """Return the claims of these members, rows int64, in the order reported."""
    is_known = np.zeros(group.member_count, dtype=bool)
    is_known[members] = True
    return np.flatnonzero(is_known[group.claim_member])


def _repeated(tp: np.ndarray, member: np.ndarray):
    """Yield each topic-partition that is claimed more than once, with its claimants."""
    if not (tp[1:] == tp[:-1]).any():
        return
    starts = np.flatnonzero(np.diff(tp, prepend=-1))
    for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), tp.size], strict=True):
        if stop - start > 1:
            yield int(tp[start]), member[start:stop]


def _believed(members: np.ndarray, generations: Sequence[int]) -> tuple[int, int]:
    """Return the members with the newest and the second newest claim; nobody is believed where two generations are the same."""
    if len(set(generations)) < len(generations):
        return UNASSIGNED, UNASSIGNED
    # The difference of two generations is an int in C, and wraps.
    order = sorted(range(len(generations)), key=cmp_to_key(lambda one, other: _wrapped(generations[one] - generations[other])))
    return int(members[order[-1]]), int(members[order[-2]])


def _wrapped(difference: int) -> int:
    return (difference + _HALF) % _WRAP - _HALF
