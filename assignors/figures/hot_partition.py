"""Hottest: the partition that is furthest behind. No assignor can give its owner less lag."""

from typing import NamedTuple

import numpy as np

from assignors.group import GroupSnapshot
from assignors.group.lag import total_lag


class Hottest(NamedTuple):
    """A topic-partition and its lag, the least that its owner has.

    `is_over_half_share`: it is more than half of a member's share if all known lag were spread evenly.
    """

    tp: int
    lag: int
    is_over_half_share: bool


def hottest(group: GroupSnapshot, lag: np.ndarray) -> Hottest | None:
    """Return the partition with the most known lag among those that an assignor can assign; None where no lag above 0 is known.

    `lag` int64 (P,).
    """
    # A topic without a subscriber keeps the lag of its commits, and no member gets it.
    tps = np.flatnonzero(group.in_play[group.tp_topic])
    if not tps.size or lag[tps].max() <= 0:
        return None
    tp = int(tps[lag[tps].argmax()])
    most, total = int(lag[tp]), total_lag(lag[tps])
    return Hottest(tp, most, total is not None and 2 * most * group.member_count > total)
