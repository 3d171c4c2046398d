"""Hottest: the partition that is furthest behind. No assignor can give its owner less lag."""

from typing import NamedTuple

import numpy as np


class Hottest(NamedTuple):
    """A topic-partition and its lag, the least that its owner has."""

    tp: int
    lag: int


def hottest(lag: np.ndarray, is_in_play: np.ndarray) -> Hottest | None:
    """Return the partition with the most known lag among those that an assignor can assign; None where no lag above 0 is known.

    `lag` int64 (P,), `is_in_play` bool (P,): a topic without a subscriber keeps the lag of its commits, and no member gets it.
    """
    tps = np.flatnonzero(is_in_play)
    if not tps.size or lag[tps].max() <= 0:
        return None
    tp = int(tps[lag[tps].argmax()])
    return Hottest(tp, int(lag[tp]))
