"""Track: the observations of each partition as arrays, with the rows of its latest advance and its
latest observation without lag.
"""

from functools import cached_property

import numpy as np

from evenkeel.assignors.episodes.evidence import WINDOW, Evidence
from evenkeel.assignors.group.snapshot import UNKNOWN


class Track:
    """Arrays of observations by partitions, (O, P), in the rows of `Evidence.observed`."""

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
        """Row at which the partition's present series started: neither the begin nor the end offset
        fell after it.
        """
        falls = np.zeros(self.end.shape, dtype=bool)
        known = (self.begin[1:] != UNKNOWN) & (self.begin[:-1] != UNKNOWN)
        falls[1:] = (self.end[1:] < self.end[:-1]) | (known & (self.begin[1:] < self.begin[:-1]))
        if not falls.any():
            return np.broadcast_to(np.int32(0), falls.shape)
        return np.maximum.accumulate(np.where(falls, self.row, np.int32(0)), axis=0)

    @cached_property
    def seen(self) -> np.ndarray:
        """Number of observations in the series up to each row."""
        return self.row - self.first + 1

    def last_of(self, holds: np.ndarray) -> np.ndarray:
        """Return, for each row, the latest row of the same series, up to this row, at which `holds`
        is True. -1 without such a row.
        """
        if not holds.any():
            return np.broadcast_to(np.int32(-1), holds.shape)
        last = np.maximum.accumulate(np.where(holds, self.row, np.int32(-1)), axis=0)
        return np.where(last >= self.first, last, np.int32(-1))

    @cached_property
    def steps(self) -> np.ndarray:
        """Growth of the commit after the previous observation. 0 at the first observation of a
        series.
        """
        steps = np.zeros(self.commit.shape, dtype=np.int64)
        steps[1:] = self.commit[1:] - self.commit[:-1]
        return np.where(self.row > self.first, steps, 0)

    @cached_property
    def advanced(self) -> np.ndarray:
        """Row of the latest advance, -1 without one."""
        return self.last_of(self.steps > 0)

    @cached_property
    def drained(self) -> np.ndarray:
        """Row of the latest observation without lag, -1 without one."""
        return self.last_of(self.lag == 0)

    @cached_property
    def last_moved(self) -> np.ndarray:
        """Row of the latest advance or the latest observation without lag, whichever is later. -1
        without either.
        """
        return np.maximum(self.advanced, self.drained)

    @cached_property
    def rewound(self) -> np.ndarray:
        """Row of the latest rewind, -1 without one."""
        return self.last_of(self.steps < 0)

    @cached_property
    def is_rewinding(self) -> np.ndarray:
        """bool (O, P): whether the commit was rewound within the last window."""
        return (self.rewound >= 0) & (self.rewound > self.row - WINDOW)

    @cached_property
    def is_stuck(self) -> np.ndarray:
        """bool (O, P): whether the partition had lag in the whole window, and more time has passed
        after its latest advance than between the window's start and this advance.
        """
        return is_stuck(self)

    def time_at(self, row: np.ndarray) -> np.ndarray:
        """Return the times of rows (O, P). A row below 0 means the first row of the series."""
        if not self.time.strides[1]:
            # All partitions have the same observations here.
            return self.time[:, 0][np.where(row < 0, self.first, row)]
        return np.take_along_axis(self.time, np.where(row < 0, self.first, row), axis=0)


def is_stuck(track: Track) -> np.ndarray:
    """Return the cells in which a partition is stuck, bool (O, P)."""
    width = track.evidence.series.window(WINDOW)
    result = (track.seen >= width) & (track.drained <= track.row - width)
    result &= track.advanced < track.row
    # Few cells remain, because a healthy partition advances all the time.
    row, tp = np.nonzero(result)
    last, time = track.advanced[row, tp], track.time
    begin = np.maximum(row - width + 1, track.first[row, tp])
    silent = time[row, tp] - time[last, tp] > time[last, tp] - time[begin, tp]
    result[row, tp] = silent | (last < 0)
    return result
