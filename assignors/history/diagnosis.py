"""Diagnosis: what is wrong with a group, the worst first, from verdicts, ownership and rates; decided here, told by `data/words`."""

from enum import StrEnum
from typing import NamedTuple

import numpy as np

from assignors.assignment import UNASSIGNED
from assignors.group import GroupSnapshot
from assignors.group.snapshot import UNKNOWN
from assignors.history.changes.events import FLAPPING
from assignors.history.changes.verdicts import STALL, STOP
from assignors.history.now import Now
from assignors.history.series import Series

_FASTER = 1.1
"""Records that arrive so many times as fast as they are read are too many; less may be chance."""


class Illness(StrEnum):
    """What is wrong, the worst first."""

    UNREAD = "unread"
    NOT_READ = "not read"
    RESTARTS = "restarts"
    TOO_MUCH = "too much"
    IDLE = "idle"


class Diagnosis(NamedTuple):
    """`member`: its row, -1 for the group. `tps`: rows of partitions, the most lag first.

    `figure`: seconds without progress, at least so many where `is_least`; records that arrive / records that are read; members that are
    always idle. Of restarts none: the series has them.
    """

    illness: Illness
    member: int = -1
    tps: tuple[int, ...] = ()
    figure: float = 0.0
    is_least: bool = False


def diagnoses(found: Now) -> list[Diagnosis]:
    """Return what the history of a group says, as of the last slot of its series by lineage."""
    return [*_without_progress(found), *_restarts(found), *_too_much(found)]


def always_idle(group: GroupSnapshot) -> Diagnosis | None:
    """Return how many members can never have a partition: there are fewer partitions than members; None where there are enough."""
    idle = group.member_count - int(np.count_nonzero(group.in_play[group.tp_topic]))
    return Diagnosis(Illness.IDLE, figure=idle) if group.tp_count and idle > 0 else None


def _without_progress(found: Now) -> list[Diagnosis]:
    """Return partitions with lag that nobody reads, then those of each owner that does not read them."""
    series, behind = found.series, found.lag > 0
    unread = np.flatnonzero((found.verdict == STOP) & behind & (found.owner == UNASSIGNED))
    told = [_still(series, Illness.UNREAD, -1, unread, found.lag)] if unread.size else []
    for member in np.unique(found.owner[found.owner != UNASSIGNED]).tolist():
        tps = np.flatnonzero((found.verdict == STALL) & behind & (found.owner == member))
        if tps.size:
            told.append(_still(series, Illness.NOT_READ, member, tps, found.lag))
    return sorted(told, key=lambda one: (one.illness != Illness.UNREAD, -sum(found.lag[list(one.tps)].tolist())))


def _still(series: Series, illness: Illness, member: int, tps: np.ndarray, lag: np.ndarray) -> Diagnosis:
    """Return for how long none of these partitions has made progress."""
    tps = tps[np.argsort(-lag[tps], kind="stable")]
    committed = series.committed_offset[:, tps]
    known = committed != UNKNOWN
    # The last slot in which any of them had advanced; without one the series does not reach back far enough.
    moved = (np.diff(np.maximum.accumulate(np.where(known, committed, 0), axis=0), axis=0) > 0) & known[:-1]
    rows = np.flatnonzero(moved.any(axis=1))
    since = series.time[rows[-1] + 1] if rows.size else series.time[0]
    return Diagnosis(illness, member, tuple(tps.tolist()), float(series.time[-1] - since), not rows.size)


def _restarts(found: Now) -> list[Diagnosis]:
    return [Diagnosis(Illness.RESTARTS, one.member) for one in found.series.restarts if one.count >= FLAPPING]


def _too_much(found: Now) -> list[Diagnosis]:
    # What comes into partitions that nobody reads has another reason.
    known = ~np.isnan(found.in_rate) & ~np.isnan(found.out_rate) & found.series.is_listed[-1] & ~np.isin(found.verdict, (STALL, STOP))
    comes, reads = float(found.in_rate[known].sum()), float(found.out_rate[known].sum())
    is_behind = bool((found.lag[known] > 0).any())
    return [Diagnosis(Illness.TOO_MUCH, figure=comes / reads)] if is_behind and reads > 0 and comes >= reads * _FASTER else []
