"""The past of a group: its open findings, and the time at which Kafka deletes unread records."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.assignors.diagnosis.reading import LEAST_SECONDS, PATIENCE_SECONDS
from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.assignors.episodes.forecast import age
from evenkeel.assignors.episodes.judgement import Judgement
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes.answer import Finding, GroupFindings
from evenkeel.data.episodes.recent_slots import recent_slots
from evenkeel.data.episodes.stored import StoredSnapshots
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.history.instants import LENGTH, Instants, between, part_of
from evenkeel.data.lake.history.recent import last_of
from evenkeel.data.lake.place import Place
from evenkeel.data.rebalances.store import avoidable_in_lake

_SLOTS = 120
"""Slots to read: three times the widest window of a rule."""

_LEAST_SLOTS = 3
_MOST_CELLS = 2_000_000
"""Most partitions times slots of one group; for a larger group fewer slots are read."""

_MOST_WHOLE_DAYS = 10
"""Most groups with findings for which a whole day is read, the worst first."""

_MOST_GUESSED = 10
"""Most other groups for which a whole day is read, because their oldest unread record is older than
the recent slots.
"""

_REBALANCE = (Code.UNSTABLE, Code.BURSTS)
"""Findings that a setting may remedy."""

_LATE_SECONDS = 60.0
"""A group is not late if its oldest unread record is younger."""

_HOURS = 6
_DRAWN_SLOTS = 49

_OLD_SECONDS = 180.0
_OLD_SLOTS = 5


class Outlook(NamedTuple):
    """The time at which the next unread record of a group is deleted.

    Times are in seconds since 1970; None is unknown. `expected`: the time, predicted from past
    begin offsets. `not_before`: the earliest time by topic settings. `is_safe`: members make
    progress, and the oldest unread record is younger than the retention. `kept`: the shortest
    retention of topics with lag, in seconds. `behind`: the age of the oldest unread record, in
    seconds. `method`: how `behind` was measured. `unknown_count`: partitions whose oldest unread
    record has an unknown age. `is_losing`: some unread records are already deleted.
    """

    expected: float | None = None
    not_before: float | None = None
    is_safe: bool = False
    kept: float | None = None
    behind: float | None = None
    is_losing: bool = False
    method: str | None = None
    unknown_count: int = 0

    @property
    def is_guess(self) -> bool:
        """Whether the oldest unread record is older than the first slot."""
        return self.method == "extrapolated"


class GroupPast(NamedTuple):
    """The open findings of a group at its last reading, and its outlook.

    `avoidable`: sentences about settings that would have prevented rebalances of the last day.
    """

    findings: tuple[Finding, ...]
    outlook: Outlook = Outlook()
    avoidable: tuple[str, ...] = ()

    @property
    def tells(self) -> bool:
        """Whether a diagnosis needs the past: the group has findings or old unread records."""
        return bool(self.findings) or (self.outlook.behind or 0.0) > _LATE_SECONDS

    @property
    def begins_earlier(self) -> bool:
        """Whether a finding began before the examined slots."""
        return any(each.is_shown and each.episode.is_least for each in self.findings)


def cluster_pasts(
    lake: Place, cluster: str, slots: Instants, groups: Sequence[str] = ()
) -> dict[str, GroupPast]:
    """Return each group's past; `groups` may limit this to some groups.

    A past covers the most recent slots. For a few groups with the worst findings it covers a day.

    Raises
    ------
    SnapshotError
        If the lake cannot be read, or no group is named and the lake has no groups.
    """
    near = last_of(slots, _SLOTS)
    if groups:
        every = _pasts(lake, cluster, near, groups)
    else:
        every = _pasts_of(recent_slots(lake, cluster).evidence_of(near), cluster)
    if not every and not groups:
        raise SnapshotError(f"{lake}: the last slots of {cluster} have no group")
    ill = sorted(
        (name for name, past in every.items() if past.findings),
        key=lambda name: (-max(each.episode.severity for each in every[name].findings), name),
    )[:_MOST_WHOLE_DAYS]
    guessed = [name for name in every if every[name].outlook.is_guess and name not in ill]
    whole = [*ill, *guessed[:_MOST_GUESSED]]
    return every | (_pasts(lake, cluster, _last_day(slots), whole) if whole else {})


def group_past(
    lake: Place, cluster: str | None, slots: Instants, group: str, partitions: int
) -> GroupPast | None:
    """Return the past of one group.

    The past covers the most recent slots. If these slots have findings, or if the oldest unread
    record is older than these slots, the past covers the last day. If a finding began before this
    day, the past covers all slots.
    """
    most = _MOST_CELLS // max(partitions, 1)
    near = _pasts(lake, cluster, last_of(slots, min(_SLOTS, most)), [group]).get(group)
    if near is None or not (near.findings or near.outlook.is_guess):
        return near
    day = last_of(_last_day(slots), most)
    past = _pasts(lake, cluster, day, [group]).get(group)
    every = last_of(slots, most)
    if past is None or not past.begins_earlier or len(every.batches) == len(day.batches):
        return past
    return _pasts(lake, cluster, every, [group]).get(group)


def _last_day(slots: Instants) -> Instants:
    last = float(slots.axis.time[-1])
    return between(slots, last - LENGTH.total_seconds(), last)


def behind_over(
    lake: Place, cluster: str, slots: Instants, groups: Sequence[str]
) -> dict[str, list[float | None]]:
    """Return the ages in seconds of each group's oldest unread record, over the last six hours.

    The function uses a few slots, spread evenly over the six hours; None is an unknown age.
    """
    last = float(slots.axis.time[-1])
    hours = between(slots, last - _HOURS * 3600, last)
    rows = np.unique(np.linspace(0, hours.axis.time.size - 1, _DRAWN_SLOTS).round().astype(int))
    part = part_of(hours, rows)
    every = StoredSnapshots(lake, cluster, part).evidence_of(groups)
    return {group: _ages(evidence) for group, evidence in every}


def _ages(evidence: Evidence) -> list[float | None]:
    lag = evidence.series.lag
    ages = np.where(lag == 0, 0.0, age(evidence, lag > 0).seconds)
    is_known = ~np.isnan(ages)
    most = np.where(is_known, ages, 0.0).max(axis=1, initial=0.0)
    return [
        second if known else None
        for second, known in zip(most.tolist(), is_known.any(axis=1).tolist(), strict=True)
    ]


def near(slots: Instants, until: float) -> Instants | None:
    """Return the slots until a time; None if there are too few, or the last slot is too old."""
    before = between(slots, -np.inf, until)
    time = before.axis.time
    if time.size < _LEAST_SLOTS:
        return None
    old = max(_OLD_SECONDS, _OLD_SLOTS * float(np.median(np.diff(time))))
    return None if until - time[-1] > old else before


def slot_before(slots: Instants, until: float) -> str | None:
    """Return the batch of the slot to compare with a reading; None if all slots are too new."""
    time = slots.axis.time
    early = np.flatnonzero(time <= until - PATIENCE_SECONDS)
    place = int(early[-1]) if early.size else 0
    return slots.axis.batch[place] if until - time[place] >= LEAST_SECONDS else None


def _pasts(
    lake: Place, cluster: str | None, slots: Instants, groups: Sequence[str]
) -> dict[str, GroupPast]:
    every = _pasts_of(StoredSnapshots(lake, cluster, slots).evidence_of(groups), cluster)
    until = float(slots.axis.time[-1])
    day = until - LENGTH.total_seconds(), until
    return {
        name: past._replace(avoidable=avoidable_in_lake(lake, cluster, name, *day))
        if any(each.code in _REBALANCE for each in past.findings)
        else past
        for name, past in every.items()
    }


def _pasts_of(every: Iterable[tuple[str, Evidence]], cluster: str | None) -> dict[str, GroupPast]:
    settings = configuration().findings
    return {
        group: _past_of(evidence, group, settings, cluster)
        for group, evidence in every
        if evidence.series.slot_count
    }


def _past_of(
    evidence: Evidence, group: str, settings: FindingSettings, cluster: str | None
) -> GroupPast:
    findings = GroupFindings(evidence, group, settings, cluster)
    is_open = tuple(each for each in findings.until(settings) if each.is_open)
    outlook = _outlook(evidence, findings.judged.judgement)
    is_losing = any(each.code == Code.LOST for each in is_open)
    return GroupPast(is_open, outlook._replace(is_losing=is_losing))


def _outlook(evidence: Evidence, judgement: Judgement | None) -> Outlook:
    series = evidence.series
    is_behind = series.lag[-1] > 0
    if not is_behind.any():
        return Outlook()
    of_age = _of_age(evidence, is_behind)
    behind = of_age.behind
    retention, is_whole = _least_retention(evidence, np.unique(series.topic[is_behind]).tolist())
    causes = [] if judgement is None else judgement.causes.values()
    if judgement is not None and any(holding.holds[-1].any() for holding in causes):
        forecast = judgement.forecast
        moments = (forecast.expected[-1], forecast.not_before[-1])
        expected, not_before = (_extreme(each, np.nanmin) for each in moments)
        return of_age._replace(expected=expected, not_before=not_before, kept=retention)
    is_safe = is_whole and behind is not None and (retention is None or behind < retention)
    return of_age._replace(is_safe=is_safe, kept=retention)


def _of_age(evidence: Evidence, is_behind: np.ndarray) -> Outlook:
    """Return the age of the oldest unread record, its method, and how many ages are unknown."""
    series = evidence.series
    is_latest = np.zeros(series.lag.shape, dtype=bool)
    is_latest[-1] = is_behind
    ages = age(evidence, is_latest)
    seconds = ages.seconds[-1]
    is_unknown = (series.lag[-1] == UNKNOWN_LAG) & series.is_listed[-1]
    unknown_count = int(np.count_nonzero(np.isnan(seconds) & is_behind | is_unknown))
    if np.isnan(seconds).all():
        return Outlook(unknown_count=unknown_count)
    oldest = int(np.nanargmax(seconds))
    method = ages.method_of(-1, oldest)
    return Outlook(behind=float(seconds[oldest]), method=method, unknown_count=unknown_count)


def _least_retention(evidence: Evidence, topics: list[int]) -> tuple[float | None, bool]:
    """Return the shortest retention of `topics` in seconds, None if no topic has one.

    The second value is False if settings are unknown, or if a topic deletes records by size.
    """
    settings = [evidence.retention[topic] for topic in topics]
    known = [each for each in settings if each is not None]
    times = [each.retention_seconds for each in known if each.deletes]
    is_whole = len(known) == len(settings) and not any(
        each.deletes and each.retention_bytes >= 0 for each in known
    )
    return min((time for time in times if time >= 0), default=None), is_whole


def _extreme(values: np.ndarray, pick: Callable[[np.ndarray], float]) -> float | None:
    return None if np.isnan(values).all() else float(pick(values))
