"""Reading: one group at one moment as arrays; Earlier: an older reading on the rows of the later
one.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.lag import known_lag

LEAST_SECONDS = 20
"""Two readings that are closer in time count as one."""

PATIENCE_SECONDS = 300
"""After so long, commits that are merely rare would have moved."""


@dataclass(frozen=True, eq=False)
class Reading:
    """One group at one moment.

    Parameters
    ----------
    owner : int32 (P,) or None
        Row of the member, or `UNASSIGNED`; None if the source names no owners.
    is_read : bool (P,)
        Partitions that the source lists; others only fill up the numbers of a topic.
    are_members_known : bool
        Not assumed.
    state, group_type : str or None
        Kafka's words.
    is_whole : bool
        Every row of the source could be read; else partitions may be missing.
    """

    group: GroupSnapshot
    owner: np.ndarray | None
    is_read: np.ndarray
    are_members_known: bool = False
    state: str | None = None
    group_type: str | None = None
    is_whole: bool = True


class Earlier(NamedTuple):
    """An older reading on the rows of the later one, `UNKNOWN` for partitions that it does not
    list.

    `committed`, `end`, `lag` int64 (P,); `has_same_owner` bool (P,): the same member owned the
    partition.
    """

    seconds: float
    committed: np.ndarray
    end: np.ndarray
    lag: np.ndarray
    has_same_owner: np.ndarray


def earlier_of(before: Reading, now: Reading, seconds: float) -> Earlier | None:
    """Return an older reading on the rows of `now`; None if too little time passed for a second
    reading.
    """
    if seconds < LEAST_SECONDS:
        return None
    row_of = _rows_in(before.group, now.group)
    is_there = row_of >= 0
    columns = [before.group.committed_offset, before.group.end_offset, known_lag(before.group)]
    committed, end, lag = (_placed(column, row_of, is_there) for column in columns)
    return Earlier(seconds, committed, end, lag, _same_owner(before, now, row_of, is_there))


def _rows_in(before: GroupSnapshot, now: GroupSnapshot) -> np.ndarray:
    """int64 (P,): the row that each partition of `now` has in `before`, -1 if it has none."""
    topic_row = {name: row for row, name in enumerate(before.topic_name)}
    row_of = np.full(now.tp_count, -1, dtype=np.int64)
    for topic, name in enumerate(now.topic_name):
        if name in topic_row:
            there = before.tps_of(topic_row[name])
            count = min(there.stop - there.start, int(now.partition_count[topic]))
            first = int(now.first_tp[topic])
            row_of[first : first + count] = np.arange(there.start, there.start + count)
    return row_of


def _placed(column: np.ndarray, row_of: np.ndarray, is_there: np.ndarray) -> np.ndarray:
    placed = np.full(row_of.size, UNKNOWN, dtype=np.int64)
    placed[is_there] = column[row_of[is_there]]
    return placed


def _same_owner(
    before: Reading, now: Reading, row_of: np.ndarray, is_there: np.ndarray
) -> np.ndarray:
    same = np.zeros(row_of.size, dtype=bool)
    if before.owner is None or now.owner is None:
        return same
    rows = {key: row for row, key in enumerate(_keys(now.group))}
    member = np.array([rows.get(key, -2) for key in _keys(before.group)] + [-2], dtype=np.int64)
    owner = before.owner[row_of[is_there]]
    same[is_there] = member[owner] == now.owner[is_there]
    return same


def _keys(group: GroupSnapshot) -> list[str]:
    """Return a member's name that survives a restart: its instance id, else its member id."""
    return [
        instance or member
        for instance, member in zip(group.instance_id, group.member_id, strict=True)
    ]
