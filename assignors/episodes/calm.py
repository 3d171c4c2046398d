"""Calm groups: no rule applies to the group at any slot. Most groups are calm, and a few
comparisons are enough to find them.
"""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.assignors.episodes.hot import may_be_hot
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot import UNKNOWN


def is_calm(evidence: Evidence) -> bool:
    """Return whether certainly no rule applies. The rule for the lag objective is not checked."""
    series = evidence.series
    if evidence.is_share or not series.tp_count:
        return False
    of_tp, of_member = (np.zeros(size, int) for size in (series.tp_count, len(series.member_id)))
    return bool(calm_groups(series, of_tp, of_member, 1)[0])


def calm_groups(series: Series, of_tp: np.ndarray, of_member: np.ndarray, count: int) -> np.ndarray:
    """Return which groups of a series are certainly calm, bool (G,). Do not use the result for
    share groups.

    `of_tp`: the group of each partition, int64 (P,). `of_member`: the group of each member, int64
    (M,).
    """
    if series.slot_count < 2 or np.diff(series.time).min() <= 0:
        return np.zeros(count, dtype=bool)
    hot_topics = may_be_hot(series.time, series.end_offset, series.topic)
    tps = _is_steady(series) & _keeps_up(series) & ~hot_topics[series.topic]
    owner = series.owner[0]
    owns = np.bincount(owner[owner != UNASSIGNED], minlength=len(series.member_id)) > 0
    members = series.is_member.all(axis=0) & owns
    restless = np.bincount(of_tp[~tps], minlength=count)
    restless += np.bincount(of_member[~members], minlength=count)
    return restless == 0


def _is_steady(series: Series) -> np.ndarray:
    """Return whether each partition has the same owner at every slot, and its offsets and its lag
    are known at every slot.
    """
    owner = series.owner[0]
    result = (owner != UNASSIGNED) & (series.owner == owner).all(axis=0)
    for each in (series.committed_offset, series.end_offset, series.lag):
        result &= each.min(axis=0) > UNKNOWN
    return result


def _keeps_up(series: Series) -> np.ndarray:
    """Return whether each partition certainly keeps up.

    Its offsets never fall, and no unread record is deleted. At every slot, the commit has grown
    or there is no lag. The largest and the smallest lag differ by at most the records that arrive
    in one slot.
    """
    commit, end, begin = series.committed_offset, series.end_offset, series.begin_offset
    step, arrived = np.diff(commit, axis=0), np.diff(end, axis=0)
    result = (step.min(axis=0) >= 0) & (arrived.min(axis=0) >= 0) & (begin[0] <= commit[0])
    result &= ((begin[1:] >= begin[:-1]) & (begin[1:] <= commit[:-1])).all(axis=0)
    result &= ((step > 0) | (series.lag[1:] <= 0)).all(axis=0)
    left = end - commit
    seconds = np.diff(series.time)
    least = np.min(arrived / seconds[:, None], axis=0) * seconds.min()
    return result & (left.max(axis=0) - left.min(axis=0) <= least)
