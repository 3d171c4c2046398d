"""Subscriptions of members over slots, as sets of topics by number."""

from collections.abc import Collection, Sequence

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED

_OLDEST = 10
"""Slots for which the subscription of a rebalancing member stays known."""


class Subscriptions:
    """What each member subscribes to at each slot; slots are added in the order of time."""

    def __init__(self, member_id: Sequence[str], topic_name: Sequence[str], slot_count: int):
        self._member = {name: row for row, name in enumerate(member_id)}
        self._topic_name = topic_name
        self._shape = slot_count, len(self._member)
        self._sets: dict[frozenset[str], int] = {}
        self._rows: list[tuple[int, int, int]] = []

    def add(self, slot: int, member_id: str, topics: Collection[str] | None) -> None:
        """Add a member at a slot; None: its topics are not listed."""
        number = UNASSIGNED
        if topics is not None:
            number = self._sets.setdefault(frozenset(topics), len(self._sets))
        self._rows.append((slot, self._member[member_id], number))

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the sets of topics, bool (K, T), and the set of each member, int32 (S, M)."""
        sets = [[name in topics for name in self._topic_name] for topics in self._sets]
        topic_set = np.array(sets, dtype=bool).reshape(len(self._sets), len(self._topic_name))
        rows = np.array(self._rows, dtype=np.int64).reshape(-1, 3)
        return topic_set, remembered(self._shape, *rows.T)


def remembered(
    shape: tuple[int, int], slot: np.ndarray, member: np.ndarray, number: np.ndarray
) -> np.ndarray:
    """Return the set of each listed member, int32 (S, M); a set that is not listed is that of at
    most ten slots before.

    Parameters
    ----------
    slot, member, number : int64 (R,)
        Rows of members; `UNASSIGNED` if the set is not listed.
    """
    is_listed = np.zeros(shape, dtype=bool)
    is_listed[slot, member] = True
    sets = np.full(shape, UNASSIGNED, dtype=np.int32)
    sets[slot, member] = number
    rows = np.arange(shape[0])[:, None]
    last = np.maximum.accumulate(np.where(sets != UNASSIGNED, rows, -1), axis=0)
    is_recent = is_listed & (last >= 0) & (rows - last <= _OLDEST)
    return np.where(is_recent, np.take_along_axis(sets, np.maximum(last, 0), axis=0), UNASSIGNED)
