"""Calm groups: those in which no rule can hold at any slot, found by few comparisons; most groups
of a cluster are.
"""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.assignors.episodes.hot import LEAST_PARTITIONS, may_be_hot
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot import UNKNOWN


def is_calm(evidence: Evidence) -> bool:
    """Return whether certainly no rule holds; the rule of an objective does not count."""
    series = evidence.series
    is_whole = series.slot_count > 1 and series.tp_count > 0 and not evidence.is_share
    return is_whole and _is_steady(series) and _keeps_up(series) and not _may_be_hot(series)


def _is_steady(series: Series) -> bool:
    """Return whether time passes, everything is known, and all members have partitions and keep
    them.
    """
    if np.diff(series.time).min() <= 0:
        return False
    offsets = (series.committed_offset, series.end_offset, series.lag)
    if min(int(each.min()) for each in offsets) <= UNKNOWN:
        return False
    owner = series.owner[0]
    if owner.min() == UNASSIGNED or (series.owner != owner).any() or not series.is_member.all():
        return False
    return bool(np.bincount(owner, minlength=len(series.member_id)).all())


def _keeps_up(series: Series) -> bool:
    """Return whether offsets only grow, no record is deleted unread, each partition advances at
    every slot or is read to its end, and what is left changes by less than one slot brings.
    """
    commit, end, begin = series.committed_offset, series.end_offset, series.begin_offset
    step, arrived = np.diff(commit, axis=0), np.diff(end, axis=0)
    if step.min() < 0 or arrived.min() < 0 or (begin[1:] < begin[:-1]).any():
        return False
    if (begin[0] > commit[0]).any() or (begin[1:] > commit[:-1]).any():
        return False
    if ((step == 0) & (series.lag[1:] > 0)).any():
        return False
    left = end - commit
    seconds = np.diff(series.time)
    least = np.min(arrived / seconds[:, None], axis=0) * seconds.min()
    return bool((left.max(axis=0) - left.min(axis=0) <= least).all())


def _may_be_hot(series: Series) -> bool:
    first = np.flatnonzero(np.diff(series.topic, prepend=-1))
    return any(
        may_be_hot(series.time, series.end_offset[:, begin:end])
        for begin, end in zip(first, [*first[1:], series.tp_count], strict=True)
        if end - begin >= LEAST_PARTITIONS
    )
