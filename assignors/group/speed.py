"""Speed: rates of partitions, and capacities of members.

A capacity is measured in windows in which the member always had records to read.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.drain import sums_by_owner
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.series import UNKNOWN_RATE, Series
from evenkeel.assignors.group.snapshot import UNKNOWN

# Rates: least squares over a window of slots


WINDOW = 10
"""Number of slots in a window."""


class Rates(NamedTuple):
    """Incoming rate and reading rate of P partitions in E windows, in records/s, float64 (E, P).

    The slopes of end offset and committed offset. `UNKNOWN_RATE` if fewer than two offsets are
    known.
    """

    incoming: np.ndarray
    outgoing: np.ndarray


def rates(series: Series, ends: np.ndarray | None = None, window: int = WINDOW) -> Rates:
    """Return the rates of the windows that end at the slots `ends`, by default at every slot.

    A window has `window` slots, even if some of these slots are missing. Slots before the last
    restart of a partition's offsets are left out.
    """
    ends = np.arange(series.slot_count) if ends is None else ends
    return Rates(
        *(
            _slopes(series, offset, ends, window)
            for offset in (series.end_offset, series.committed_offset)
        )
    )


def _slopes(series: Series, offset: np.ndarray, ends: np.ndarray, window: int) -> np.ndarray:
    shape = ends.size, series.tp_count
    count, times, records, squares, products = (np.zeros(shape) for _ in range(5))
    # Offsets are counted from a value in the window, because sums of whole offsets would lose
    # records.
    zero = np.zeros(shape, dtype=np.int64)
    is_empty = np.ones(shape, dtype=bool)
    for back in range(min(window, series.slot_count)):
        rows = np.maximum(ends - back, 0)
        is_in_window = (ends >= back) & (series.slot[rows] > series.slot[ends] - window)
        values = offset[rows]
        known = (
            (values != UNKNOWN) & is_in_window[:, None] & (rows[:, None] >= series.first_slot[ends])
        )
        np.copyto(zero, values, where=known & is_empty)
        is_empty &= ~known
        time = (series.time[rows] - series.time[ends])[:, None] * known
        grown = (values - zero) * known
        count += known
        times += time
        records += grown
        squares += time * time
        products += time * grown
    spread = count * squares - times * times
    enough = (count >= 2) & (spread > 0)
    return np.where(
        enough, (count * products - times * records) / np.where(enough, spread, 1), UNKNOWN_RATE
    )


# Busy windows: the member provably always had records to read


class Windows(NamedTuple):
    """Each member's reading rate in each window, and whether the member was busy.

    `rate`: records/s, float64 (W, M). `is_busy`: bool (W, M).
    """

    rate: np.ndarray
    is_busy: np.ndarray


def busy_rates(series: Series, window: int = WINDOW) -> np.ndarray:
    """Return each member's reading rate in each window, in records/s, float64 (W, M).

    `UNKNOWN_RATE` in windows in which the member was not busy.
    """
    means = windows(series, window)
    return np.where(means.is_busy, means.rate, UNKNOWN_RATE)


def windows(series: Series, window: int = WINDOW) -> Windows:
    """Return each member's reading rate in each window, and whether the member was busy.

    Windows are adjacent and are counted back from the last slot. A member was busy between two
    slots if one of its partitions always had unread records. It was busy in a window if it was busy
    between all slots of the window. Only partitions that the member owned at both ends of the
    window count. A partition without progress in the whole window does not count if the member read
    other partitions.
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
    """Return whether the partition always had unread records between two slots, bool (S - 1, P).

    This is so if the committed offset at the later slot is smaller than the end offset at the
    earlier slot.
    """
    committed, end = series.committed_offset[1:], series.end_offset[:-1]
    return (committed < end) & (committed != UNKNOWN) & ~series.restarted[1:]


def _is_busy(
    series: Series,
    ends: np.ndarray,
    starts: np.ndarray,
    owner: np.ndarray,
    out: np.ndarray,
    has_read: np.ndarray,
) -> np.ndarray:
    """Return whether each member was busy in each window, bool (W, M).

    `owner`, `out`: owner and reading rate of each partition in each window, (W, P). `has_read`:
    whether the member read any records in the window, (W, M).
    """
    steps = np.zeros((series.slot_count, len(series.member_id)), dtype=bool)
    # A step between two windows belongs to the earlier window, which ignores it.
    window_of = np.maximum(
        np.searchsorted(starts, np.arange(series.slot_count - 1), side="right") - 1, 0
    )
    if ends.size and has_read.size:
        is_proof = (out > 0) | ~np.take_along_axis(has_read, np.maximum(owner, 0), axis=1)
        row, tp = np.nonzero(is_behind(series) & ((owner != UNASSIGNED) & is_proof)[window_of])
        steps[row, owner[window_of[row], tp]] = True
        # The last slot has no next slot, so it only ends the last window.
        return np.logical_and.reduceat(steps, np.column_stack([starts, ends]).ravel(), axis=0)[::2]
    # There is no window, or no member.
    return has_read


def _windows(series: Series, window: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the last slot and the first slot of each window.

    Windows with a single slot are left out.
    """
    number = (series.slot[-1:].max(initial=0) - series.slot) // window
    # Slots ascend, so window numbers fall. The last row of each number ends its window.
    ends = np.flatnonzero(np.diff(number, append=-1) != 0)
    starts = np.flatnonzero(np.diff(number, prepend=-1) != 0)
    return ends[ends > starts], starts[ends > starts]


# Capacity: the highest rate of each member


PERCENTILE = 90
LEAST_WINDOWS = 3


class Capacity(NamedTuple):
    """Capacity of each member in records/s, float64 (M,), `UNKNOWN_RATE` if unknown.

    `is_assumed`: whether the capacity is the median of other members of the group, bool (M,).
    """

    rate: np.ndarray
    is_assumed: np.ndarray


def capacity(busy: np.ndarray, group_of_member: np.ndarray | None = None) -> Capacity:
    """Return the capacity of each member: the 90th percentile of its `busy_rates`, (W, M).

    A member that was busy in fewer than 3 windows gets the median of its group. `group_of_member`:
    int64 (M,). By default all members are in one group.
    """
    own = _percentile(busy)
    return Capacity(with_medians(own, group_of_member), np.isnan(own))


def with_medians(own: np.ndarray, group_of_member: np.ndarray | None = None) -> np.ndarray:
    """Give each member without a known rate the median of the other members of its group.

    Rates: (..., M). `group_of_member`: as in `capacity`.
    """
    rate, is_assumed = own.copy(), np.isnan(own).all(axis=tuple(range(own.ndim - 1)))
    if group_of_member is None:
        group_of_member = np.zeros(own.shape[-1], dtype=np.int64)
    for group in np.intersect1d(group_of_member[~is_assumed], group_of_member[is_assumed]).tolist():
        members = group_of_member == group
        rate[..., members & is_assumed] = median_of_known(own[..., members])[..., None]
    return rate


def are_medians(own: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Return whether each member's rate is the median of other members, bool (M,).

    `own`, `rate`: argument and result of `with_medians`, (..., M).
    """
    draws = tuple(range(own.ndim - 1))
    return np.isnan(own).all(axis=draws) & ~np.isnan(rate).all(axis=draws)


def median_of_known(rate: np.ndarray) -> np.ndarray:
    """Return the median of the known rates above 0, over the last axis.

    `UNKNOWN_RATE` if there are no such rates.
    """
    rate = np.where(rate > 0, rate, UNKNOWN_RATE)
    some = ~np.isnan(rate).all(axis=-1)
    median = np.full(rate.shape[:-1], UNKNOWN_RATE)
    # numpy would warn about rows without any known rate.
    median[some] = np.nanmedian(rate[some], axis=-1)
    return median


def _percentile(busy: np.ndarray) -> np.ndarray:
    """Return the 90th percentile of each member's rates. `UNKNOWN_RATE` if too few are known."""
    result = np.full(busy.shape[-1], UNKNOWN_RATE)
    enough = np.count_nonzero(~np.isnan(busy), axis=0) >= LEAST_WINDOWS
    result[enough] = (
        np.nanpercentile(busy[:, enough], PERCENTILE, axis=0) if enough.any() else UNKNOWN_RATE
    )
    return result


# Records on the way: lag of a partition that keeps up


def on_the_way(series: Series, window: int = WINDOW) -> np.ndarray:
    """Return the largest lag that still counts as 0, for each partition, int64 (P,).

    A commit is on time if it is not smaller than the end offset in the previous slot. A partition
    keeps up in two cases:

    - Its commit in the last slot is on time.
    - Its commit was on time when it last advanced. The time since then is not longer than the
      longest pause between two advances in the window.

    If the partition keeps up, the result is the larger of two lags: its present lag, and its
    largest lag in a slot of the window with a commit on time. Otherwise the result is 0.
    """
    rows = np.flatnonzero(series.slot > series.slot[-1:].max(initial=0) - window)
    if rows.size < 2:
        return np.zeros(series.tp_count, dtype=np.int64)
    committed, end = series.committed_offset[rows], series.end_offset[rows]
    is_known = (committed != UNKNOWN) & (end != UNKNOWN) & (rows[:, None] >= series.first_slot[-1])
    known = is_known[1:] & is_known[:-1]
    came_to_end = known & (committed[1:] >= end[:-1])
    is_timely = came_to_end[-1] | _in_rhythm(
        series.slot[rows], known & (committed[1:] > committed[:-1]), came_to_end
    )
    usual = np.where(came_to_end, series.lag[rows[1:]], 0).max(axis=0)
    return np.where(
        is_timely, np.maximum(usual, np.where(is_known[-1], series.lag[rows[-1]], 0)), 0
    )


def behind(lag: np.ndarray, waiting: np.ndarray) -> np.ndarray:
    """Return the lags (P,). A known lag that is not above `waiting` becomes 0.

    `waiting`: result of `on_the_way`, (P,).
    """
    return np.where((lag > 0) & (lag <= waiting), 0, lag)


def keeps_up(
    lag: np.ndarray, owner: np.ndarray, waiting: np.ndarray, member_count: int
) -> np.ndarray:
    """Return whether each member keeps up with all its partitions, bool (M,).

    `waiting`: result of `on_the_way`.
    """
    is_behind = ~np.isin(behind(lag, waiting), (0, UNKNOWN_LAG))
    return np.bincount(owner[is_behind & (owner != UNASSIGNED)], minlength=member_count) == 0


def kept_up_with(series: Series, waiting: np.ndarray, in_rate: np.ndarray) -> np.ndarray:
    """Return the incoming rate of each member that keeps up at the last slot, (..., M).

    0 for all other members. `in_rate`: (..., P).
    """
    member_count = len(series.member_id)
    if not series.slot_count:
        return np.zeros((*in_rate.shape[:-1], member_count))
    comes = sums_by_owner(in_rate, series.owner[-1], member_count)[..., :-1]
    return np.where(
        keeps_up(series.lag[-1], series.owner[-1], waiting, member_count), np.nan_to_num(comes), 0
    )


def possible(
    capacity: np.ndarray, series: Series, waiting: np.ndarray, in_rate: np.ndarray
) -> np.ndarray:
    """Return the capacities, (..., M). A measured capacity that is too low becomes `UNKNOWN_RATE`.

    It is too low if the member keeps up with an incoming rate of at least this capacity.
    """
    comes = kept_up_with(series, waiting, in_rate)
    return np.where((capacity <= comes) & (comes > 0), UNKNOWN_RATE, capacity)


def _in_rhythm(slot: np.ndarray, advances: np.ndarray, came_to_end: np.ndarray) -> np.ndarray:
    """Return whether each partition keeps up, by the second case in `on_the_way`.

    `advances`: whether the commit advanced between two slots. `came_to_end`: whether the commit in
    the later slot is on time. Both (R - 1, P).
    """
    pause = longest = np.zeros(advances.shape[1], dtype=np.int64)
    for advanced, passed in zip(advances, np.diff(slot), strict=True):
        pause = pause + passed
        longest = np.where(advanced, np.maximum(longest, pause), longest)
        pause = np.where(advanced, 0, pause)
    last = len(advances) - 1 - np.argmax(advances[::-1], axis=0)
    return (
        (longest > 0) & (pause <= longest) & np.take_along_axis(came_to_end, last[None], axis=0)[0]
    )
