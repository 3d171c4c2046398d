"""Claims as franz-go reads them: the highest generation holds a partition, the next claimant is remembered as stale."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group import NO_TP, GroupSnapshot


class Claims(NamedTuple):
    """`holder` and `stale`: by topic-partition the number of the member, members numbered static ones first."""

    holder: dict[int, int]
    stale: dict[int, int]


def read_claims(group: GroupSnapshot, place: np.ndarray) -> Claims:
    """Read the claims to partitions that exist, members by number; of two in one generation the lower number holds.

    `place` int64 (M,): the number of each member.
    """
    number = place[group.claim_member]
    (rows,) = ((group.claim_tp != NO_TP) & group.in_play[group.claim_topic]).nonzero()
    rows = rows[np.argsort(number[rows], kind="stable")]
    # A missing generation is worth as much as 0.
    generation = np.maximum(group.generation, 0)[group.claim_member]
    newest: dict[int, tuple[int, int]] = {}
    older: dict[int, tuple[int, int]] = {}
    for tp, member, claimed in zip(group.claim_tp[rows].tolist(), number[rows].tolist(), generation[rows].tolist(), strict=True):
        if tp not in newest:
            newest[tp] = claimed, member
        elif claimed > newest[tp][0]:
            older[tp], newest[tp] = newest[tp], (claimed, member)
        elif tp not in older or claimed > older[tp][0]:
            older[tp] = claimed, member
    return Claims({tp: member for tp, (_, member) in newest.items()}, {tp: member for tp, (_, member) in older.items()})
