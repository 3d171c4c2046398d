"""What the sticky assignors ask about subscriptions: which topics are in play, how many subscribers they have, whether all members subscribe to the same."""

from typing import NamedTuple

import numpy as np

from assignors.assignment import Assumed
from assignors.group import GroupSnapshot


class Subscriptions(NamedTuple):
    """The subscriptions in use, entry by entry.

    `list_row` int32, `topic` int32: one entry for each topic of each list in use, repeats among them; `list_size` int64 (lists,), 0 for a list that nobody has.
    """

    list_row: np.ndarray
    topic: np.ndarray
    list_size: np.ndarray


class Equality(NamedTuple):
    """`is_equal`: the leader takes all subscriptions for equal; `assumed` as in Assignment."""

    is_equal: bool
    assumed: tuple[Assumed, ...] = ()


def subscriptions(group: GroupSnapshot) -> Subscriptions:
    """Put the lists that some member has one after the other."""
    in_use = np.flatnonzero(np.bincount(group.subscription)).tolist() if group.member_count else []
    lists = [group.topic_lists[row] for row in in_use]
    list_size = np.zeros(len(group.topic_lists), dtype=np.int64)
    list_size[in_use] = [topics.size for topics in lists]
    topic = lists[0] if len(lists) == 1 else np.concatenate((*lists, np.empty(0, dtype=np.int32)))
    return Subscriptions(np.repeat(np.arange(list_size.size, dtype=np.int32), list_size), topic, list_size)


def topics_in_play(group: GroupSnapshot, said: Subscriptions) -> np.ndarray:
    """Return which topics have partitions and a subscriber, bool (T,)."""
    subscribed = np.zeros(group.topic_count, dtype=bool)
    subscribed[said.topic] = True
    return subscribed & (group.partition_count > 0)


def subscriber_count(group: GroupSnapshot, said: Subscriptions) -> np.ndarray:
    """Return how often each topic is subscribed to, int64 (T,): a member that lists it twice counts twice, as in Kafka's list of potential consumers."""
    times = np.bincount(group.subscription, minlength=said.list_size.size)
    return np.bincount(said.topic, weights=times[said.list_row], minlength=group.topic_count).astype(np.int64)


def listed(group: GroupSnapshot, said: Subscriptions) -> np.ndarray:
    """Return which list holds which topic, bool (lists, T)."""
    table = np.zeros((said.list_size.size, group.topic_count), dtype=bool)
    table[said.list_row, said.topic] = True
    return table


def equality(group: GroupSnapshot, said: Subscriptions) -> Equality:
    """Compare subscriptions as the leader does: each with the first one that is not empty, by length and by content.

    What is empty before that one counts as equal, and a topic listed twice makes a list longer than the set that it is compared with.
    """
    if group.member_count < 2:
        return Equality(True)
    size = said.list_size[group.subscription]
    rises = (np.diff(said.topic) > 0) | (np.diff(said.list_row) > 0)
    if rises.all() and size.all():
        return Equality(np.count_nonzero(said.list_size) == 1)
    order = group.member_map_order
    walked = group.subscription[order.rows]
    first = np.flatnonzero(size[order.rows])[:1]
    if not first.size:
        return Equality(True)
    expected = set(group.topic_lists[walked[first[0]]].tolist())
    same = np.array([topics.size == len(expected) and expected.issuperset(topics.tolist()) for topics in group.topic_lists])
    return Equality(bool(same[walked[first[0] + 1 :]].all()), order.assumed)
