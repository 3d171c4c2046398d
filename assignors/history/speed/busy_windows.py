"""Busy windows: what members read while they provably had records to read all the time."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.history.series import UNKNOWN_RATE, Series
from evenkeel.assignors.history.speed.rates import WINDOW, rates


class Windows(NamedTuple):
    """What each member read, float64 (W, M) records/s, and whether it was busy, bool (W, M)."""

    rate: np.ndarray
    is_busy: np.ndarray


def busy_rates(series: Series, window: int = WINDOW) -> np.ndarray:
    """Return what each member read in windows in which it was busy, float64 (W, M) records/s, `UNKNOWN_RATE` in the others."""
    found = windows(series, window)
    return np.where(found.is_busy, found.rate, UNKNOWN_RATE)


def windows(series: Series, window: int = WINDOW) -> Windows:
    """Return what members read in each window.

    Windows are counted back from the last slot, side by side. A member is busy between two slots if one of its partitions has its later
    committed offset below its earlier end offset: it never came to the end of that log. A window is busy if that is so from each slot to
    the next. A partition that does not move all window long proves nothing of a member that reads others. Only partitions that the
    member owned at both ends of the window count.
    """
    ends, starts = _windows(series, window)
    out = rates(series, ends, window).outgoing
    owner = np.where(series.owner[ends] == series.owner[starts], series.owner[ends], UNASSIGNED)
    window_of, tp = np.nonzero((owner != UNASSIGNED) & ~np.isnan(out))
    member = owner[window_of, tp]
    result = np.zeros((ends.size, len(series.member_id)))
    np.add.at(result, (window_of, member), out[window_of, tp])
    return Windows(result, _is_busy(series, ends, starts, owner, out, result > 0))


def is_behind(series: Series) -> np.ndarray:
    """Tell, bool (S - 1, P), where the log held unread records all the time between a slot and the next: no read came to its end."""
    committed, end = series.committed_offset[1:], series.end_offset[:-1]
    return (committed < end) & (committed != UNKNOWN) & ~series.restarted[1:]


def _is_busy(series: Series, ends: np.ndarray, starts: np.ndarray, owner: np.ndarray, out: np.ndarray, has_read: np.ndarray) -> np.ndarray:
    """Return bool (W, M); `owner`, `out` (W, P) of the windows, `has_read` (W, M) whether the member read anything."""
    steps = np.zeros((series.slot_count, len(series.member_id)), dtype=bool)
    # A step between two windows is of the earlier one, where it is not looked at.
    window_of = np.maximum(np.searchsorted(starts, np.arange(series.slot_count - 1), side="right") - 1, 0)
    if ends.size and has_read.size:
        is_proof = (out > 0) | ~np.take_along_axis(has_read, np.maximum(owner, 0), axis=1)
        row, tp = np.nonzero(is_behind(series) & ((owner != UNASSIGNED) & is_proof)[window_of])
        steps[row, owner[window_of[row], tp]] = True
        # The last slot has no next one: it only ends the last window.
        return np.logical_and.reduceat(steps, np.column_stack([starts, ends]).ravel(), axis=0)[::2]
    # No window, or no member.
    return has_read


def _windows(series: Series, window: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows with which windows of slots end and begin; those of two slots or more."""
    number = (series.slot[-1:].max(initial=0) - series.slot) // window
    # Slots ascend, so the numbers fall: the last row of each number ends its window.
    ends = np.flatnonzero(np.diff(number, append=-1) != 0)
    starts = np.flatnonzero(np.diff(number, prepend=-1) != 0)
    return ends[ends > starts], starts[ends > starts]
