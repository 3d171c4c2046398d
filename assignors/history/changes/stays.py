"""Stays: for how long members have the same partitions."""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.history.series import Series


def unstable_members(series: Series, seconds: float) -> dict[int, float]:
    """Return rows of members that never had the same partitions for `seconds`, such as max.poll.interval.ms, with their longest stay.

    A stay counts from the slot before it to the slot after it: what happens between two slots is unknown. A member that was seen for less
    than twice the time is not judged, one rebalance would be enough.
    """
    there = series.at(series.is_there)
    begins = _stay_begins(there)
    found = {}
    for member in range(len(there.member_id)):
        rows = np.flatnonzero(there.is_member[:, member])
        if rows.size and there.time[rows[-1]] - there.time[rows[0]] >= 2 * seconds:
            first = np.flatnonzero(begins[rows, member])
            last = rows[np.append(first[1:], rows.size) - 1]
            before, after = np.maximum(rows[first] - 1, 0), np.minimum(last + 1, there.slot_count - 1)
            longest = float((there.time[after] - there.time[before]).max())
            if longest < seconds:
                found[member] = longest
    return found


def _stay_begins(series: Series) -> np.ndarray:
    """Tell, bool (S, M), where a member comes or has other partitions than in the slot before; the first slot begins one."""
    begins = np.ones(series.is_member.shape, dtype=bool)
    begins[1:] = series.is_member[1:] & ~series.is_member[:-1]
    row, tp = np.nonzero(series.owner[1:] != series.owner[:-1])
    for owner in (series.owner[row, tp], series.owner[row + 1, tp]):
        begins[row[owner != UNASSIGNED] + 1, owner[owner != UNASSIGNED]] = True
    return begins
