"""Partitions that each member has after a change, and partitions that the change revokes."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.compare.moves import OwnerPairs
from evenkeel.assignors.group.lag import UNKNOWN_LAG

KEPT, ADDED, REVOKED = 0, 1, 2


class Holdings(NamedTuple):
    """Partitions that members keep, get and give up. The arrays have an entry for each pair of
    member and partition.

    `kind`: `KEPT`, `ADDED` or `REVOKED`. `lag`: in records, NaN if unknown.
    """

    member: np.ndarray
    topic: np.ndarray
    partition: np.ndarray
    kind: np.ndarray
    lag: np.ndarray


def holdings(pairs: OwnerPairs, lag: np.ndarray) -> Holdings:
    """Return the holdings of a change.

    `lag`: int64, lag of the partition of each pair, `UNKNOWN_LAG` if unknown.
    """
    retained = pairs.from_member == pairs.to_member
    added, revoked = (
        ~retained & (pairs.to_member != UNASSIGNED),
        ~retained & (pairs.from_member != UNASSIGNED),
    )
    rows = np.concatenate([np.flatnonzero(shown) for shown in (retained, added, revoked)])
    kind = np.repeat([KEPT, ADDED, REVOKED], [shown.sum() for shown in (retained, added, revoked)])
    member = np.where(kind == REVOKED, pairs.from_member[rows], pairs.to_member[rows])
    return Holdings(
        member,
        pairs.topic[rows],
        pairs.partition[rows],
        kind,
        np.where(lag == UNKNOWN_LAG, np.nan, lag.astype(float))[rows],
    )
