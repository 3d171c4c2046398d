"""The age of the last snapshot, and whether it is too old to say how things are now."""

from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np

from evenkeel.data.words.durations import duration

OLD_STEPS = 10
_OLD_SECONDS = 180.0
"""The least, where snapshots follow each other faster than every 18 s."""

_LAST_STEPS = 10


class SnapshotAge(NamedTuple):
    """When the last snapshot was and `now`, in seconds since 1970; `step`: seconds between the last snapshots, 0 of one alone."""

    time: float
    now: float
    step: float

    @property
    def seconds(self) -> float:
        """How long ago it was, to a tenth; 0 where the clocks differ."""
        return round(max(self.now - self.time, 0.0), 1)

    @property
    def is_old(self) -> bool:
        """Whether more than ten should have come since."""
        return self.seconds > max(OLD_STEPS * self.step, _OLD_SECONDS)

    def __str__(self) -> str:
        return f"the last snapshot is of {datetime.fromtimestamp(self.time, UTC):%Y-%m-%dT%H:%M:%SZ}, {duration(self.seconds)} ago"


def snapshot_age(time: np.ndarray, now: float) -> SnapshotAge:
    """Return the age of the last of some snapshots, at least one; `time` float64 (S,) ascends."""
    steps = np.diff(time[-_LAST_STEPS - 1 :])
    return SnapshotAge(float(time[-1]), now, float(np.median(steps)) if steps.size else 0.0)
