"""Restarts: runs in which a consumer left and came back, and the member ids of its lives."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

RUN_SECONDS = 900
"""A consumer that comes back no later after the time before belongs to the same run of restarts:
three deployments of a day do not.
"""

_MANY = 3
_PAUSES = 3
"""A run is over when so many times its longest pause have passed: a crash loop waits twice as long
each time.
"""


@dataclass(frozen=True)
class Restarts:
    """A run of restarts: the row of `member_id` that left and came back, and the times of its
    returns, seconds since 1970.

    Each time is at most `RUN_SECONDS` after the one before.
    """

    member: int
    times: tuple[float, ...]

    @property
    def count(self) -> int:
        return len(self.times)

    @property
    def seconds(self) -> float:
        """From the first to the last time."""
        return self.times[-1] - self.times[0]

    @property
    def period(self) -> float:
        """The usual time between two restarts, NaN for a single restart."""
        return float(np.median(np.diff(self.times))) if self.count > 1 else np.nan

    @property
    def is_unstable(self) -> bool:
        """Whether it came back three times or more; its restarts are then one event, a pattern."""
        return self.count >= _MANY

    def is_over(self, time: float) -> bool:
        """Return whether a run of two or more has ended at this time, which is not before its
        last.
        """
        return time - self.times[-1] > _PAUSES * float(np.diff(self.times).max())

    def within(self, time: np.ndarray) -> "Restarts":
        """Return only the slots at these times."""
        return replace(self, times=tuple(np.array(self.times)[np.isin(self.times, time)].tolist()))


class Life(NamedTuple):
    """A member id of a consumer, with the times of its first and last sighting, seconds since
    1970.
    """

    member_id: str
    first: float
    last: float


def sorted_runs(runs: Iterable[Restarts]) -> tuple[Restarts, ...]:
    """Return the runs that have a restart, longest first."""
    return tuple(sorted((run for run in runs if run.count), key=lambda run: -run.count))
