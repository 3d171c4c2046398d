"""Even ranges: each topic's partitions in contiguous ranges, one for each subscriber, as every client's range does it without racks."""

from collections.abc import Callable

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.dealing.topic_runs import topic_runs
from evenkeel.assignors.group.snapshot import GroupSnapshot
from evenkeel.assignors.group.subscribers import Subscribers

Sizes = Callable[[int, int], np.ndarray | int]
"""Partitions and subscribers of a topic to the size of each range, int64 (subscribers,), or one size for all."""


def first_get_more(partition_count: int, subscriber_count: int) -> np.ndarray | int:
    """Return the sizes where the first `partition_count % subscriber_count` subscribers get one more."""
    least, more = divmod(partition_count, subscriber_count)
    return least + (np.arange(subscriber_count) < more) if more else least


def even_ranges(group: GroupSnapshot, subscribers: Subscribers, sizes: Sizes = first_get_more) -> np.ndarray:
    """Return the owners, int32 (P,); the members of each set of subscribers stand in the order in which they get their ranges."""
    owner = np.empty(group.tp_count, dtype=np.int32)
    for topics, tps in topic_runs(group, subscribers.count_of_topic, group.partition_count):
        partition_count = int(group.partition_count[topics[0]])
        members = _members(subscribers, topics)
        ranges = np.repeat(members, sizes(partition_count, members.shape[1]), axis=1) if members.size else UNASSIGNED
        owner[tps].reshape(-1, partition_count)[:] = ranges
    return owner


def _members(subscribers: Subscribers, topics: np.ndarray) -> np.ndarray:
    """Return the subscribers of topics with equal subscriber counts, int32: a row for each topic, or one row if all have the same."""
    members, sets = subscribers.members, subscribers.set_of_topic[topics]
    return members[sets[0]][None] if (sets == sets[0]).all() else np.stack([members[each] for each in sets.tolist()])
