"""What nobody keeps, in the order in which the sticky assignors hand it out."""

import numpy as np

from assignors.assignment import UNASSIGNED
from assignors.group import GroupSnapshot


def unassigned_rows(group: GroupSnapshot, topics: np.ndarray, owner: np.ndarray, beyond: np.ndarray) -> np.ndarray | slice:
    """Return the topic-partitions to hand out, topic by topic.

    Kafka walks a pointer through what is kept, and a partition beyond its topic's size stops the pointer for good: everything in later topics is handed out a second time.

    Parameters
    ----------
    topics : int64
        The topics in play, in the order of the walk.
    owner : int32 (P + B,)
    beyond : int32 (B, 2)

    Returns
    -------
    int64, or a slice where these are all the partitions of the group
    """
    free = owner[: group.tp_count] == UNASSIGNED
    place = np.full(group.topic_count, -1)
    place[topics] = np.arange(topics.size)
    stops = place[beyond[owner[group.tp_count :] != UNASSIGNED, 0]]
    if stops.size:
        free |= (place > stops.min())[group.tp_topic]
    if topics.size < np.count_nonzero(group.partition_count):
        free &= (place >= 0)[group.tp_topic]
    in_order = bool((np.diff(topics) > 0).all())
    if in_order and free.all():
        return slice(0, group.tp_count)
    rows = np.flatnonzero(free)
    return rows if in_order else rows[np.argsort(place[group.tp_topic[rows]], kind="stable")]
