"""Unevenness: members that hold what another subscriber with far fewer partitions could take."""

import numpy as np

from assignors.assignment import UNASSIGNED
from assignors.group import GroupSnapshot


def could_give(group: GroupSnapshot, owner: np.ndarray) -> np.ndarray:
    """Return the topic-partitions, int64, ascending, whose topic has a subscriber with at least two partitions fewer than their owner; `owner` int32 (P,)."""
    tps = np.flatnonzero(owner != UNASSIGNED)
    counts = np.bincount(owner[tps], minlength=group.member_count)
    subscribers = group.subscribers
    fewest = np.array([counts[members].min() if members.size else np.iinfo(np.int64).max for members in subscribers.members])
    return tps[counts[owner[tps]] - 1 > fewest[subscribers.set_of_topic[group.tp_topic[tps]]]]
