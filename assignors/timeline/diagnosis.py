"""Diagnosis: what is wrong with a group, the worst first, from verdicts, ownership and rates;
decided here, told by `data/text`.
"""

from enum import StrEnum
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.protocol import SHARE
from evenkeel.assignors.timeline.now import Now
from evenkeel.assignors.timeline.ownership import held_since
from evenkeel.assignors.timeline.series import Restarts, Series
from evenkeel.assignors.timeline.speed import WINDOW
from evenkeel.assignors.timeline.stuck import PATIENCE_SECONDS
from evenkeel.assignors.timeline.verdicts import STALL, STOP

_FASTER = 1.1
"""Records that arrive so many times as fast as they are read are too many; less may be chance."""


class Illness(StrEnum):
    """What is wrong, the worst first."""

    UNREAD = "unread"
    STUCK = "stuck"
    NOT_READ = "not read"
    NOT_YET_READ = "not yet read"
    RESTARTS = "restarts"
    TOO_MUCH = "too much"
    IDLE = "idle"


class Diagnosis(NamedTuple):
    """`member`: its row, -1 for the group. `tps`: rows of partitions, the most lag first.

    `figure`: seconds without progress, of `NOT_READ` those under this owner, at least so many where
    `is_least`; records that arrive / records that are read; members that are always idle. `held`:
    of `NOT_YET_READ`, for how many seconds at most the owner has them. `restarts`: a run of each
    consumer that leaves and comes back. `since`: the slot, seconds since 1970, from which on it is
    known. `is_of_verdict`: `figure` is the age of the group's verdict, over all owners, as older
    slots told it.
    """

    illness: Illness
    member: int = -1
    tps: tuple[int, ...] = ()
    figure: float = 0.0
    is_least: bool = False
    held: float = np.nan
    restarts: tuple[Restarts, ...] = ()
    since: float = np.nan
    is_of_verdict: bool = False


class VerdictAge(NamedTuple):
    """Since when a group has its verdict, seconds since 1970, and whether it may be older."""

    since: float
    is_least: bool


def diagnoses(
    found: Now | None,
    group: GroupSnapshot | None = None,
    group_type: str | None = None,
    age: VerdictAge | None = None,
) -> list[Diagnosis]:
    """Return what is wrong with a group, the worst first.

    Parameters
    ----------
    found : Now or None
        Its history, by lineage; what is said is as of the last slot.
    group : GroupSnapshot or None
        As it was then.
    group_type : str or None
        Members of a `share` group have partitions in common, so none of them is idle for want of
        one.
    age : VerdictAge or None
        Of the verdict, where it is known from slots before the history.
    """
    of_history = (
        []
        if found is None
        else [*_without_progress(found, age), *_restarts(found), *_too_much(found)]
    )
    return of_history + ([] if group is None or group_type == SHARE else _always_idle(group))


def _without_progress(found: Now, age: VerdictAge | None) -> list[Diagnosis]:
    """Return partitions with lag that nobody reads, then those of each owner that does not read
    them.
    """
    series, behind = found.series, found.lag > 0
    unread = np.flatnonzero((found.verdict == STOP) & behind & (found.owner == UNASSIGNED))
    told = [_still(series, Illness.UNREAD, -1, unread, found.lag)] if unread.size else []
    stuck = np.flatnonzero(found.is_stuck & behind)
    told += [_still(series, Illness.STUCK, -1, stuck, found.lag)] if stuck.size else []
    for member in np.unique(found.owner[found.owner != UNASSIGNED]).tolist():
        tps = np.flatnonzero((found.verdict == STALL) & behind & (found.owner == member))
        if tps.size:
            told += _of_owner(series, member, tps, found.lag)
    told = [
        _as_old_as_the_verdict(one, found, age) if age and one.is_least else one for one in told
    ]
    return sorted(
        told,
        key=lambda one: (one.illness != Illness.UNREAD, -sum(found.lag[list(one.tps)].tolist())),
    )


def _as_old_as_the_verdict(told: Diagnosis, found: Now, age: VerdictAge) -> Diagnosis:
    """Return it with the age of the group's verdict, where no other partition gives the group this
    verdict and the history is shorter.
    """
    grave = found.tps[found.verdict[found.tps] == found.lasting_verdict]
    if age.since >= told.since or sorted(told.tps) != grave.tolist():
        return told
    figure = float(found.series.time[-1]) - age.since
    return told._replace(figure=figure, is_least=age.is_least, since=age.since, is_of_verdict=True)


def _of_owner(series: Series, member: int, tps: np.ndarray, lag: np.ndarray) -> list[Diagnosis]:
    """Return which of its partitions an owner does not read, and which it has had for less than a
    window, so that this is unknown.
    """
    last = series.slot_count - 1
    since = held_since(series.owner[:, tps], np.full(tps.size, last), WINDOW)
    # What changes between two slots may have changed just after the first.
    held = series.time[last] - series.time[np.maximum(since - 1, 0)]
    is_new = (
        (since > 0)
        & (last - since + 1 < WINDOW)
        & (series.time[last] - series.time[since] < PATIENCE_SECONDS)
    )
    found = (
        [_still(series, Illness.NOT_READ, member, tps[~is_new], lag, since[~is_new])]
        if not is_new.all()
        else []
    )
    if not is_new.any():
        return found
    new = _still(series, Illness.NOT_YET_READ, member, tps[is_new], lag)
    return [*found, new._replace(held=float(held[is_new].max()))]


def _still(
    series: Series,
    illness: Illness,
    member: int,
    tps: np.ndarray,
    lag: np.ndarray,
    owned_since: np.ndarray | None = None,
) -> Diagnosis:
    """Return for how long none of these partitions has made progress; where it counts under their
    owner alone, from `owned_since` on.
    """
    tps = tps[np.argsort(-lag[tps], kind="stable")]
    committed = series.committed_offset[:, tps]
    known = committed != UNKNOWN
    # The last slot in which any of them had advanced; without one the series does not reach back
    # far enough.
    moved = (
        np.diff(np.maximum.accumulate(np.where(known, committed, 0), axis=0), axis=0) > 0
    ) & known[:-1]
    rows = np.flatnonzero(moved.any(axis=1))
    first = max(
        rows[-1] + 1 if rows.size else 0, 0 if owned_since is None else int(owned_since.max())
    )
    since = float(series.time[first])
    return Diagnosis(
        illness, member, tuple(tps.tolist()), float(series.time[-1]) - since, not first, since=since
    )


def _restarts(found: Now) -> list[Diagnosis]:
    """Return the runs that go on: consumers that restart at the same time have one cause."""
    until = float(found.series.time[-1])
    runs = tuple(one for one in found.series.restarts if one.is_unstable and not one.is_over(until))
    return (
        [Diagnosis(Illness.RESTARTS, restarts=runs, since=min(one.times[0] for one in runs))]
        if runs
        else []
    )


def _too_much(found: Now) -> list[Diagnosis]:
    # What comes into partitions that nobody reads has another reason.
    known = (
        ~np.isnan(found.in_rate)
        & ~np.isnan(found.out_rate)
        & found.series.is_listed[-1]
        & (found.verdict < STALL)
    )
    comes, reads = float(found.in_rate[known].sum()), float(found.out_rate[known].sum())
    if not (found.lag[known] > 0).any() or reads <= 0 or comes < reads * _FASTER:
        return []
    series = found.series
    since = series.time[series.slot > series.slot[-1] - WINDOW][0]
    return [Diagnosis(Illness.TOO_MUCH, figure=comes / reads, since=float(since))]


def _always_idle(group: GroupSnapshot) -> list[Diagnosis]:
    """Return how many members can never have a partition, where there are fewer partitions than
    members.
    """
    idle = group.member_count - int(np.count_nonzero(group.in_play[group.tp_topic]))
    return [Diagnosis(Illness.IDLE, figure=idle)] if group.tp_count and idle > 0 else []
