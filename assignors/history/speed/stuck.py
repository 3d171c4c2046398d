"""Stuck partitions: those that are behind and make no progress, and those that a rebalance has just taken from their owner."""

from typing import NamedTuple

import numpy as np

from assignors.assignment import UNASSIGNED
from assignors.drain.drain import Blocked
from assignors.history.series import Series
from assignors.history.speed.rates import WINDOW
from assignors.history.speed.records_on_the_way import behind

PATIENCE_SECONDS = 300
"""Kafka's default of `max.poll.interval.ms`: a partition of fewer observations than a window has stood still for as long."""


class Stuck(NamedTuple):
    """As of the last slot, bool (P,) each.

    `is_stuck`: behind, and no commit advanced over a window. `is_paused`: without an owner, although a commit advanced in the window.
    `owner` int32 (P,): row of the member, or `UNASSIGNED`.
    """

    is_stuck: np.ndarray
    is_paused: np.ndarray
    owner: np.ndarray


def stuck(series: Series, waiting: np.ndarray, window: int = WINDOW) -> Stuck:
    """Find them; `waiting` int64 (P,): what is on its way, of `on_the_way`. A window has ten observations, or lasts five minutes."""
    if not series.slot_count:
        return none_stuck(series.tp_count)
    last, rows = series.slot_count - 1, slice(-window, None)
    committed, seen = series.committed_offset[rows], series.is_observed[rows]
    seen = seen & (np.arange(series.slot_count)[rows, None] >= series.first_slot[last])
    count = np.count_nonzero(seen, axis=0)
    most, least = (np.where(seen, committed, end) for end in (np.iinfo(np.int64).min, np.iinfo(np.int64).max))
    has_moved = (count > 1) & (most.max(axis=0) > least.min(axis=0))
    lasts = series.time[last] - series.time[rows][np.argmax(seen, axis=0)]
    is_long = (count >= window) | ((count > 1) & (lasts >= PATIENCE_SECONDS))
    owner = series.owner[last]
    is_behind = behind(series.lag[last], waiting) > 0
    # Without members there is no rebalance: the consumers have stopped.
    is_unowned = series.is_listed[last] & (owner == UNASSIGNED) & series.is_member[last].any()
    return Stuck(seen[-1] & is_behind & is_long & ~has_moved, is_unowned & has_moved, owner)


def none_stuck(tp_count: int) -> Stuck:
    """Return that no partition is known to be stuck."""
    nothing = np.zeros(tp_count, dtype=bool)
    return Stuck(nothing, nothing, np.full(tp_count, UNASSIGNED, dtype=np.int32))


def blocked(found: Stuck, owner: np.ndarray) -> Blocked:
    """Return what is stuck under other owners (P,): the same one makes no progress, of another one that is unknown."""
    is_same, has_owner = owner == found.owner, owner != UNASSIGNED
    moves = found.is_stuck & ~is_same & (found.owner != UNASSIGNED) & has_owner
    return Blocked(found.is_stuck & is_same, moves | (found.is_paused & ~has_owner))
