"""The time until the lag is gone, from the records that were read and that arrived between two
readings.
"""

import math
from functools import partial

import numpy as np

from evenkeel.assignors.diagnosis.case import SMALL_LAG, Case
from evenkeel.assignors.group import UNKNOWN
from evenkeel.assignors.group.drain import drain


def seconds_to_drain(case: Case, owner: np.ndarray) -> int | None:
    """Return the seconds until the last member is drained under these owners, int32 (P,); None if
    that is unknown or never.

    A member that was behind in both readings reads what it can. What another one could read is
    unknown, and so is what a member can read that has read nothing.
    """
    earlier, group, now = case.earlier, case.group, case.owner
    if earlier is None or now is None or case.is_one_reading:
        return None
    if not case.is_judged or case.unknown_count:
        return None
    if not earlier.has_same_owner[case.held].all():
        return None
    has_ends = (earlier.end != UNKNOWN) & (group.end_offset != UNKNOWN)
    arrived = np.where(has_ends, np.maximum(group.end_offset - earlier.end, 0), 0)
    in_rate = np.where(has_ends, arrived / earlier.seconds, np.nan)
    by_member = partial(np.bincount, now[case.held], minlength=case.member_count)
    committed = np.where(case.moved, group.committed_offset - earlier.committed, 0)
    proven = by_member(weights=committed[case.held]) / earlier.seconds
    was_behind = by_member(weights=np.maximum(earlier.lag, 0)[case.held]) > SMALL_LAG
    is_busy = was_behind & (case.member_lag > SMALL_LAG) & (proven > 0)
    capacity = np.where(is_busy, proven, np.nan)
    seconds = float(drain(case.lag_now, in_rate, owner, capacity, proven=proven).group)
    return math.ceil(seconds) if math.isfinite(seconds) else None
