"""Capacity: what each member can read, from windows in which it was busy."""

from typing import NamedTuple

import numpy as np

from assignors.assignment import UNASSIGNED
from assignors.history.series import UNKNOWN_RATE, Series
from assignors.history.speed.rates import WINDOW, rates

PERCENTILE = 90
LEAST_WINDOWS = 3


class Capacity(NamedTuple):
    """Records/s, float64 (M,), `UNKNOWN_RATE` where unknown; bool (M,): whether it is the median of the group's others."""

    rate: np.ndarray
    is_assumed: np.ndarray


def busy_rates(series: Series, window: int = WINDOW) -> np.ndarray:
    """Return what each member read in windows in which it was busy, float64 (W, M) records/s, `UNKNOWN_RATE` in the others.

    Windows are counted back from the last slot, side by side. Busy: the member had lag on one partition or more at both ends. Only
    partitions that it owned at both ends count.
    """
    ends, starts = _windows(series, window)
    out = rates(series, ends, window).outgoing
    owner = np.where(series.owner[ends] == series.owner[starts], series.owner[ends], UNASSIGNED)
    is_behind = (series.lag[ends] > 0) & (series.lag[starts] > 0)
    window_of, tp = np.nonzero((owner != UNASSIGNED) & ~np.isnan(out))
    member = owner[window_of, tp]
    result, busy = (np.zeros((ends.size, len(series.member_id)), dtype=kind) for kind in (np.float64, bool))
    np.add.at(result, (window_of, member), out[window_of, tp])
    np.logical_or.at(busy, (window_of, member), is_behind[window_of, tp])
    return np.where(busy, result, UNKNOWN_RATE)


def capacity(busy: np.ndarray, group_of_member: np.ndarray | None = None) -> Capacity:
    """Return the 90th percentile of `busy_rates` (..., W, M).

    A member that was busy in fewer than 3 windows takes the median of its group; `group_of_member` int64 (M,), by default all are of one.
    """
    own = _percentile(busy)
    is_assumed = np.isnan(own)
    rate = own.copy()
    if group_of_member is None:
        group_of_member = np.zeros(own.shape[-1], dtype=np.int64)
    has_own = ~is_assumed.all(axis=tuple(range(own.ndim - 1)))
    # Groups of which some member has figures and another has none.
    for one in np.intersect1d(group_of_member[has_own], group_of_member[is_assumed.any(axis=tuple(range(own.ndim - 1)))]).tolist():
        members = np.flatnonzero(group_of_member == one)
        rate[..., members] = np.where(is_assumed[..., members], median_of_known(own[..., members])[..., None], own[..., members])
    return Capacity(rate, is_assumed)


def median_of_known(rate: np.ndarray) -> np.ndarray:
    """Return the median of the known rates of the last axis, `UNKNOWN_RATE` where none is known."""
    some = ~np.isnan(rate).all(axis=-1)
    median = np.full(rate.shape[:-1], UNKNOWN_RATE)
    # Of nothing, numpy would warn.
    median[some] = np.nanmedian(rate[some], axis=-1)
    return median


def _percentile(busy: np.ndarray) -> np.ndarray:
    """Return the percentile of each member over its windows, as numpy's linear method has it."""
    # NaN is sorted last; a row of it stands where there is no window at all.
    nothing = np.full((*busy.shape[:-2], 1, busy.shape[-1]), UNKNOWN_RATE)
    in_order = np.sort(np.concatenate([busy, nothing], axis=-2), axis=-2)
    count = np.count_nonzero(~np.isnan(busy), axis=-2)
    place = np.maximum(count - 1, 0) * (PERCENTILE / 100)
    low = np.floor(place).astype(np.int64)
    high = np.minimum(low + 1, np.maximum(count - 1, 0))
    below, above = (np.take_along_axis(in_order, at[..., None, :], axis=-2)[..., 0, :] for at in (low, high))
    return np.where(count >= LEAST_WINDOWS, below + (above - below) * (place - low), UNKNOWN_RATE)


def _windows(series: Series, window: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows with which windows of slots end and begin; those of two slots or more."""
    number = (series.slot[-1:].max(initial=0) - series.slot) // window
    # Slots ascend, so the numbers fall: the last row of each number ends its window.
    ends = np.flatnonzero(np.diff(number, append=-1) != 0)
    starts = np.flatnonzero(np.diff(number, prepend=-1) != 0)
    return ends[ends > starts], starts[ends > starts]
