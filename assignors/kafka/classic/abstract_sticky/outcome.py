"""Outcome: what the sticky algorithms compute before both assignors differ."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assumed
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.kafka.classic.abstract_sticky.claims import NO_ROWS, topic_and_partition

NO_EXTRA = np.empty((0, 3), dtype=np.int32)


class Outcome(NamedTuple):
    """`owner`, `extra` and `assumed` as in Assignment.

    `transferred` int64: topic-partitions with another owner before, which cooperative-sticky withholds. `is_constrained`: answered as if
    all subscriptions were equal. `left_rack` int64: topic-partitions that levelling moved out of their racks although a member there could
    take them; only where that is watched.
    """

    owner: np.ndarray
    extra: np.ndarray
    transferred: np.ndarray
    is_constrained: bool
    assumed: tuple[Assumed, ...]
    left_rack: np.ndarray = NO_ROWS


def extra_rows(group: GroupSnapshot, beyond: np.ndarray, member: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Return (member, topic, partition), int32, of holdings that `owner` cannot express; `row` may lie in `beyond`."""
    if not row.size:
        return NO_EXTRA
    rows = np.column_stack((member, *topic_and_partition(group, beyond, row)))
    return np.unique(rows, axis=0).astype(np.int32)


def rows_beyond(group: GroupSnapshot, owner: np.ndarray) -> np.ndarray:
    """Return the held rows beyond a topic's size, int64; `owner` int32 (P + B,)."""
    return group.tp_count + np.flatnonzero(owner[group.tp_count :] != UNASSIGNED)
