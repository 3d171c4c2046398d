"""Partitions that no member keeps, in the order in which the sticky assignors assign them."""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import GroupSnapshot


def unassigned_rows(group: GroupSnapshot, owner: np.ndarray, beyond: np.ndarray, topics: np.ndarray | None = None) -> np.ndarray:
    """Return the topic-partitions to assign, topic by topic, int64.

    Kafka moves a pointer through the kept partitions. A partition beyond its topic's size stops the pointer for good: everything in later
    topics is assigned a second time.

    Parameters
    ----------
    owner : int32 (P + B,)
    beyond : int32 (B, 2)
    topics : int64
        The topics in play in the order of the walk; by name if omitted.
    """
    free = owner[: group.tp_count] == UNASSIGNED
    if not group.is_all_in_play:
        free &= group.in_play[group.tp_topic]
    if topics is None and not len(beyond):
        return np.flatnonzero(free)
    topics = np.flatnonzero(group.in_play) if topics is None else topics
    place = np.full(group.topic_count, -1)
    place[topics] = np.arange(topics.size)
    stops = place[beyond[owner[group.tp_count :] != UNASSIGNED, 0]]
    if stops.size:
        free |= (place > stops.min())[group.tp_topic]
    rows = np.flatnonzero(free)
    return rows if (np.diff(topics) > 0).all() else rows[np.argsort(place[group.tp_topic[rows]], kind="stable")]
