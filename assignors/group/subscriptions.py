"""Subscriptions as entries: every topic of every list in use."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Subscriptions(NamedTuple):
    """The lists in use, one after the other.

    `list_row` int32 (E,), `topic` int32 (E,): one entry for each topic of each list, repeats included. `list_size`, `member_count` int64
    (lists,): 0 for a list without members. `is_regular`: no list is empty or names a topic twice.
    """

    list_row: np.ndarray
    topic: np.ndarray
    list_size: np.ndarray
    member_count: np.ndarray
    is_regular: bool

    @property
    def in_use(self) -> int:
        """Number of different lists that members have."""
        return int(np.count_nonzero(self.member_count))


def subscriptions(topic_lists: Sequence[np.ndarray], subscription: np.ndarray) -> Subscriptions:
    """Collect the lists in use; both parameters are columns of GroupSnapshot."""
    member_count = np.bincount(subscription, minlength=len(topic_lists))
    in_use = np.flatnonzero(member_count)
    lists = [topic_lists[row] for row in in_use.tolist()]
    list_size = np.zeros(len(topic_lists), dtype=np.int64)
    list_size[in_use] = [topics.size for topics in lists]
    topic = np.concatenate((*lists, np.empty(0, dtype=np.int32)))
    list_row = np.repeat(np.arange(len(topic_lists), dtype=np.int32), list_size)
    is_regular = bool(list_size[in_use].all() and ((np.diff(topic) > 0) | (np.diff(list_row) > 0)).all())
    return Subscriptions(list_row, topic, list_size, member_count, is_regular)
