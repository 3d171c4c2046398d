"""Reading: one group at one moment, as arrays. Earlier: an older reading, with partitions in the
order of the later reading.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.lag import known_lag

LEAST_SECONDS = 20
"""If two readings are closer in time than this, only the later reading is used."""

PATIENCE_SECONDS = 300
"""After this many seconds, a commit would have grown even if commits are rare."""


@dataclass(frozen=True, eq=False)
class Reading:
    """One group at one moment.

    Parameters
    ----------
    owner : int32 (P,) or None
        Row number of the owner, or `UNASSIGNED`. None if the source does not list owners.
    is_read : bool (P,)
        Whether the source lists the partition. Other partitions only fill gaps between partition
        numbers.
    are_members_known : bool
        Whether the members are known. If not, they are assumed.
    state, group_type : str or None
        As Kafka reports them.
    is_whole : bool
        Whether every line of the source could be read. If not, partitions may be missing.
    """

    group: GroupSnapshot
    owner: np.ndarray | None
    is_read: np.ndarray
    are_members_known: bool = False
    state: str | None = None
    group_type: str | None = None
    is_whole: bool = True


class Earlier(NamedTuple):
    """An older reading, with partitions in the order of the later reading.

    `committed`, `end`, `lag`: int64 (P,), `UNKNOWN` if the older reading does not list the
    partition. `has_same_owner`: bool (P,), whether the same member owned the partition in both
    readings.
    """

    seconds: float
    committed: np.ndarray
    end: np.ndarray
    lag: np.ndarray
    has_same_owner: np.ndarray


def earlier_of(before: Reading, now: Reading, seconds: float) -> Earlier | None:
    """Return an older reading with partitions in the order of `now`. None if there are too few
    seconds between the readings.
    """
    if seconds < LEAST_SECONDS:
        return None
    row_of = _rows_in(before.group, now.group)
    is_there = row_of >= 0
    columns = [before.group.committed_offset, before.group.end_offset, known_lag(before.group)]
    committed, end, lag = (_placed(column, row_of, is_there) for column in columns)
    return Earlier(seconds, committed, end, lag, _same_owner(before, now, row_of, is_there))


def _rows_in(before: GroupSnapshot, now: GroupSnapshot) -> np.ndarray:
    """Return the row number in `before` of each partition of `now`, int64 (P,). -1 if `before` does
    not list the partition.
    """
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
    """Return a key for each member that stays the same after a restart: the instance id. Without an
    instance id, the key is the member id.
    """
    return [
        instance or member
        for instance, member in zip(group.instance_id, group.member_id, strict=True)
    ]
