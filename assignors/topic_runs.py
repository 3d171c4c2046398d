"""Consecutive topics that one pattern serves: their partitions lie side by side, so one write fills them all."""

from collections.abc import Iterator

import numpy as np

from assignors.group import GroupSnapshot


def topic_runs(group: GroupSnapshot, *columns: np.ndarray) -> Iterator[tuple[int, slice]]:
    """Yield the first topic and the topic-partitions of each run of topics that are equal in every column (T,); topics of no partitions are passed over."""
    topics = np.flatnonzero(group.partition_count)
    change = np.zeros(topics.size, dtype=bool)
    change[:1] = True
    for column in columns:
        change[1:] |= np.diff(column[topics]) != 0
    first = topics[change]
    bounds = np.append(group.first_tp[first], group.tp_count).tolist()
    return zip(first.tolist(), map(slice, bounds, bounds[1:]))
