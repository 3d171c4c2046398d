"""Hottest: the partition that is furthest behind, the floor of every assignor."""

from typing import NamedTuple

import numpy as np

from assignors.lag import total_lag


class Hottest(NamedTuple):
    """A topic-partition and its lag, which its owner has at least; `is_over_half_share`: more than half of what a member has where all known lag is spread evenly."""

    tp: int
    lag: int
    is_over_half_share: bool


def hottest(lag: np.ndarray, member_count: int) -> Hottest | None:
    """Return the partition with the most known lag of `lag` int64 (P,), None where none is known to lag."""
    if not lag.size or lag.max() <= 0:
        return None
    tp = int(lag.argmax())
    most, total = int(lag[tp]), total_lag(lag)
    return Hottest(tp, most, total is not None and 2 * most * member_count > total)
