"""Stuck partitions: partitions that are behind and make no progress. Also partitions that a
rebalance has just revoked from their owner.
"""

from typing import NamedTuple, Self

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.drain import Blockage
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.speed import WINDOW, behind
from evenkeel.assignors.timeline.ownership import held_since

PATIENCE_SECONDS = 300
"""Kafka's default of `max.poll.interval.ms`. A partition with fewer observations than a window
counts as stuck after these seconds without progress.
"""


OTHER = -2
"""An owner that is not a present member, or that is unknown."""


class Stuck(NamedTuple):
    """State of each partition at the last slot, (P,).

    `is_stuck`: the partition is behind, and its committed offset did not grow in a window.
    `is_paused`: the partition has no owner, although its committed offset grew in the window.
    `owner`: int32, the present owner. For a stuck partition: the owner when the partition stopped,
    `UNASSIGNED` or `OTHER`.
    """

    is_stuck: np.ndarray
    is_paused: np.ndarray
    owner: np.ndarray

    @classmethod
    def none(cls, tp_count: int) -> Self:
        """Return a result without stuck or paused partitions."""
        nothing = np.zeros(tp_count, dtype=bool)
        return cls(nothing, nothing, np.full(tp_count, UNASSIGNED, dtype=np.int32))


def stuck(series: Series, waiting: np.ndarray, window: int = WINDOW) -> Stuck:
    """Return the stuck and the paused partitions. `waiting`: int64 (P,), result of `on_the_way`.

    A window has ten observations, or lasts five minutes.
    """
    if not series.slot_count:
        return Stuck.none(series.tp_count)
    recent = series.at(slice(-2 * window, None))
    first = np.maximum(
        series.first_slot[-1].astype(np.int64) - (series.slot_count - recent.slot_count), 0
    )
    last, tps = (
        np.full(series.tp_count, recent.slot_count - 1, dtype=np.int64),
        np.arange(series.tp_count),
    )
    seen = _seen(recent, tps, first, last, window)
    is_behind = behind(series.lag[-1], waiting) > 0
    # Without members there is no rebalance, because the consumers have stopped.
    is_unowned = (
        series.is_listed[-1] & (series.owner[-1] == UNASSIGNED) & series.is_member[-1].any()
    )
    is_stuck = seen.is_last & is_behind & seen.is_long & ~seen.has_moved
    owner = series.owner[-1].copy()
    owner[is_stuck] = _owner_of(recent, np.flatnonzero(is_stuck), first[is_stuck], window)
    return Stuck(is_stuck, is_unowned & seen.has_moved, owner)


class _WindowFacts(NamedTuple):
    """Facts about one window of each partition, bool (K,).

    `is_last`: the last slot is an observation. `is_long`: the window is long enough. `has_moved`:
    the committed offset grew.
    """

    is_last: np.ndarray
    is_long: np.ndarray
    has_moved: np.ndarray


def _seen(
    series: Series, tps: np.ndarray, first: np.ndarray, last: np.ndarray, window: int
) -> _WindowFacts:
    """Return facts about one window of each partition. int64 (K,) each: `last`, the row number of
    the window's last slot; `first`, the lowest row number at which the window may start.
    """
    rows = last + np.arange(1 - window, 1)[:, None]
    is_in, rows = rows >= first, np.maximum(rows, 0)
    committed, seen = series.committed_offset[rows, tps], series.is_observed[rows, tps] & is_in
    count = np.count_nonzero(seen, axis=0)
    most, least = (
        np.where(seen, committed, end) for end in (np.iinfo(np.int64).min, np.iinfo(np.int64).max)
    )
    has_moved = (count > 1) & (most.max(axis=0) > least.min(axis=0))
    lasts = series.time[last] - series.time[rows[np.argmax(seen, axis=0), np.arange(tps.size)]]
    return _WindowFacts(
        seen[-1], (count >= window) | ((count > 1) & (lasts >= PATIENCE_SECONDS)), has_moved
    )


def _owner_of(series: Series, tps: np.ndarray, first: np.ndarray, window: int) -> np.ndarray:
    """Return the member that owned each partition when the partition stopped, (K,).

    - `UNASSIGNED`, if the partition has no owner.
    - Else the present owner, if it has had the partition for a whole window.
    - Else the previous owner, if it had the partition for a whole window without progress.
    - Else the present owner, if the owner changed more than once in a window.
    - Else `OTHER`, or `UNASSIGNED` if there is no previous owner.
    """
    owner, last = series.owner[:, tps], np.full(tps.size, series.slot_count - 1, dtype=np.int64)
    now, since = owner[-1], held_since(owner, last, window)
    is_young = (now != UNASSIGNED) & ~_seen(
        series, tps, np.maximum(first, since), last, window
    ).is_long
    rows = np.arange(series.slot_count)[:, None]
    end = np.where((owner != UNASSIGNED) & (rows < since), rows, -1).max(axis=0)
    before = np.where(end >= 0, owner[end, np.arange(tps.size)], UNASSIGNED)
    begin = held_since(owner, np.maximum(end, 0), window)
    stood = _seen(series, tps, np.maximum(first, begin), np.maximum(end, 0), window)
    is_restless = begin > max(series.slot_count - window, 0)
    young = np.where(
        end < 0,
        UNASSIGNED,
        np.where(stood.is_long & ~stood.has_moved, before, np.where(is_restless, now, OTHER)),
    )
    return np.where(is_young, young, now)


def blocked(stuck: Stuck, owner: np.ndarray) -> Blockage:
    """Return the partitions that make no progress under these owners, (P,).

    `never`: the partition is stuck under the same owner. `unknown`: the partition is stuck under
    another owner, or is paused and still has no owner.
    """
    is_same, has_owner = owner == stuck.owner, owner != UNASSIGNED
    moves = stuck.is_stuck & ~is_same & (stuck.owner != UNASSIGNED) & has_owner
    return Blockage(stuck.is_stuck & is_same, moves | (stuck.is_paused & ~has_owner))
