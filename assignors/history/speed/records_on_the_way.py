"""Records on the way: lag that a group has although it keeps up, because records come between two commits."""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.drain import sums_by_owner
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.history.series import UNKNOWN_RATE, Series
from evenkeel.assignors.history.speed.rates import WINDOW


def on_the_way(series: Series, window: int = WINDOW) -> np.ndarray:
    """Return the most records of each partition that count as none behind, int64 (P,), 0 where it does not keep up.

    A partition keeps up in two cases. All its unread records came after the slot before the last one. Or the last advance of its commit
    reached the end offset of one slot earlier, and is no longer ago than the longest pause between two advances. The result is its lag,
    or the largest lag of the last window that it had when it had just reached the end.
    """
    rows = np.flatnonzero(series.slot > series.slot[-1:].max(initial=0) - window)
    if rows.size < 2:
        return np.zeros(series.tp_count, dtype=np.int64)
    committed, end = series.committed_offset[rows], series.end_offset[rows]
    is_known = (committed != UNKNOWN) & (end != UNKNOWN) & (rows[:, None] >= series.first_slot[-1])
    known = is_known[1:] & is_known[:-1]
    came_to_end = known & (committed[1:] >= end[:-1])
    is_timely = came_to_end[-1] | _in_rhythm(series.slot[rows], known & (committed[1:] > committed[:-1]), came_to_end)
    usual = np.where(came_to_end, series.lag[rows[1:]], 0).max(axis=0)
    return np.where(is_timely, np.maximum(usual, np.where(is_known[-1], series.lag[rows[-1]], 0)), 0)


def behind(lag: np.ndarray, waiting: np.ndarray) -> np.ndarray:
    """Return the lags (P,) without those that are on their way; `waiting` (P,) as from `on_the_way`."""
    return np.where((lag > 0) & (lag <= waiting), 0, lag)


def keeps_up(lag: np.ndarray, owner: np.ndarray, waiting: np.ndarray, member_count: int) -> np.ndarray:
    """Tell, bool (M,), which members have no partition that is behind."""
    is_behind = ~np.isin(behind(lag, waiting), (0, UNKNOWN_LAG))
    return np.bincount(owner[is_behind & (owner != UNASSIGNED)], minlength=member_count) == 0


def kept_up_with(series: Series, waiting: np.ndarray, in_rate: np.ndarray) -> np.ndarray:
    """Return what comes in (..., M) for members that keep up now, 0 for others; `in_rate` (..., P)."""
    member_count = len(series.member_id)
    if not series.slot_count:
        return np.zeros((*in_rate.shape[:-1], member_count))
    comes = sums_by_owner(in_rate, series.owner[-1], member_count)[..., :-1]
    return np.where(keeps_up(series.lag[-1], series.owner[-1], waiting, member_count), np.nan_to_num(comes), 0)


def possible(capacity: np.ndarray, series: Series, waiting: np.ndarray, in_rate: np.ndarray) -> np.ndarray:
    """Return capacities (..., M), unknown for a member that keeps up with more: what it can was not seen."""
    comes = kept_up_with(series, waiting, in_rate)
    return np.where((capacity <= comes) & (comes > 0), UNKNOWN_RATE, capacity)


def _in_rhythm(slot: np.ndarray, advances: np.ndarray, came_to_end: np.ndarray) -> np.ndarray:
    """Tell of which partitions the last advance came to the end, and the next is not overdue; (R - 1, P) of steps."""
    pause = longest = np.zeros(advances.shape[1], dtype=np.int64)
    for advanced, passed in zip(advances, np.diff(slot), strict=True):
        pause = pause + passed
        longest = np.where(advanced, np.maximum(longest, pause), longest)
        pause = np.where(advanced, 0, pause)
    last = len(advances) - 1 - np.argmax(advances[::-1], axis=0)
    return (longest > 0) & (pause <= longest) & np.take_along_axis(came_to_end, last[None], axis=0)[0]
