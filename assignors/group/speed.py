"""Speed: rates of partitions, and members' capacities from windows in which the members were
busy.
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
"""Slots."""


class Rates(NamedTuple):
    """Slopes of end offset and committed offset, in records/s, float64 (E, P). `UNKNOWN_RATE` with
    fewer than two known offsets.
    """

    incoming: np.ndarray
    outgoing: np.ndarray


def rates(series: Series, ends: np.ndarray | None = None, window: int = WINDOW) -> Rates:
    """Return the rates of the windows that end at these rows of slots, by default at all slots.

    A window has `window` slots, even if some are missing, but does not start before the partition's
    series.
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
    """Each member's reading rate in records/s, float64 (W, M), and whether the member was busy,
    bool (W, M).
    """

    rate: np.ndarray
    is_busy: np.ndarray


def busy_rates(series: Series, window: int = WINDOW) -> np.ndarray:
    """Return each member's rate in the windows in which it was busy, in records/s, float64 (W, M).
    `UNKNOWN_RATE` in other windows.
    """
    means = windows(series, window)
    return np.where(means.is_busy, means.rate, UNKNOWN_RATE)


def windows(series: Series, window: int = WINDOW) -> Windows:
    """Return the rate of each member in each window.

    Windows are adjacent and are counted back from the last slot. A member is busy between two slots
    if, for one of its partitions, the later committed offset is below the earlier end offset. The
    member then never reached the end of that log. A window is busy if its member is busy from each
    slot to the next. A partition without progress in the whole window proves nothing about a member
    that reads other partitions. Only partitions that the member owned at both ends of the window
    count.
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
    """Return whether the log always had unread records between a slot and the next slot, bool (S -
    1, P). No read then reached its end.
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
    """Return whether each member is busy in each window, bool (W, M).

    `owner`, `out`: (W, P), of the windows. `has_read`: (W, M), whether the member read anything.
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
    """Return the rows at which windows end and start. Windows with a single slot are left out."""
    number = (series.slot[-1:].max(initial=0) - series.slot) // window
    # Slots ascend, so window numbers fall. The last row of each number ends its window.
    ends = np.flatnonzero(np.diff(number, append=-1) != 0)
    starts = np.flatnonzero(np.diff(number, prepend=-1) != 0)
    return ends[ends > starts], starts[ends > starts]


# Capacity: the highest rate of each member


PERCENTILE = 90
LEAST_WINDOWS = 3


class Capacity(NamedTuple):
    """Records/s of each member, float64 (M,), `UNKNOWN_RATE` if unknown.

    `is_assumed`: bool (M,), whether the rate is the median of the group's other members.
    """

    rate: np.ndarray
    is_assumed: np.ndarray


def capacity(busy: np.ndarray, group_of_member: np.ndarray | None = None) -> Capacity:
    """Return the 90th percentile of `busy_rates` (W, M).

    A member that was busy in fewer than 3 windows gets the median of its group. `group_of_member`:
    int64 (M,), by default one group.
    """
    own = _percentile(busy)
    return Capacity(with_medians(own, group_of_member), np.isnan(own))


def with_medians(own: np.ndarray, group_of_member: np.ndarray | None = None) -> np.ndarray:
    """Return rates (..., M). A member without its own rate gets the median of its group's other
    members. Parameters: as in `capacity`.
    """
    rate, is_assumed = own.copy(), np.isnan(own).all(axis=tuple(range(own.ndim - 1)))
    if group_of_member is None:
        group_of_member = np.zeros(own.shape[-1], dtype=np.int64)
    for group in np.intersect1d(group_of_member[~is_assumed], group_of_member[is_assumed]).tolist():
        members = group_of_member == group
        rate[..., members & is_assumed] = median_of_known(own[..., members])[..., None]
    return rate


def are_medians(own: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Return the members whose rate comes from other members, bool (M,). `own`, `rate`: (..., M),
    input and result of `with_medians`.
    """
    draws = tuple(range(own.ndim - 1))
    return np.isnan(own).all(axis=draws) & ~np.isnan(rate).all(axis=draws)


def median_of_known(rate: np.ndarray) -> np.ndarray:
    """Return the median of the known rates above 0 on the last axis. `UNKNOWN_RATE` without such
    rates.
    """
    rate = np.where(rate > 0, rate, UNKNOWN_RATE)
    some = ~np.isnan(rate).all(axis=-1)
    median = np.full(rate.shape[:-1], UNKNOWN_RATE)
    # numpy would warn about rows without any known rate.
    median[some] = np.nanmedian(rate[some], axis=-1)
    return median


def _percentile(busy: np.ndarray) -> np.ndarray:
    """Return the 90th percentile of each member over its windows."""
    result = np.full(busy.shape[-1], UNKNOWN_RATE)
    enough = np.count_nonzero(~np.isnan(busy), axis=0) >= LEAST_WINDOWS
    result[enough] = (
        np.nanpercentile(busy[:, enough], PERCENTILE, axis=0) if enough.any() else UNKNOWN_RATE
    )
    return result


# Records on the way: lag of a partition that keeps up


def on_the_way(series: Series, window: int = WINDOW) -> np.ndarray:
    """Return the largest lag of each partition that still counts as 0, int64 (P,). 0 if the
    partition does not keep up.

    A partition keeps up in two cases. Either all its unread records arrived after the last slot but
    one. Or the commit's last advance reached the end offset of the slot before it, and no more time
    has passed than in the longest pause between two advances. The result is the partition's present
    lag. If larger, it is the largest lag in the last window at a slot whose commit reached the
    previous end offset.
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
    """Return the lags (P,) without records on the way. `waiting`: result of `on_the_way`, (P,)."""
    return np.where((lag > 0) & (lag <= waiting), 0, lag)


def keeps_up(
    lag: np.ndarray, owner: np.ndarray, waiting: np.ndarray, member_count: int
) -> np.ndarray:
    """Return the members without lag, apart from records on the way, bool (M,)."""
    is_behind = ~np.isin(behind(lag, waiting), (0, UNKNOWN_LAG))
    return np.bincount(owner[is_behind & (owner != UNASSIGNED)], minlength=member_count) == 0


def kept_up_with(series: Series, waiting: np.ndarray, in_rate: np.ndarray) -> np.ndarray:
    """Return the incoming rate of each member that keeps up now, (..., M). 0 for other members.
    `in_rate`: (..., P).
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
    """Return capacities (..., M). Unknown for a member that keeps up with a higher rate, because it
    never reached its capacity.
    """
    comes = kept_up_with(series, waiting, in_rate)
    return np.where((capacity <= comes) & (comes > 0), UNKNOWN_RATE, capacity)


def _in_rhythm(slot: np.ndarray, advances: np.ndarray, came_to_end: np.ndarray) -> np.ndarray:
    """Return the partitions whose last advance reached the end and whose next advance is not
    overdue.

    `advances`, `came_to_end`: (R - 1, P), for each step between slots.
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
