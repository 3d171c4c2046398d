"""Notes for a total lag that is not exact.

A lag is not exact because of partitions without a commit, unknown lags, or commits past the end.
"""

import numpy as np

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG, committed_past_end, known_lag, uncommitted_lag
from evenkeel.data.text.formats import counted, number


def between(at_most: int) -> str:
    """Return the possible lag on partitions without a commit: `between 0 and 5.56 M records`."""
    return f"between 0 and {number(at_most)} records"


def lag_notes(group: GroupSnapshot, is_read: np.ndarray | None = None) -> list[str]:
    """Return notes about the total lag; empty if the total is exact.

    `is_read` bool (P,): whether the source lists the partition; None: it lists all partitions.
    """
    counts = np.ones(group.tp_count, dtype=bool) if is_read is None else is_read
    unknown = int(np.count_nonzero((known_lag(group) == UNKNOWN_LAG) & counts))
    past = int(np.count_nonzero(committed_past_end(group) & counts))
    open_lag = uncommitted_lag(group)[counts]
    uncommitted = int(np.count_nonzero(open_lag))
    notes = []
    if uncommitted:
        places = counted(uncommitted, "partition")
        notes.append(f"{between(int(open_lag.sum()))} more on {places} never committed")
    if unknown > uncommitted:
        notes.append(f"{counted(unknown - uncommitted, 'partition')} unknown")
    if past:
        notes.append(f"{counted(past, 'commit')} {'is' if past == 1 else 'are'} past the end")
    return notes
