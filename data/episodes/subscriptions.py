"""Subscriptions of members over slots, as sets of topics by number."""

from collections.abc import Collection, Sequence

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED

_OLDEST = 10
"""Slots for which the subscription of a rebalancing member stays known."""


def carried(number: np.ndarray, is_there: np.ndarray) -> np.ndarray:
    """Return each member's set at each slot, int32 (S, M): for ten slots an unknown set is the last
    known set.

    Parameters
    ----------
    number : int32 (S, M)
        `UNASSIGNED` if unknown.
    is_there : bool (S, M)
        The slot lists the member.
    """
    row = np.arange(number.shape[0], dtype=np.int32)[:, None]
    last = np.maximum.accumulate(np.where(number != UNASSIGNED, row, np.int32(-1)), axis=0)
    before = np.take_along_axis(number, np.maximum(last, 0), axis=0)
    is_recent = is_there & (last >= 0) & (row - last <= _OLDEST)
    return np.where(is_recent, before, np.int32(UNASSIGNED))


def table_of(sets: Sequence[Collection[str]], topic_name: Sequence[str]) -> np.ndarray:
    """Return which set contains which topic, bool (K, T)."""
    rows = [[name in topics for name in topic_name] for topics in sets]
    return np.array(rows, dtype=bool).reshape(len(sets), len(topic_name))
