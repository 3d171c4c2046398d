"""Reassign: partitions move from members that have at least two more than another subscriber of the topic, until none does.

Kafka asks before every partition whether the group is balanced. That is the case where no partition would move, so there is nothing to ask here.
"""

import numpy as np

from assignors.classic.sticky_movements import Movements
from assignors.group import GroupSnapshot

Runs = list[tuple[int, np.ndarray, np.ndarray]]
"""Topic, its rows to look at, its subscribers by id."""


def runs_of_topics(group: GroupSnapshot, topics: np.ndarray) -> Runs:
    """Return a run of all rows for each topic."""
    rows = np.arange(group.tp_count)
    return [(topic, rows[group.tps_of(topic)], group.subscribers_by_id.of_topic(topic)) for topic in topics.tolist()]


def runs_of_rows(group: GroupSnapshot, rows: np.ndarray, topics: np.ndarray) -> Runs:
    """Cut rows, which stand topic by topic, into runs; those of other topics than `topics` are left out."""
    is_wanted = np.zeros(group.topic_count, dtype=bool)
    is_wanted[topics] = True
    rows = rows[is_wanted[group.tp_topic[rows]]]
    topic = group.tp_topic[rows]
    starts = np.flatnonzero(np.diff(topic, prepend=-1))
    parts = np.split(rows, starts[1:]) if rows.size else []
    return [(each, part, group.subscribers_by_id.of_topic(each)) for each, part in zip(topic[starts].tolist(), parts, strict=True)]


def reassign(movements: Movements, runs: Runs) -> bool:
    """Go through the runs until a whole pass moves nothing; return whether anything moved."""
    moved_at_all = False
    while np.ptp(movements.count) > 1:
        moved = [_level(movements, *run) for run in runs]
        if not any(moved):
            break
        moved_at_all = True
    return moved_at_all


def _level(movements: Movements, topic: int, rows: np.ndarray, members: np.ndarray) -> bool:
    """Level one topic; return whether anything moved.

    As long as the fewest that a subscriber has stays the same, the next partitions to move and the members they go to are known at once: every member with
    more than one partition above that gives away its first ones, and those with the fewest get one each by id.
    """
    owner, count = movements.owner, movements.count
    start, moved = 0, False
    while start < rows.size:
        held, had = count[owner[rows[start:]]], count[members]
        fewest = had.min()
        if held.max() <= fewest + 1:
            break
        receivers = members[had == fewest]
        movers = start + _surplus(owner[rows[start:]], held - fewest - 1)[: receivers.size]
        start = movers[movements.move(topic, rows[movers], receivers[: movers.size]) - 1] + 1
        moved = True
    return moved


def _surplus(owner: np.ndarray, excess: np.ndarray) -> np.ndarray:
    """Return, ascending, the first `excess` places of each owner; `excess` int64 is the same at all places of an owner."""
    places = np.flatnonzero(excess > 0)
    of_owner = np.argsort(owner[places], kind="stable")
    owners = owner[places][of_owner]
    first = np.flatnonzero(np.diff(owners, prepend=-1))
    number = np.arange(places.size) - np.repeat(first, np.diff(first, append=places.size))
    return np.sort(places[of_owner][number < excess[places][of_owner]])
