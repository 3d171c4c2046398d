"""Row numbers become names again: what an answer says, by member and topic."""

from collections.abc import Iterator

import numpy as np

from assignors.assignment import Assignment
from assignors.group import GroupSnapshot
from assignors.owned import held_rows
from data.observed import ObservedGroup

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
    named: ByName = {member_id: {} for member_id in group.member_id}
    for member, topic, partitions in runs(rows):
        named[group.member_id[member]][group.topic_name[topic]] = partitions
    return named


def runs(rows: np.ndarray) -> Iterator[tuple[int, int, list[int]]]:
    """Yield member, topic and partitions for each run of equal member and topic in (member, topic, partition) rows."""
    if not len(rows):
        return
    starts = np.flatnonzero(np.concatenate(([True], np.any(np.diff(rows[:, :2], axis=0), axis=1))))
    partitions = rows[:, 2].tolist()
    ends = [*starts[1:].tolist(), len(partitions)]
    for (member, topic), start, end in zip(rows[starts, :2].tolist(), starts.tolist(), ends, strict=True):
        yield member, topic, partitions[start:end]
