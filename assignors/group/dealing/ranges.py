"""Ranges: each topic's partitions in contiguous runs, one for each member.

    owner = even_ranges(group, group.subscribers)

Adjacent topics with equal inputs are handled together.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.snapshot import GroupSnapshot
from evenkeel.assignors.group.subscriptions import Subscribers
from evenkeel.assignors.trace import Slice, Trace, asked

Sizes = Callable[[int, int], np.ndarray | int]
"""Function of a topic's partition count and subscriber count. Returns the size of each range: int64
(subscribers,), or one size for all ranges.
"""


def topic_runs(group: GroupSnapshot, *columns: np.ndarray) -> Iterator[tuple[np.ndarray, slice]]:
    """Yield runs of adjacent topics that have equal values in every column (T,).

    Each result has the topics of the run and the slice of their topic-partitions. Topics without
    partitions are left out.
    """
    for topics in runs((group.partition_count > 0).nonzero()[0], *columns):
        yield topics, slice(int(group.first_tp[topics[0]]), int(group.first_tp[topics[-1] + 1]))


def runs(topics: np.ndarray, *columns: np.ndarray) -> Iterator[np.ndarray]:
    """Split `topics` into runs. A new run starts if the value in any column (T,) changes."""
    if not topics.size:
        return
    is_cut = np.zeros(topics.size - 1, dtype=bool)
    for column in columns:
        value = column[topics]
        is_cut |= value[1:] != value[:-1]
    for start, stop in pairwise((0, *(is_cut.nonzero()[0] + 1).tolist(), topics.size)):
        yield topics[start:stop]


# Even ranges: each topic's partitions in contiguous ranges, one for each subscriber


def first_get_more(partition_count: int, subscriber_count: int) -> np.ndarray | int:
    """Return the size of each subscriber's range.

    Each of the first `partition_count % subscriber_count` ranges has one partition more.
    """
    least, more = divmod(partition_count, subscriber_count)
    return least + (np.arange(subscriber_count) < more) if more else least


def even_ranges(
    group: GroupSnapshot, subscribers: Subscribers, sizes: Sizes = first_get_more
) -> np.ndarray:
    """Give each subscriber a contiguous range of each topic. Return the owners, int32 (P,).

    The ranges have the order of the members in `subscribers`.
    """
    owner, trace = np.empty(group.tp_count, dtype=np.int32), asked()
    for topics, tps in topic_runs(group, subscribers.count_of_topic, group.partition_count):
        partition_count = int(group.partition_count[topics[0]])
        members = _members(subscribers, topics)
        size = sizes(partition_count, members.shape[1]) if members.size else 0
        owner[tps].reshape(-1, partition_count)[:] = (
            np.repeat(members, size, axis=1) if members.size else UNASSIGNED
        )
        if trace is not None and members.size:
            _tell_ranges(
                trace,
                tps,
                np.broadcast_to(members, (topics.size, members.shape[1])),
                np.broadcast_to(size, members.shape[1]),
            )
    return owner


def _tell_ranges(trace: Trace, tps: slice, members: np.ndarray, size: np.ndarray) -> None:
    """Trace the ranges of adjacent topics with equal sizes.

    `members`: int32 (topics, subscribers). `size`: int64 (subscribers,).
    """
    stops = size.cumsum()
    for at in trace.places(tps):
        row, partition = divmod(at, int(stops[-1]))
        place = int(np.searchsorted(stops, partition, side="right"))
        order = tuple(members[row].tolist())
        trace.add(
            tps.start + at,
            Slice(
                order[place], order, tuple(size.tolist()), place, int(stops[place] - size[place])
            ),
        )


def _members(subscribers: Subscribers, topics: np.ndarray) -> np.ndarray:
    """Return the subscribers of each topic, int32 (topics, subscribers).

    All topics have equally many subscribers. If all topics have the same subscribers, the result
    has a single row.
    """
    members, sets = subscribers.members, subscribers.set_of_topic[topics]
    return (
        members[sets[0]][None]
        if (sets == sets[0]).all()
        else np.stack([members[each] for each in sets.tolist()])
    )
