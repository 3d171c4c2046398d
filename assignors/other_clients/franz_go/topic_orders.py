"""The orders in which franz-go may walk the topics: those of a Go map."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.snapshot import topics_as_sent

_SLOTS = 8
"""Up to so many keys a Go map is walked in the order in which they were put, started anywhere."""


class TopicOrders(NamedTuple):
    """`topics` int64: known topics in the order in which franz-go puts them. `are_some`: other orders than those started anywhere occur."""

    topics: np.ndarray
    are_some: bool

    def of_free(self, group: GroupSnapshot, held: Collection[int]) -> Iterator[list[int]]:
        """Yield the topic-partitions that nobody holds, in each order; once if they are of one topic."""
        lists = [[tp for tp in range(*group.tps_of(topic).indices(group.tp_count)) if tp not in held] for topic in self.topics.tolist()]
        lists = [each for each in lists if each]
        for start in range(min(max(len(lists), 1), _SLOTS)):
            yield [tp for each in (*lists[start:], *lists[:start]) for tp in each]


def topic_orders(group: GroupSnapshot, members: np.ndarray) -> TopicOrders:
    """Return the orders; `members` int32: in franz-go's order. Topics are put as the members sent them, the first occurrence counts."""
    put = dict.fromkeys(topic for member in members.tolist() for topic in topics_as_sent(group, member).tolist())
    topics = np.array(list(put), dtype=np.int64)
    return TopicOrders(topics[group.in_play[topics]], topics.size > _SLOTS)
