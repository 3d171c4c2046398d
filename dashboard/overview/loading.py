"""Data of the page: the diagnosis, rates between two readings, and hours of lag."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.dashboard.best.best_plan import BestPlan
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.clusters import can_be_read, cluster_of, snapshot_of
from evenkeel.dashboard.shell.loading.episodes import past_now
from evenkeel.dashboard.shell.loading.marks import MarkLine, mark_lines
from evenkeel.dashboard.shell.loading.readings import OwnReadings, own_readings, readings
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.diagnosis.answer import Answer
from evenkeel.data.episodes.past import Outlook
from evenkeel.data.lake.history.history import History
from evenkeel.data.lake.history.instants import between
from evenkeel.data.marks.restarts import Restart, restarts
from evenkeel.data.prometheus.facts import source_words

HOURS = 6
MOST_CELLS = 2_000_000
"""Limit of partitions times readings. Above it, the page draws no hours of lag."""

_LEAST_READINGS = 4


@dataclass(frozen=True, eq=False)
class Rates:
    """Records/s between two readings, float64 (P,), NaN if unknown."""

    seconds: float
    read: np.ndarray
    arrived: np.ndarray


@dataclass(frozen=True, eq=False)
class Hours:
    """Lag of the last hours, NaN if unknown. `time`: seconds since 1970. `lag`: records of the
    group. `subject`: records of the headline's partitions.

    `stored`: records that brokers still store in the headline's partitions, None if one of these
    partitions has lost no record. `rebalances`: time of each reading with a larger generation than
    before, and the increase. `restarts`: restarts of all members. `of_store`: moment of the last
    reading from a metrics store.
    """

    time: np.ndarray
    lag: np.ndarray
    subject: np.ndarray
    stored: int | None = None
    rebalances: tuple[tuple[float, int], ...] = ()
    restarts: Sequence[Restart] = ()
    of_store: float | None = None


class Sources(NamedTuple):
    """Sources of the open reading and of earlier readings, in words. Empty if no reading is from a
    metrics store.

    `is_derived`: whether the store's committed or end offsets are computed from lags.
    """

    now: str = ""
    past: str = ""
    is_derived: bool = False


@dataclass(frozen=True, eq=False)
class Overview:
    """A diagnosed group, with its rates and the lag of its last hours. Rates and lag are None if
    unknown.

    `uploaded`: number of readings of an upload, None for other groups. `apart`: seconds from the
    first to the last reading, None if a reading has only an upload time. `is_live`: whether the
    cluster can be read again. `outlook`: time until unread records are deleted. `best`: best plan
    of an uneven group, None if the group is too large for a page.
    """

    answer: Answer
    uploaded: int | None = None
    is_live: bool = False
    hours: Hours | None = None
    outlook: Outlook | None = None
    marks: Sequence[MarkLine] = ()
    sources: Sources = Sources()
    apart: float | None = None
    best: BestPlan | None = None

    @cached_property
    def lag(self) -> np.ndarray:
        """Lag of each partition, int64 (P,), 0 if unknown."""
        return self.answer.case.known

    @cached_property
    def owner(self) -> np.ndarray:
        """Row number of each partition's owner, int32 (P,). `UNASSIGNED` for all partitions if
        owners are unknown.
        """
        case = self.answer.case
        none = case.group.unowned()
        return none if case.owner is None else case.owner

    @cached_property
    def is_subject(self) -> np.ndarray:
        """Whether the headline is about a partition, bool (P,).

        If the headline names no partitions, it is about all partitions of the members that the
        headline names.
        """
        return is_subject(self.answer)

    @cached_property
    def member_lag(self) -> np.ndarray:
        """Lag of each member, int64 (M,)."""
        lag = np.zeros(self.answer.case.member_count, dtype=np.int64)
        held = self.owner != UNASSIGNED
        np.add.at(lag, self.owner[held], self.lag[held])
        return lag

    @property
    def share(self) -> float:
        """Mean lag of the group's members. The headline's sentence uses this mean."""
        mean = self.answer.headline.figures.get("mean")
        return float(self.member_lag.mean() if mean is None else mean)

    @cached_property
    def rates(self) -> Rates | None:
        """Rates between two readings. None if there is no earlier reading."""
        earlier, group = self.answer.case.earlier, self.answer.case.group
        if earlier is None:
            return None
        read = _rate(earlier.committed, group.committed_offset, earlier.seconds)
        return Rates(earlier.seconds, read, _rate(earlier.end, group.end_offset, earlier.seconds))


def is_subject(answer: Answer) -> np.ndarray:
    """Return `Overview.is_subject` of an answer, bool (P,)."""
    headline, owner = answer.headline, answer.case.owner
    if not headline.tps and owner is not None and headline.members:
        return np.isin(owner, headline.members)
    named = np.zeros(answer.case.group.tp_count, dtype=bool)
    named[list(headline.tps)] = True
    return named


def _rate(before: np.ndarray, now: np.ndarray, seconds: float) -> np.ndarray:
    is_known = (before != UNKNOWN) & (now != UNKNOWN) & (now >= before)
    return np.where(is_known, (now - before) / seconds, np.nan)


def overview(group: OpenGroup, answer: Answer, best: BestPlan | None = None) -> Overview:
    """Return the data of the page for a diagnosed group. `best`: as in `Overview`.

    Raises
    ------
    SnapshotError
        If the batch was deleted, or the group is too large.
    """
    own = own_readings(group)
    observed = answer.observed
    near = past_now(group, observed.taken_at, observed.snapshot.tp_count)
    hours = _hours(group, answer)
    marks = mark_lines(group, hours.restarts, *hours.time[[0, -1]].tolist()) if hours else []
    return Overview(
        answer,
        own and len(own.times),
        live_cluster(group) is not None,
        hours,
        near.past and near.past.outlook,
        marks,
        _sources(group, near.source),
        _apart(own) if own else None,
        best,
    )


def _apart(own: OwnReadings) -> float | None:
    if own.uploaded_at:
        return None
    return (own.times[-1] - own.times[0]).total_seconds()


def _sources(group: OpenGroup, past: str) -> Sources:
    if group.batch is None or cluster_of(group) is None:
        return Sources()
    now = source_words(snapshot_of(group.batch).formats, None)
    if not now and not past:
        return Sources()
    facts, past = readings(group).below.facts, past or now
    return Sources(past if now else "from the brokers", past, bool(facts and facts.derived))


def live_cluster(group: OpenGroup) -> str | None:
    """Return the cluster of a group. None if the cluster cannot be read again."""
    cluster = cluster_of(group) if group.batch else None
    return cluster if can_be_read(cluster) else None


def _hours(group: OpenGroup, answer: Answer) -> Hours | None:
    name = group.group_id
    if not group.batch or name is None:
        return None
    whole = readings(group)
    time = whole.found.axis.time
    since = time[-1] - HOURS * 3600 if time.size else 0.0
    size = int(np.count_nonzero(time >= since))
    if size < _LEAST_READINGS or size * answer.case.group.tp_count > MOST_CELLS:
        return None
    key = (_hours, group, answer.code, float(time[-1]))
    last = between(whole.found, since, float(time[-1]))
    return ALL.get(key, lambda: _hours_of(whole.history(name, last), answer))


def _hours_of(history: History, answer: Answer) -> Hours:
    group, series = answer.case.group, history.series
    subject = np.flatnonzero(is_subject(answer))
    topic_row = {name: row for row, name in enumerate(group.topic_name)}
    topics = [topic_row.get(series.topic_name[topic], -1) for topic in series.topic.tolist()]
    places = (group.tp_topic[subject], group.tp_partition[subject])
    named = set(zip(*(column.tolist() for column in places), strict=True))
    is_of_subject = np.array(
        [pair in named for pair in zip(topics, series.partition.tolist(), strict=True)], dtype=bool
    )
    lag = np.where(series.lag == UNKNOWN_LAG, 0, series.lag)
    is_known = (series.lag != UNKNOWN_LAG).any(axis=1)
    whole, part = (
        np.where(is_known, some.sum(axis=1), np.nan) for some in (lag, lag[:, is_of_subject])
    )
    stored = _kept(group, subject)
    of_store = None if series.has_owners is None else series.time[~series.has_owners]
    last = float(of_store[-1]) if of_store is not None and of_store.size else None
    return Hours(
        series.time, whole, part, stored, series.growth, restarts(series, history.identity), last
    )


def _kept(group: GroupSnapshot, tps: np.ndarray) -> int | None:
    """Return the number of records that brokers still store in these partitions. None if a
    partition has lost no record yet.
    """
    begin, end = group.begin_offset[tps], group.end_offset[tps]
    if not tps.size or (begin <= 0).any() or (end == UNKNOWN).any():
        return None
    return int((end - begin).sum())
