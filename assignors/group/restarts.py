"""Restarts of consumers: when a consumer left and came back, and which member ids it had."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

RUN_SECONDS = 900
"""Longest time between two restarts of a run. Three deployments in a day are therefore three runs.
"""

_MANY = 3
_PAUSES = 3
"""A run is over if no restart follows within this multiple of its longest pause, because a crash
loop may double its pause each time.
"""


@dataclass(frozen=True)
class Restarts:
    """A run of restarts of one consumer.

    `member`: number of the consumer in `member_id`. `times`: times at which the consumer came back,
    in seconds since 1970. Two consecutive times are at most `RUN_SECONDS` apart.
    """

    member: int
    times: tuple[float, ...]

    @property
    def count(self) -> int:
        return len(self.times)

    @property
    def seconds(self) -> float:
        """Seconds from the first to the last return."""
        return self.times[-1] - self.times[0]

    @property
    def period(self) -> float:
        """Median seconds between two returns. NaN for a single return."""
        return float(np.median(np.diff(self.times))) if self.count > 1 else np.nan

    @property
    def is_unstable(self) -> bool:
        """Whether the consumer came back three times or more. Its restarts are then shown as a
        single event.
        """
        return self.count >= _MANY

    def is_over(self, time: float) -> bool:
        """Return whether a run of two or more restarts has ended at `time`.

        `time`: in seconds since 1970, not before the last restart of the run.
        """
        return time - self.times[-1] > _PAUSES * float(np.diff(self.times).max())

    def within(self, time: np.ndarray) -> "Restarts":
        """Return the run with only the restarts at the times in `time`."""
        return replace(self, times=tuple(np.array(self.times)[np.isin(self.times, time)].tolist()))


class Life(NamedTuple):
    """A member id that a consumer had, and the times at which it was first and last seen, in
    seconds since 1970.
    """

    member_id: str
    first: float
    last: float


def sorted_runs(runs: Iterable[Restarts]) -> tuple[Restarts, ...]:
    """Return the runs with at least one restart. The run with the most restarts comes first."""
    return tuple(sorted((run for run in runs if run.count), key=lambda run: -run.count))
