"""Current drain: how long each member and partition of a group takes while its owners stay."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.drain import drain_by_partition
from evenkeel.assignors.history.now import Now
from evenkeel.assignors.history.speed.draws import Draws
from evenkeel.assignors.history.speed.records_on_the_way import behind
from evenkeel.assignors.history.speed.stuck import blocked


class CurrentDrain(NamedTuple):
    """Seconds until lag 0, float64: by partition (P,) and by member (M,), that of its slowest partition.

    `NEVER` where more comes in than it gets, `UNKNOWN_DRAIN` where a lag or a rate is unknown; 0 for a member without partitions.
    """

    by_partition: np.ndarray
    by_member: np.ndarray


def current_drain(found: Now, drawn: Draws) -> CurrentDrain:
    """Return the times with the median of the draws of each rate: one time each, where the group's is a band."""
    in_rate, busy_rate = np.median(drawn.in_rate, axis=0), np.median(drawn.busy_rate, axis=0)
    lag = found.lag if drawn.on_the_way is None else behind(found.lag, drawn.on_the_way)
    held = None if drawn.stuck is None else blocked(drawn.stuck, found.owner)
    seconds = drain_by_partition(lag, in_rate, found.owner, busy_rate, drawn.rounding, held)
    return CurrentDrain(seconds, np.array([_slowest(seconds[found.owner == member]) for member in range(busy_rate.size)]))


def _slowest(seconds: np.ndarray) -> float:
    """Return the largest time: never before unknown, unknown before any time."""
    return float(np.inf if np.isinf(seconds).any() else seconds.max(initial=0))
