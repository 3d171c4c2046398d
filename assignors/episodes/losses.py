"""Losses: unread records that were deleted. The begin offset is then past the commit."""

from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.episodes.evidence import WINDOW, Evidence
from evenkeel.assignors.episodes.progress import Holding
from evenkeel.assignors.episodes.track import Track
from evenkeel.assignors.group.snapshot import UNKNOWN

_STEPS = 3
_ADVANCES = 2


@dataclass(frozen=True, eq=False)
class Losses:
    """Losses at each slot and partition, (S, P).

    Parameters
    ----------
    below : int64
        Begin offset - commit, if records are lost and no reader continues to read.
    skipped : int64
        Least number of records that a reader must have jumped over at the slot.
    in_memory : int64
        Deleted records that the owner still reads from its memory.
    passed : Holding
        Whether the begin offset is past the commit.
    skips : bool
        Whether the owner jumped over deleted records within the last window because it is too slow.
    """

    lost: Holding
    below: np.ndarray
    skipped: np.ndarray
    in_memory: np.ndarray
    passed: Holding
    skips: np.ndarray


def losses(evidence: Evidence, track: Track, is_left: np.ndarray) -> Losses:
    """Return the losses at every slot. `is_left`: bool (S, P), partitions of topics to which no
    member subscribes.
    """
    observed, listed = evidence.observed, evidence.is_listed[:, None]
    is_below = (track.begin != UNKNOWN) & (track.commit < track.begin)
    if not is_below.any() and not (track.begin[1:] > track.commit[:-1]).any():
        return _nothing(is_left.shape)
    last_above = track.last_of(~is_below)
    since_row = np.where(is_below, last_above + 1, 0)
    since_row = np.maximum(since_row, track.first)
    since = track.time_at(since_row)
    is_least = since_row == 0

    advances = np.cumsum(track.steps > 0, axis=0)
    before = np.take_along_axis(advances, since_row, axis=0)
    reads_on = is_below & track.is_owned & (advances - before >= _ADVANCES)
    is_gone = is_below & (~track.is_owned | track.is_stuck) & ~reads_on
    skipped, jumped, first_jump = _jumps(track, is_gone)

    is_open = jumped >= 0
    is_open &= jumped > track.row - WINDOW
    lost_since = np.where(is_gone, since, track.time_at(first_jump))
    is_wanted = ~is_left & listed
    gap = np.where(is_below, track.begin - track.commit, 0)
    at_slots = observed.at_slots
    is_here = observed.is_observed & is_wanted
    return Losses(
        lost=Holding(
            at_slots(is_gone | is_open, False) & is_wanted,
            at_slots(lost_since, 0.0),
            at_slots(is_gone & is_least, False),
        ),
        below=np.where(is_wanted, at_slots(np.where(is_gone, gap, 0), 0), 0),
        skipped=np.where(is_here, at_slots(skipped, 0), 0),
        in_memory=np.where(is_wanted, at_slots(np.where(reads_on, gap, 0), 0), 0),
        passed=Holding(
            at_slots(is_below, False) & is_wanted,
            at_slots(since, 0.0),
            at_slots(is_least, False),
        ),
        skips=at_slots(is_open & track.is_owned, False) & is_wanted,
    )


def _nothing(shape: tuple[int, ...]) -> Losses:
    never = Holding.never(shape)
    none = np.zeros(shape, dtype=np.int64)
    return Losses(never, none, none, none, never, never.holds)


def _jumps(track: Track, is_gone: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return three arrays (O, P): records that readers jumped over; row number of the latest jump;
    row number of the first jump in the run of the latest jump. -1 if there was no jump.
    """
    shape = track.commit.shape
    skipped = np.zeros(shape, dtype=np.int64)
    crosses = np.zeros(shape, dtype=bool)
    known = (track.begin[1:] != UNKNOWN) & (track.row[1:] > track.first[1:])
    crosses[1:] = (
        known & (track.commit[:-1] < track.begin[1:]) & (track.commit[1:] >= track.begin[1:])
    )
    may_be = np.zeros(shape, dtype=bool)
    may_be[1:] = (
        crosses[1:]
        & track.is_owned[1:]
        & ~is_gone[:-1]
        & ~track.is_stuck[:-1]
        & (track.drained[:-1] <= track.row[1:] - 1 - WINDOW)
    )
    for row, tp in zip(*np.nonzero(may_be), strict=True):
        skipped[row, tp] = _skipped(track, crosses, int(row), int(tp))
    last = track.last_of(skipped > 0)
    return skipped, last, _first_of_run(track, skipped > 0, last)


def _skipped(track: Track, crosses: np.ndarray, row: int, tp: int) -> int:
    """Return how many deleted records the owner must have jumped over: the deleted records, minus
    the records that it could have read in one slot.
    """
    first = max(row - WINDOW, int(track.first[row, tp]))
    window = slice(first + 1, row)
    steps, time = track.steps[window, tp], np.diff(track.time[first:row, tp])
    # If a reader has just returned, its pace is not known yet.
    is_plain = ~crosses[window, tp] & (steps > 0) & (time > 0)
    if np.count_nonzero(is_plain) < _STEPS:
        return 0
    fastest = float((steps[is_plain] / time[is_plain]).max())
    passed = float(track.time[row, tp] - track.time[row - 1, tp])
    gone = int(track.begin[row, tp] - track.commit[row - 1, tp])
    return max(int(gone - fastest * passed), 0)


def _first_of_run(track: Track, jumps: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Return the row number of the first jump in the run that contains the jump `last`. In a run,
    each jump is at most a window after the previous jump.
    """
    first = np.full(jumps.shape, -1)
    for tp in np.flatnonzero(jumps.any(axis=0)).tolist():
        rows = np.flatnonzero(jumps[:, tp])
        starts = np.concatenate([[True], np.diff(rows) > WINDOW])
        begin = np.maximum.accumulate(np.where(starts, rows, -1))
        of_row = np.searchsorted(rows, last[:, tp])
        is_some = last[:, tp] >= 0
        first[is_some, tp] = begin[of_row[is_some]]
    return first
