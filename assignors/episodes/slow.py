"""Slow: the lag of a partition grows although its owner reads, by more records than arrive in one
slot.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from evenkeel.assignors.episodes.evidence import WINDOW
from evenkeel.assignors.episodes.progress import Holding
from evenkeel.assignors.episodes.track import Track
from evenkeel.assignors.group.snapshot import UNKNOWN

WIDTHS = (WINDOW, 4 * WINDOW)
"""Windows, in observations. The wide window also detects lag that grows slowly."""

_CHUNK = 100_000


class Slow:
    """The result of the rule at the observations, (O, P). `missing`: records/s that arrive and are
    not read.
    """

    def __init__(self, track: Track):
        shape = track.commit.shape
        self.holds = np.zeros(shape, dtype=bool)
        self.since = np.zeros(shape)
        self.missing = np.zeros(shape)
        behind = _behind(track)
        for width in WIDTHS:
            self._judge(track, behind, width)

    def _judge(self, track: Track, behind: np.ndarray, width: int) -> None:
        row, tp = np.nonzero(_may_be_slow(track, behind, width))
        for begin in range(0, row.size, _CHUNK):
            part = slice(begin, begin + _CHUNK)
            self._judge_cells(track, behind, width, row[part], tp[part])

    def _judge_cells(
        self, track: Track, behind: np.ndarray, width: int, row: np.ndarray, tp: np.ndarray
    ) -> None:
        rows = row + np.arange(1 - width, 1)[:, None]
        left, time = behind[rows, tp], track.time[rows, tp]
        end, commit = track.end[rows, tp], track.commit[rows, tp]
        half = width // 2
        grows = slope(time[half:], left[half:])
        in_rate = slope(time, end)
        slot = (time[-1] - time[0]) / (width - 1)
        growth = np.median(left[half:], axis=0) - np.median(left[:half], axis=0)
        # Excluded: partitions that were stuck for long, and partitions whose lag was highest long
        # ago and falls now.
        stood = track.is_stuck[rows, tp].sum(axis=0)
        since_most = np.argmax(left[::-1], axis=0)
        holds = (
            (grows > 0) & (growth > in_rate * slot) & (4 * stood < width) & (5 * since_most < width)
        )
        row, tp = row[holds], tp[holds]
        grown = (left[-1] - left.min(axis=0))[holds] / grows[holds]
        since = np.maximum(time[0][holds], time[-1][holds] - grown)

        # If the rule holds for both widths, the earlier start counts.
        is_new = ~self.holds[row, tp]
        self.since[row, tp] = np.where(is_new, since, np.minimum(since, self.since[row, tp]))
        missing = in_rate[holds] - slope(time[:, holds], commit[:, holds])
        self.missing[row, tp] = np.where(is_new, missing, self.missing[row, tp])
        self.holds[row, tp] = True

    def at_slots(self, track: Track) -> Holding:
        """Return the result of the rule at the slots."""
        at_slots = track.evidence.observed.at_slots
        is_listed = track.evidence.is_listed[:, None]
        holds = at_slots(self.holds, False) & is_listed & track.evidence.is_owned
        since = at_slots(self.since, 0.0)
        if not track.time.size:
            return Holding.never(holds.shape)
        return Holding(holds, since, holds & (since <= track.time[:1]))


def _behind(track: Track) -> np.ndarray:
    """Return the number of records that an owner could have read and did not read, (O, P). Not
    counted: records after the start of an open transaction, and records that arrived while the
    partition had no owner.
    """
    behind = track.end - track.commit
    evidence = track.evidence
    if (evidence.stable_end != UNKNOWN).any():
        readable = evidence.observed.of(evidence.stable_end) - track.commit
        # The commit of a reader of uncommitted records is past the last stable offset.
        behind = np.where(readable >= 0, np.minimum(behind, readable), behind)
    if not track.is_owned.all():
        is_away = ~track.is_owned[1:] | ~track.is_owned[:-1]
        grown = np.where(is_away, np.maximum(np.diff(behind, axis=0), 0), 0)
        behind[1:] -= np.cumsum(grown, axis=0)
    return behind


def _may_be_slow(track: Track, behind: np.ndarray, width: int) -> np.ndarray:
    """Return the observations that meet the conditions of the rule. The growth of the lag is not
    checked.
    """
    count, half = track.commit.shape[0], width // 2
    if count < width:
        return np.zeros(track.commit.shape, dtype=bool)
    row = track.row
    is_long = (track.seen >= width) & (track.drained <= row - width)
    is_moving = (track.advanced >= 0) & (4 * (row - track.advanced) < width)
    may_be = is_long & is_moving & track.is_owned & ~track.is_stuck & ~track.is_rewinding
    if not may_be.any():
        return may_be
    least, most = _extreme(behind, half, np.minimum), _extreme(behind, half, np.maximum)
    may_be[width - 1 :] &= least[half:] > most[:-half]
    return may_be


def _extreme(values: np.ndarray, width: int, pick: np.ufunc) -> np.ndarray:
    """Return the smallest or the largest value in each window of `width` observations, (O - width +
    1, P).
    """
    if width <= 2:
        return pick.reduce(sliding_window_view(values, width, axis=0), axis=-1)
    # A window of twice the length combines two windows. In the last step, the two windows overlap.
    result, length = values, 1
    while 2 * length <= width:
        result = pick(result[:-length], result[length:])
        length *= 2
    rest = width - length
    return pick(result[: result.shape[0] - rest], result[rest:]) if rest else result


def slope(time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the least-squares slopes along the first axis. 0 if all times are equal."""
    moments = time - time.mean(axis=0)
    spread = (moments**2).sum(axis=0)
    centred = values - values[0]
    product = (moments * (centred - centred.mean(axis=0))).sum(axis=0)
    return np.divide(product, spread, out=np.zeros(product.shape), where=spread > 0)
