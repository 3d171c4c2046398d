"""Hottest: the partition that is furthest behind, the floor of every assignor."""

from typing import NamedTuple

import numpy as np

from assignors.group import GroupSnapshot
from assignors.group.lag import total_lag


class Hottest(NamedTuple):
    """A topic-partition and its lag, which its owner has at least; `is_over_half_share`: more than half of what a member has where all known lag is spread evenly."""

    tp: int
    lag: int
    is_over_half_share: bool


def hottest(group: GroupSnapshot, lag: np.ndarray) -> Hottest | None:
    """Return the partition with the most known lag of `lag` int64 (P,), of those that an assignor can give to a member; None where none of them is known to lag."""
    # A topic without a subscriber keeps the lag of its commits, and no member gets it.
    tps = np.flatnonzero(group.in_play[group.tp_topic])
    if not tps.size or lag[tps].max() <= 0:
        return None
    tp = int(tps[lag[tps].argmax()])
    most, total = int(lag[tp]), total_lag(lag[tps])
    return Hottest(tp, most, total is not None and 2 * most * group.member_count > total)
