"""The subscription of each member in each slot, as the number of a topic set."""

from collections.abc import Collection, Sequence

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED

_OLDEST = 10
"""Most slots for which a rebalancing member keeps its last known subscription."""


def carried(number: np.ndarray, is_there: np.ndarray) -> np.ndarray:
    """Return each member's topic set at each slot, int32 (S, M).

    If a slot does not have the set, the last known set is used, for at most ten slots.

    Parameters
    ----------
    number : int32 (S, M)
        Number of the set, `UNASSIGNED` if unknown.
    is_there : bool (S, M)
        Whether the slot lists the member.
    """
    row = np.arange(number.shape[0], dtype=np.int32)[:, None]
    last = np.maximum.accumulate(np.where(number != UNASSIGNED, row, np.int32(-1)), axis=0)
    before = np.take_along_axis(number, np.maximum(last, 0), axis=0)
    is_recent = is_there & (last >= 0) & (row - last <= _OLDEST)
    return np.where(is_recent, before, np.int32(UNASSIGNED))


def table_of(sets: Sequence[Collection[str]], topic_name: Sequence[str]) -> np.ndarray:
    """Return whether each set contains each topic, bool (K, T)."""
    rows = [[name in topics for name in topic_name] for topics in sets]
    return np.array(rows, dtype=bool).reshape(len(sets), len(topic_name))
