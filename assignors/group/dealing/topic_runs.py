"""Runs: consecutive topics that are handled at once, because everything that decides is equal in them."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from evenkeel.assignors.group.snapshot import GroupSnapshot


def topic_runs(group: GroupSnapshot, *columns: np.ndarray) -> Iterator[tuple[np.ndarray, slice]]:
    """Yield the topics and the adjacent topic-partitions of each run of topics that are equal in every column (T,).

    Topics without partitions are left out.
    """
    for topics in runs((group.partition_count > 0).nonzero()[0], *columns):
        yield topics, slice(int(group.first_tp[topics[0]]), int(group.first_tp[topics[-1] + 1]))


def runs(topics: np.ndarray, *columns: np.ndarray) -> Iterator[np.ndarray]:
    """Cut topics, in any order, where one of the columns (T,) changes."""
    if not topics.size:
        return
    is_cut = np.zeros(topics.size - 1, dtype=bool)
    for column in columns:
        value = column[topics]
        is_cut |= value[1:] != value[:-1]
    for start, stop in pairwise((0, *(is_cut.nonzero()[0] + 1).tolist(), topics.size)):
        yield topics[start:stop]
