"""Subscriptions: the topic lists that members use, and the subscribers of each topic."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Subscriptions(NamedTuple):
    """All topic lists that members use, stored one after the other.

    `list_row`, `topic`: list and topic of each entry, int32 (E,). A topic may be in a list twice.
    `list_size`: number of entries of each list, int64 (lists,), 0 if no member uses the list.
    `member_count`: number of members that use each list, int64 (lists,). `is_regular`: whether no
    list is empty or has a topic twice.
    """

    list_row: np.ndarray
    topic: np.ndarray
    list_size: np.ndarray
    member_count: np.ndarray
    is_regular: bool

    @property
    def in_use(self) -> int:
        """Number of different topic lists that members use."""
        return int(np.count_nonzero(self.member_count))


def subscriptions(topic_lists: Sequence[np.ndarray], subscription: np.ndarray) -> Subscriptions:
    """Collect the topic lists that members use. Both parameters are columns of GroupSnapshot."""
    member_count = np.bincount(subscription, minlength=len(topic_lists))
    in_use = np.flatnonzero(member_count)
    lists = [topic_lists[row] for row in in_use.tolist()]
    list_size = np.zeros(len(topic_lists), dtype=np.int64)
    list_size[in_use] = [topics.size for topics in lists]
    topic = np.concatenate((*lists, np.empty(0, dtype=np.int32)))
    list_row = np.repeat(np.arange(len(topic_lists), dtype=np.int32), list_size)
    is_regular = bool(
        list_size[in_use].all() and ((np.diff(topic) > 0) | (np.diff(list_row) > 0)).all()
    )
    return Subscriptions(list_row, topic, list_size, member_count, is_regular)


class Subscribers(NamedTuple):
    """The subscribers of each topic. Topics with the same subscribers share one set.

    `members`: the sets, each an int32 array of members in a given order. Set 0 is empty.
    `set_of_topic`: number of each topic's set, int32 (T,). `count_of_topic`: number of subscribers
    of each topic, int64 (T,).
    """

    members: tuple[np.ndarray, ...]
    set_of_topic: np.ndarray
    count_of_topic: np.ndarray

    def of_topic(self, topic: int) -> np.ndarray:
        return self.members[self.set_of_topic[topic]]


def subscriber_sets(
    topic_lists: Sequence[np.ndarray], subscription: np.ndarray, topic_count: int, order: np.ndarray
) -> Subscribers:
    """Return the subscribers of each topic. Members are in `order`.

    `topic_lists` and `subscription` are the columns of GroupSnapshot.
    """
    set_of_topic = np.zeros(topic_count, dtype=np.int32)
    list_sets = [np.empty(0, dtype=np.int32)]
    row_of = {b"": 0}
    for topic, lists in _lists_by_topic(topic_lists, subscription):
        set_of_topic[topic] = row = row_of.setdefault(lists.tobytes(), len(list_sets))
        if row == len(list_sets):
            list_sets.append(lists)
    list_in_order = subscription[order]
    members = tuple(order[_among(lists, len(topic_lists))[list_in_order]] for lists in list_sets)
    return Subscribers(
        members, set_of_topic, np.array([each.size for each in members])[set_of_topic]
    )


def _among(rows: np.ndarray, count: int) -> np.ndarray:
    marks = np.zeros(count, dtype=bool)
    marks[rows] = True
    return marks


def _lists_by_topic(topic_lists: Sequence[np.ndarray], subscription: np.ndarray):
    """Yield each subscribed topic, and the numbers of the lists that contain it, int32,
    ascending.
    """
    topic = np.concatenate((*topic_lists, np.empty(0, dtype=np.int32)))
    list_row = np.repeat(
        np.arange(len(topic_lists), dtype=np.int32), [topics.size for topics in topic_lists]
    )
    in_use = _among(subscription, len(topic_lists))[list_row]
    by_topic = np.argsort(topic[in_use], kind="stable")
    topic, list_row = topic[in_use][by_topic], list_row[in_use][by_topic]
    first = np.ones(topic.size, dtype=bool)
    first[1:] = (topic[1:] != topic[:-1]) | (list_row[1:] != list_row[:-1])
    topic, list_row = topic[first], list_row[first]
    starts = np.flatnonzero(np.diff(topic, prepend=-1))
    return zip(topic[starts].tolist(), np.split(list_row, starts[1:]), strict=False)
