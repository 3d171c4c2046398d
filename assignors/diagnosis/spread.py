"""How the lag of the heavy topics is spread over the members that could read these topics. Heavy
topics have most of the lag.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.diagnosis.reading import Reading

ALIKE = 1.3
"""A member has far more lag than others if its lag exceeds this many times the mean."""


class Spread(NamedTuple):
    """The lag of the heavy topics, spread over the members. Heavy topics are the topics with nine
    tenths of the lag.

    `topics`: row numbers of the heavy topics. `lag`: lag of each member in heavy topics, int64
    (M,). `readers`: row numbers of the members that own a partition of a heavy topic. `could_read`:
    number of members that subscribe to a heavy topic.
    """

    topics: np.ndarray
    lag: np.ndarray
    readers: np.ndarray
    partitions: np.ndarray
    could_read: int
    mean: float

    @property
    def worst(self) -> int:
        return int(self.lag.max())

    @property
    def least(self) -> int:
        return int(self.lag[self.readers].min())

    @property
    def is_alike(self) -> bool:
        """Whether the lag of every reader is near the mean."""
        return self.worst <= ALIKE * self.mean and self.least >= self.mean / 3


def spread_of(now: Reading, owner: np.ndarray, held: np.ndarray, lag: np.ndarray) -> Spread:
    """Return the spread. Idle members that could read the topics are included.

    Parameters
    ----------
    owner : int32 (P,)
    held : int64 (H,)
        Row numbers of the partitions with an owner and a known lag.
    lag : int64 (P,)
    """
    group = now.group
    by_topic = np.zeros(group.topic_count, dtype=np.int64)
    np.add.at(by_topic, group.tp_topic[held], lag[held])
    order = np.argsort(-by_topic, kind="stable")
    reached = np.cumsum(by_topic[order])
    topics = np.sort(order[: int(np.searchsorted(reached, 0.9 * reached[-1])) + 1])
    is_heavy = np.zeros(group.topic_count, dtype=bool)
    is_heavy[topics] = True
    heavy = held[is_heavy[group.tp_topic[held]]]
    partitions = np.flatnonzero(is_heavy[group.tp_topic] & now.is_read & (owner != UNASSIGNED))
    by_member = np.zeros(group.member_count, dtype=np.int64)
    np.add.at(by_member, owner[heavy], lag[heavy])
    readers = np.flatnonzero(np.bincount(owner[heavy], minlength=group.member_count))
    names_one = np.array([is_heavy[listed].any() for listed in group.topic_lists], dtype=bool)
    could_read = max(int(np.count_nonzero(names_one[group.subscription])), readers.size)
    mean = int(by_member.sum()) / min(could_read, partitions.size)
    return Spread(topics, by_member, readers, partitions, could_read, mean)
