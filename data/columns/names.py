"""Row numbers become names again: what an answer says, by member and topic."""

from collections.abc import Iterator

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.owned import held_rows
from evenkeel.data.columns.observed import ObservedGroup

ByName = dict[str, dict[str, list[int]]]
"""Member id to topic name to partition numbers, ascending."""


def assignment_by_name(observed: ObservedGroup, assignment: Assignment) -> ByName:
    """Return what each member gets. Every member is a key; what `extra` adds is in it."""
    return _by_name(observed.snapshot, held_rows(observed.snapshot, assignment))


def withheld_by_name(observed: ObservedGroup, assignment: Assignment) -> ByName:
    """Return what a cooperative assignor keeps back, by the member that will get it; members without such are no keys."""
    group = observed.snapshot
    member, tp = assignment.withheld.T
    rows = np.column_stack([member, group.tp_topic[tp], group.tp_partition[tp]])
    withheld = _by_name(group, np.unique(rows, axis=0))
    return {member_id: topics for member_id, topics in withheld.items() if topics}


def _by_name(group: GroupSnapshot, rows: np.ndarray) -> ByName:
    starts, partitions = _run_starts(rows), rows[:, 2].tolist()
    lists = list(map(partitions.__getitem__, map(slice, starts.tolist(), [*starts[1:].tolist(), len(partitions)])))
    topics = list(map(group.topic_name.__getitem__, rows[starts, 1].tolist()))
    bounds = np.searchsorted(rows[starts, 0], np.arange(group.member_count + 1)).tolist()
    return {member_id: dict(zip(topics[start:end], lists[start:end])) for member_id, start, end in zip(group.member_id, bounds, bounds[1:])}


def runs(rows: np.ndarray) -> Iterator[tuple[int, int, list[int]]]:
    """Yield member, topic and partitions for each run of equal member and topic in (member, topic, partition) rows."""
    if not len(rows):
        return
    starts = _run_starts(rows)
    partitions = rows[:, 2].tolist()
    ends = [*starts[1:].tolist(), len(partitions)]
    for (member, topic), start, end in zip(rows[starts, :2].tolist(), starts.tolist(), ends, strict=True):
        yield member, topic, partitions[start:end]


def _run_starts(rows: np.ndarray) -> np.ndarray:
    member, topic, _ = rows.T
    is_start = np.ones(len(rows), dtype=bool)
    is_start[1:] = (member[1:] != member[:-1]) | (topic[1:] != topic[:-1])
    return np.flatnonzero(is_start)
