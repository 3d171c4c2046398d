"""KnownGroup: what a librdkafka leader knows of a group before it assigns."""

from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.subscriptions import Subscribers
from evenkeel.assignors.librdkafka.members import known_members, sort_key, subscribers_in
from evenkeel.assignors.librdkafka.topic_order import answered_order


@dataclass(frozen=True, eq=False)
class KnownGroup:
    """Members, topics and who may have what.

    Parameters
    ----------
    members : int32
        Those whose subscription can be read, in the order reported.
    by_id : int32
        The same by member id, which breaks every tie.
    subscribers : Subscribers
        Members by id.
    topics : int32
        Subscribed topics in the order of the broker's answer; unknown ones among them.
    can_count : int64 (M,)
        How many partitions each member may have.
    is_equal : bool
        All members may have the same partitions.
    """

    group: GroupSnapshot
    members: np.ndarray
    by_id: np.ndarray
    subscribers: Subscribers
    topics: np.ndarray
    can_count: np.ndarray
    is_equal: bool

    @property
    def rows(self) -> np.ndarray:
        """int64: topic-partitions of subscribed topics, ascending."""
        return np.flatnonzero(self.subscribers.count_of_topic[self.group.tp_topic])


def known_group(group: GroupSnapshot) -> KnownGroup:
    """Collect what the leader knows."""
    members = known_members(group)
    by_id = np.array(sorted(members.tolist(), key=lambda row: sort_key(group.member_id[row])), dtype=np.int32)
    subscribers = subscribers_in(group, by_id)
    can_count = np.array([group.partition_count[np.unique(topics)].sum() for topics in group.topic_lists], dtype=np.int64)[
        group.subscription
    ]
    return KnownGroup(group, members, by_id, subscribers, _topics(group, members), can_count, _is_equal(group, members, subscribers))


def _topics(group: GroupSnapshot, members: np.ndarray) -> np.ndarray:
    row = {name: number for number, name in enumerate(group.topic_name)}
    lists = dict.fromkeys(group.subscription[members].tolist())
    names = answered_order([group.topic_name[topic] for topic in group.topic_lists[each].tolist()] for each in lists)
    return np.array([row[name] for name in names], dtype=np.int32)


def _is_equal(group: GroupSnapshot, members: np.ndarray, subscribers: Subscribers) -> bool:
    """Tell whether every member subscribes to every topic with partitions that anyone subscribes to."""
    count = subscribers.count_of_topic[(group.partition_count > 0) & (subscribers.count_of_topic > 0)]
    return bool((count == members.size).all())
