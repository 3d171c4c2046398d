"""The data of the Timeline: a group's figures, lines and events over time, without the tables from
which Evenkeel computes them.
"""

import threading
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors.group.lag import total_lag
from evenkeel.assignors.group.series import UNKNOWN_SECONDS, Series
from evenkeel.assignors.timeline.draws import Draws, draws_of
from evenkeel.assignors.timeline.forecast import Forecast, forecast
from evenkeel.assignors.timeline.now import Now, now
from evenkeel.assignors.timeline.ownership import (
    Burst,
    UnownedTime,
    bursts,
    may_be_more,
    rebalances,
    unowned,
)
from evenkeel.assignors.timeline.pictures.member_lags import MemberLags, member_lags
from evenkeel.assignors.timeline.pictures.owners import OwnerRows, owner_rows
from evenkeel.assignors.timeline.pictures.topics import TopicRows, topic_rows
from evenkeel.assignors.timeline.replay import Regret, stalled_at_peak
from evenkeel.assignors.timeline.time_lag import HighestTimeLag, highest_time_lag
from evenkeel.assignors.timeline.verdicts import Verdicts, verdicts
from evenkeel.dashboard.shell.cache import ALL, missing
from evenkeel.dashboard.shell.loading.readings import Readings, readings
from evenkeel.dashboard.shell.loading.views import begun
from evenkeel.dashboard.timeline.words import TimelineEvent, timeline_events
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.lake.history.history import History
from evenkeel.data.lake.history.instants import Instants, between, with_lead
from evenkeel.data.marks.restarts import Restart, restarts
from evenkeel.data.prometheus.facts import PastFacts, facts_of_copy
from evenkeel.data.rebalances.store import told_in_lake
from evenkeel.data.scenarios.drains import Drains, GroupDrain
from evenkeel.data.scenarios.stored_groups import group_at
from evenkeel.data.text.names import names_in
from evenkeel.data.timeline import regret as regrets
from evenkeel.data.timeline.regret import Sample, sampled

REPLAYED_CELLS = 200_000
"""Limit of slots × partitions in a replay with other assignors. With up to 800 partitions all 240
slots of a figure are replayed, with more partitions fewer slots.
"""


class OwnerNames(NamedTuple):
    """The owners over time. `rows`: owners of each partition named in `partitions`. `topics`:
    owners of the other partitions, one row for each topic.
    """

    rows: OwnerRows
    partitions: tuple[str, ...]
    topics: TopicRows


class PastShown(NamedTuple):
    """The readings of the range that are from a metrics store. `facts`: about the store. `first`,
    `last`: time of the first and last such reading. `owners_since`: first time with known owners,
    NaN if there is none.
    """

    facts: PastFacts
    first: float
    last: float
    owners_since: float


class Timeline(NamedTuple):
    """The data of the Timeline: a group from `since` to `until`, in seconds since 1970.

    `listed_since`: time of the first reading that contains the group. `seen_until`: time of the
    last reading that contains the group; all figures are from this reading. `gone_count`: number of
    readings after `seen_until`. `observed`: the group at `seen_until`.

    `names`: names of the members in `lags`. `owner_names`: names of all members. `owned`: owners of
    a few partitions; a second entry has owners of more partitions, if there are more.

    `lag_change`: records/s over the last `change_seconds`, NaN if unknown. `seconds`: the largest
    time lag, `UNKNOWN_SECONDS` if unknown. `method`: how `seconds` was computed.
    `unknown_seconds_count`: number of partitions with unknown time lag. `highest_at`: time of the
    highest time lag in the range.

    `drain`: None if the owners are unknown. `ahead`: the forecast, or why there is none; None if
    the range ends in the past. `sample`: readings that are replayed with other assignors. `past`:
    readings from a metrics store. `restarts`: restarts of all members.
    """

    since: float
    until: float
    listed_since: float
    seen_until: float
    gone_count: int
    slot_count: int
    missing_count: int
    step_seconds: float
    verdict: int
    observed: ObservedGroup
    lag: int | None
    lag_change: float
    change_seconds: float
    unknown_count: int
    seconds: float
    method: str | None
    unknown_seconds_count: int
    highest: HighestTimeLag | None
    highest_at: float
    drain: GroupDrain | None
    ahead: Forecast | str | None
    bursts: tuple[Burst, ...]
    has_told_rebalances: bool
    is_least_rebalances: bool
    unowned: UnownedTime
    lags: MemberLags
    names: tuple[str, ...]
    owned: tuple[OwnerNames, ...]
    owner_names: tuple[str, ...]
    partition_count: int
    topic_names: tuple[str, ...]
    events: tuple[TimelineEvent, ...]
    sample: Sample
    is_stalled_at_peak: bool
    past: "PastShown | None"
    restarts: tuple[Restart, ...] = ()

    @property
    def is_last(self) -> bool:
        """Whether the lake has no later reading."""
        return self.ahead is not None


def timeline(group: OpenGroup, since: float, until: float) -> Timeline | None:
    """Return an open group from `since` to `until`, in seconds since 1970. None if the lake has no
    snapshot of the group in this range.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    read = readings(group)
    chosen = with_lead(between(read.found, since, until), read.found)
    if not chosen.batches or group.group_id is None:
        return None
    is_now = chosen.axis.batch[-1] == read.found.axis.batch[-1]
    # Two ranges with the same snapshots have the same result.
    ends = chosen.axis.batch[0], chosen.axis.batch[-1], len(chosen.batches), chosen.lead, is_now
    return ALL.get(
        (timeline, read.lake, read.cluster, group.group_id, *ends),
        partial(_timeline, group.group_id, read, chosen, is_now),
    )


def _timeline(group_id: str, read: Readings, chosen: Instants, is_now: bool) -> Timeline | None:
    listed = read.history(group_id, chosen)
    whole = listed.by_lineage
    history = whole.within
    series = history.series
    if not series.is_listed.any():
        return None
    last = int(np.flatnonzero(whole.series.is_there)[-1])
    # For a deleted group, the last known state is used.
    present = now(whole.series.until(last))
    seen = present.verdicts if last == whole.series.slot_count - 1 else verdicts(whole.series)
    shown = rebalances(whole.series).row - whole.lead
    drain = _drain(whole, present, read, is_now)
    stored_rebalances = told_in_lake(
        read.lake, read.cluster, group_id, float(series.time[0]), float(series.time[-1])
    )
    marks = (
        bursts(series.time, shown[shown >= 0])
        if stored_rebalances is None
        else bursts(np.array(stored_rebalances), np.arange(len(stored_rebalances)))
    )
    return Timeline(
        since=float(series.time[0]),
        until=float(series.time[-1]),
        listed_since=float(series.time[series.is_listed.any(axis=1)][0]),
        seen_until=float(whole.series.time[last]),
        gone_count=whole.series.slot_count - 1 - last,
        slot_count=series.slot_count,
        missing_count=int(series.slot[-1] - series.slot[0]) + 1 - series.slot_count,
        step_seconds=float(np.median(np.diff(series.time))) if series.slot_count > 1 else 0.0,
        bursts=marks,
        has_told_rebalances=stored_rebalances is not None,
        is_least_rebalances=stored_rebalances is None and may_be_more(series),
        unowned=unowned(series),
        sample=sampled(listed.within, REPLAYED_CELLS),
        is_stalled_at_peak=stalled_at_peak(series, seen.within(whole.lead)),
        past=_past(history, read),
        restarts=tuple(
            each
            for each in restarts(listed.series, listed.identity)
            if each.time >= float(series.time[0])
        ),
        verdict=present.lasting_verdict,
        **_lag(present, whole.lead),
        **drain,
        **pictures_of(whole, present, seen),
    )


def _past(history: History, read: Readings) -> PastShown | None:
    series, facts = history.series, read.below.facts or facts_of_copy(history)
    if series.has_owners is None or facts is None or series.has_owners.all():
        return None
    of_store, own = series.time[~series.has_owners], series.time[series.has_owners]
    return PastShown(
        facts,
        float(of_store[0]),
        float(of_store[-1]),
        float(own[0]) if own.size else np.nan,
    )


def _lag(present: Now, lead: int) -> dict[str, Any]:
    """Return the lag and time lag at the end of the range, and the highest time lag in the range,
    as fields of Timeline.
    """
    series, highest = present.series, highest_time_lag(present.series, first=lead)
    return {
        "lag": total_lag(present.lag),
        "lag_change": present.lag_change,
        "change_seconds": present.change_seconds,
        "unknown_count": present.unknown_count(),
        "seconds": present.worst_seconds,
        "method": present.worst_method,
        "unknown_seconds_count": int(
            np.count_nonzero(series.is_listed[-1] & (present.seconds == UNKNOWN_SECONDS))
        ),
        "highest": highest,
        "highest_at": float(series.time[highest.row]) if highest else np.nan,
    }


def _drain(history: History, present: Now, read: Readings, is_now: bool) -> dict[str, Any]:
    """Return the group at its last reading, its drain time with its present owners, and the
    forecast, as fields of Timeline.
    """
    series = present.series
    # A fixed seed, so that the same history gives the same band.
    drawn = draws_of(series, np.random.default_rng(0))
    listed, is_gone = (
        np.flatnonzero(series.is_listed.any(axis=1)),
        series.slot_count < history.series.slot_count,
    )
    observed = group_at(read.lake, history.batch[listed[-1]], history.group_id)
    ahead = None
    if is_now:
        ahead = GONE if is_gone else ahead_of(present, drawn)
    return {
        "observed": observed,
        "drain": Drains(observed.snapshot, series, drawn).of(observed.current)
        if observed.current and present.has_owners
        else None,
        "ahead": ahead,
    }


# Inputs of the Timeline's figure and list of events: areas of members, owners of partitions, and
# sentences.


MEMBERS = 6
"""Number of members with a separate colour."""

ROWS = 40
"""Number of partitions whose owners are drawn after a click on the button for more."""

_FIT, _FIT_WITH_TOPICS, _LEAST = 20, 18, 12
"""Numbers of rows that fit on a screen next to the other panels: rows of partitions alone, and rows
of partitions and topics together (a topic needs two rows). The third number is the least number of
partitions.
"""

TOPICS = 6
"""Most rows by topic for the other partitions."""

_BINS = 60


def pictures_of(history: History, present: Now, seen: Verdicts) -> dict[str, Any]:
    """Return the fields of Timeline for the figure and the list of events. `seen`: verdicts, also
    of slots before the range.
    """
    series, names = history.within.series, names_in(history.series)
    lags = member_lags(series, MEMBERS, _BINS)
    return {
        "lags": lags,
        "names": tuple(names[member] for member in lags.member.tolist()),
        "owned": tuple(_owned(series, most, lags) for most in _row_counts(series)),
        "owner_names": names,
        "partition_count": series.tp_count,
        "topic_names": series.topic_name,
        "events": timeline_events(history, present, seen, lags),
    }


def _row_counts(series: Series) -> tuple[int, ...]:
    """Return how many partitions get a row in the panel of owners: as many as fit on a screen. If
    the group has more partitions, the second number is for the longer panel.
    """
    if series.tp_count <= _FIT:
        return (_FIT,)
    return max(_LEAST, _FIT_WITH_TOPICS - 2 * min(len(series.topic_name), TOPICS)), ROWS


def _owned(series: Series, most: int, lags: MemberLags) -> OwnerNames:
    rows = owner_rows(series, most)
    return OwnerNames(
        rows,
        tuple(map(series.tp_name, rows.tp.tolist())),
        topic_rows(series, rows.tp, lags.member, TOPICS),
    )


# The forecast of a group, or why there is none.


GONE = "the last reading does not have the group"
LOSING = "retention deletes unread records"
NO_OWNERS = "owners were not recorded, so the read rate of members is unknown"
_PART = 0.25
"""Length of the forecast as a fraction of the range, so it is the last fifth of the axis."""


def ahead_of(present: Now, drawn: Draws) -> Forecast | str:
    """Return the forecast from the last reading on, or a text that says why there is none."""
    series = present.series
    if not series.is_listed[-1].any():
        return "the last reading has no partition of the group"
    if present.is_losing:
        return LOSING
    if not present.has_owners:
        return NO_OWNERS
    if np.isnan(present.in_rate[series.is_listed[-1]]).all():
        return "rates need two readings"
    ahead = forecast(present, drawn, _PART * float(np.ptp(series.time)))
    return "the read rate of members is unknown" if ahead is None else ahead


# The results of other assignors, replayed in the background.


_TURN = threading.Lock()


def regret_of(group: OpenGroup, shown: Timeline) -> Regret | None:
    """Return the replay of the range with other assignors. None while the replay is being computed.
    A small group's replay is computed at once.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    read = readings(group)
    members = _members(group, shown)
    of_now = None if members is None else group
    key = (regret_of, read.lake, read.cluster, group.group_id, of_now, shown.sample.history.batch)
    replay = partial(regrets.regret, read.lake, shown.sample, members)
    is_behind = missing({key: lambda is_asked: ALL.put(key, replay())}, turn=_TURN)
    regret = ALL.find(key)
    if regret is None and not is_behind:
        # The cache has already dropped the result.
        regret = replay()
    return regret


def _members(group: OpenGroup, shown: Timeline) -> ObservedGroup | None:
    """Return the group whose members the replay uses: `shown.observed`, or the open group if the
    metrics store has no members. None if no reading is from a metrics store.
    """
    if shown.past is None:
        return None
    if shown.observed.snapshot.member_count:
        return shown.observed
    return begun(group).own.observed
