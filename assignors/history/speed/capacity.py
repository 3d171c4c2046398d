"""Capacity: what each member can read, from windows in which it was busy."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.history.series import UNKNOWN_RATE

PERCENTILE = 90
LEAST_WINDOWS = 3


class Capacity(NamedTuple):
    """Records/s, float64 (M,), `UNKNOWN_RATE` where unknown; bool (M,): whether it is the median of the group's others."""

    rate: np.ndarray
    is_assumed: np.ndarray


def capacity(busy: np.ndarray, group_of_member: np.ndarray | None = None) -> Capacity:
    """Return the 90th percentile of `busy_rates` (W, M).

    A member that was busy in fewer than 3 windows takes the median of its group; `group_of_member` int64 (M,), by default all are of one.
    """
    own = _percentile(busy)
    return Capacity(with_medians(own, group_of_member), np.isnan(own))


def with_medians(own: np.ndarray, group_of_member: np.ndarray | None = None) -> np.ndarray:
    """Return rates (..., M) in which members without own take the median of those that have; both as in `capacity`."""
    rate, is_assumed = own.copy(), np.isnan(own).all(axis=tuple(range(own.ndim - 1)))
    if group_of_member is None:
        group_of_member = np.zeros(own.shape[-1], dtype=np.int64)
    for one in np.intersect1d(group_of_member[~is_assumed], group_of_member[is_assumed]).tolist():
        members = group_of_member == one
        rate[..., members & is_assumed] = median_of_known(own[..., members])[..., None]
    return rate


def are_medians(own: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Tell, bool (M,), which of the rates (..., M) `with_medians` took from others than the member's `own`."""
    draws = tuple(range(own.ndim - 1))
    return np.isnan(own).all(axis=draws) & ~np.isnan(rate).all(axis=draws)


def median_of_known(rate: np.ndarray) -> np.ndarray:
    """Return the median of the rates of the last axis that are known and above 0, `UNKNOWN_RATE` where there is none."""
    rate = np.where(rate > 0, rate, UNKNOWN_RATE)
    some = ~np.isnan(rate).all(axis=-1)
    median = np.full(rate.shape[:-1], UNKNOWN_RATE)
    # Of nothing, numpy would warn.
    median[some] = np.nanmedian(rate[some], axis=-1)
    return median


def _percentile(busy: np.ndarray) -> np.ndarray:
    """Return the percentile of each member over its windows."""
    result = np.full(busy.shape[-1], UNKNOWN_RATE)
    enough = np.count_nonzero(~np.isnan(busy), axis=0) >= LEAST_WINDOWS
    result[enough] = np.nanpercentile(busy[:, enough], PERCENTILE, axis=0) if enough.any() else UNKNOWN_RATE
    return result
