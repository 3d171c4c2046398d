"""Track: the observations of each partition as arrays. Also the row numbers of the latest
observation at which the commit grew, and of the latest observation without lag.
"""

from functools import cached_property

import numpy as np

from evenkeel.assignors.episodes.evidence import WINDOW, Evidence
from evenkeel.assignors.group.snapshot import UNKNOWN


class Track:
    """The observations of each partition as arrays (O, P). Rows are the same as in
    `Evidence.observed`.
    """

    def __init__(self, evidence: Evidence):
        series, of = evidence.series, evidence.observed.of
        self.evidence = evidence
        self.time = evidence.observed.times(series.time)
        self.commit = of(series.committed_offset)
        self.end = of(series.end_offset)
        self.begin = of(series.begin_offset)
        self.lag = of(series.lag)
        self.is_owned = of(evidence.is_owned)

    @cached_property
    def row(self) -> np.ndarray:
        """Row numbers, int32 (O, 1)."""
        return np.arange(self.commit.shape[0], dtype=np.int32)[:, None]

    @cached_property
    def first(self) -> np.ndarray:
        """Row number at which the present series of the partition started. A new series starts when
        the begin or the end offset falls.
        """
        falls = np.zeros(self.end.shape, dtype=bool)
        known = (self.begin[1:] != UNKNOWN) & (self.begin[:-1] != UNKNOWN)
        falls[1:] = (self.end[1:] < self.end[:-1]) | (known & (self.begin[1:] < self.begin[:-1]))
        if not falls.any():
            return np.broadcast_to(np.int32(0), falls.shape)
        return np.maximum.accumulate(np.where(falls, self.row, np.int32(0)), axis=0)

    @cached_property
    def seen(self) -> np.ndarray:
        """Number of observations of the present series so far."""
        return self.row - self.first + 1

    def last_of(self, holds: np.ndarray) -> np.ndarray:
        """Return, for each row number, the nearest row at or before it in the same series in which
        `holds` is True. -1 if there is none.
        """
        if not holds.any():
            return np.broadcast_to(np.int32(-1), holds.shape)
        last = np.maximum.accumulate(np.where(holds, self.row, np.int32(-1)), axis=0)
        return np.where(last >= self.first, last, np.int32(-1))

    @cached_property
    def steps(self) -> np.ndarray:
        """How much the commit grew since the previous observation. 0 at the first observation of a
        series.
        """
        steps = np.zeros(self.commit.shape, dtype=np.int64)
        steps[1:] = self.commit[1:] - self.commit[:-1]
        return np.where(self.row > self.first, steps, 0)

    @cached_property
    def advanced(self) -> np.ndarray:
        """Row number of the latest observation at which the commit grew; -1 if there is none."""
        return self.last_of(self.steps > 0)

    @cached_property
    def drained(self) -> np.ndarray:
        """Row number of the latest observation without lag; -1 if there is none."""
        return self.last_of(self.lag == 0)

    @cached_property
    def last_moved(self) -> np.ndarray:
        """Row number of the latest observation at which the commit grew or there was no lag; -1 if
        there is none.
        """
        return np.maximum(self.advanced, self.drained)

    @cached_property
    def rewound(self) -> np.ndarray:
        """Row number of the latest observation at which the commit fell; -1 if there is none."""
        return self.last_of(self.steps < 0)

    @cached_property
    def is_rewinding(self) -> np.ndarray:
        """bool (O, P): whether the commit fell within the last window."""
        return (self.rewound >= 0) & (self.rewound > self.row - WINDOW)

    @cached_property
    def is_stuck(self) -> np.ndarray:
        """bool (O, P): whether the partition is stuck: it had lag in the whole window, and its
        commit did not grow in the second half of the window.
        """
        return is_stuck(self)

    def time_at(self, row: np.ndarray) -> np.ndarray:
        """Return the times of row numbers, (O, P). A negative row number means the first row of the
        series.
        """
        if not self.time.strides[1]:
            # All partitions have the same observations in this case.
            return self.time[:, 0][np.where(row < 0, self.first, row)]
        return np.take_along_axis(self.time, np.where(row < 0, self.first, row), axis=0)


def is_stuck(track: Track) -> np.ndarray:
    """Return whether each partition is stuck at each observation, bool (O, P)."""
    width = track.evidence.series.window(WINDOW)
    result = (track.seen >= width) & (track.drained <= track.row - width)
    result &= track.advanced < track.row
    # Few cells remain, because the commit of a healthy partition grows all the time.
    row, tp = np.nonzero(result)
    last, time = track.advanced[row, tp], track.time
    begin = np.maximum(row - width + 1, track.first[row, tp])
    silent = time[row, tp] - time[last, tp] > time[last, tp] - time[begin, tp]
    result[row, tp] = silent | (last < 0)
    return result
