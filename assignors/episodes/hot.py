"""Hot partitions: far more records arrive in a hot partition than in other partitions of the
topic.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from evenkeel.assignors.episodes.evidence import WINDOW, Evidence
from evenkeel.assignors.episodes.progress import Holding
from evenkeel.assignors.group.snapshot import UNKNOWN

_TIMES = 3.0
_LEAST_RATE = 1.0
LEAST_PARTITIONS = 3


def hot(evidence: Evidence) -> tuple[Holding, np.ndarray, np.ndarray]:
    """Return three arrays (S, P): the result of the rule, the incoming rate in each window, and
    this rate divided by the median of the topic.
    """
    series = evidence.series
    shape = series.end_offset.shape
    holding = Holding.never(shape)
    rate, times = np.zeros(shape), np.zeros(shape)
    sizes = np.bincount(series.topic, minlength=1)
    if shape[0] < WINDOW or sizes.max() < LEAST_PARTITIONS:
        return holding, rate, times
    end, first_known = _filled(series.end_offset)
    is_whole = not first_known.any() and not series.restarted.any()
    is_asked = sizes >= LEAST_PARTITIONS
    if is_whole:
        is_asked &= may_be_hot(series.time, end, series.topic)
    chosen = [np.flatnonzero(series.topic == row) for row in np.flatnonzero(is_asked).tolist()]
    if not chosen:
        return holding, rate, times
    is_long = (
        np.arange(shape[0])[:, None] - np.maximum(series.first_slot, first_known) >= WINDOW - 1
    )
    has_owner = np.any(evidence.is_owned, axis=1)
    for tps in chosen:
        rate[:, tps] = _window_slopes(series.time, end[:, tps])
        of_topic = np.where(is_long[:, tps], rate[:, tps], 0.0)
        median = np.median(of_topic, axis=1)[:, None]
        times[:, tps] = of_topic / np.where(median > 0, median, np.nan)
        is_hot = (of_topic > _TIMES * median) & (of_topic >= _LEAST_RATE)
        holding.holds[:, tps] = is_hot & has_owner[:, None]
        _begin(holding, series.time, end, tps)
    return holding, rate, times


def may_be_hot(time: np.ndarray, end: np.ndarray, topic: np.ndarray) -> np.ndarray:
    """Return whether each topic may have a hot partition, bool (T,). `topic`: topic of each
    partition, int32 (P,), ascending.

    The test uses the rates of single slots: the rate of a window is never above the highest rate
    of a slot, or below the lowest.
    """
    size = np.bincount(topic)
    is_large = size >= LEAST_PARTITIONS
    seconds = time[1:, None] - time[:-1, None]
    if seconds.min() <= 0:
        return is_large
    rate = (end[1:] - end[:-1]) / seconds
    least, first = rate.min(axis=0), np.cumsum(size) - size
    most = np.maximum.reduceat(rate.max(axis=0), first)
    # The lower of two middle values is at most the median, and needs no slow np.median.
    middle = least[np.lexsort((least, topic))][first + (size - 1) // 2]
    return is_large & (most >= _LEAST_RATE) & (most > _TIMES * middle)


def _filled(end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the end offsets and, for each partition, the first slot with a known end offset. An
    unknown offset is replaced by the last known offset before it.
    """
    known = end != UNKNOWN
    if known.all():
        return end, np.zeros(end.shape[1], dtype=np.int64)
    first = np.argmax(known, axis=0)
    rows = np.where(known, np.arange(end.shape[0])[:, None], first)
    last = np.maximum.accumulate(rows, axis=0)
    return np.take_along_axis(end, last, axis=0), first


def _window_slopes(time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the least-squares slope of each window, (S, P). 0 for slots before the end of the
    first window.
    """
    moments = sliding_window_view(time, WINDOW)
    moments = moments - moments.mean(axis=1, keepdims=True)
    spread = (moments**2).sum(axis=1)
    weights = moments / np.where(spread > 0, spread, 1)[:, None]
    count = time.size - WINDOW + 1
    result = np.zeros(values.shape)
    # The weights sum to 0, so the growth since the window's first row has the same slope as the
    # values.
    for place in range(1, WINDOW):
        grown = values[place : place + count] - values[:count]
        result[WINDOW - 1 :] += weights[:, place, None] * grown
    return result


def _begin(holding: Holding, time: np.ndarray, end: np.ndarray, tps: np.ndarray) -> None:
    """Set `since` to the first slot from which the rates of single slots fit the rule too, with at
    most one exception.
    """
    holds = holding.holds[:, tps]
    begins = holds & ~np.concatenate([np.zeros((1, tps.size), bool), holds[:-1]])
    if not begins.any():
        return
    step = np.diff(time)[:, None]
    rate = np.diff(end[:, tps], axis=0) / np.where(step > 0, step, 1)
    median = np.median(rate, axis=1)[:, None]
    fits = (rate > _TIMES * median) & (rate >= _LEAST_RATE)
    for row, column in zip(*np.nonzero(begins), strict=True):
        # The rate in row k belongs to slot k + 1.
        misfits = np.flatnonzero(~fits[:row, column])
        first = misfits[-2] + 1 if misfits.size > 1 else 0
        while first < row and not fits[first, column]:
            first += 1
        last = row + int(np.argmin(np.append(holds[row:, column], False)))
        holding.since[row:last, tps[column]] = time[first]
        holding.is_least[row:last, tps[column]] = first == 0
