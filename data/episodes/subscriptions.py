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
        self._sets: dict[frozenset[str], int] = {}
        self._last: dict[str, tuple[int, int]] = {}
        self._number = np.full((slot_count, len(self._member)), UNASSIGNED, dtype=np.int32)

    def add(self, slot: int, member_id: str, topics: Collection[str] | None) -> None:
        """Add a member at a slot; None: its topics are not listed, and those of before hold for ten
        slots.
        """
        if topics is not None:
            number = self._sets.setdefault(frozenset(topics), len(self._sets))
            self._last[member_id] = number, slot
        number, seen = self._last.get(member_id, (UNASSIGNED, slot))
        is_recent = slot - seen <= _OLDEST
        self._number[slot, self._member[member_id]] = number if is_recent else UNASSIGNED

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the sets of topics, bool (K, T), and the set of each member, int32 (S, M)."""
        sets = [[name in topics for name in self._topic_name] for topics in self._sets]
        shape = len(self._sets), len(self._topic_name)
        return np.array(sets, dtype=bool).reshape(shape), self._number
