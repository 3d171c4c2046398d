"""Lag ahead: how far behind a group will be at later times, while members read at constant rates."""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.drain.drain import sums_by_owner
from evenkeel.assignors.group.lag import UNKNOWN_LAG


def lag_ahead(lag: np.ndarray, in_rate: np.ndarray, owner: np.ndarray, capacity: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Return the sum of known lags after each of `seconds` (T,), float64 (..., T), NaN where a rate of it is unknown.

    A member's lag changes by its in rates less its capacity until it is 0, and stays there where it can read what comes. Parameters as for
    `drain`; partitions whose lag is unknown are left out, but their member reads them too.
    """
    member_count = capacity.shape[-1]
    total = sums_by_owner(np.where(lag == UNKNOWN_LAG, 0, lag).astype(np.float64), owner, member_count)
    # Partitions without owner are not read.
    able = np.concatenate([capacity, np.zeros((*capacity.shape[:-1], 1))], axis=-1)
    grows = sums_by_owner(in_rate, owner, member_count) - able
    has_some = np.bincount(np.where(owner == UNASSIGNED, member_count, owner), minlength=member_count + 1) > 0
    later = np.maximum(total[has_some, None] + grows[..., has_some, None] * seconds, 0)
    return later.sum(axis=-2)
