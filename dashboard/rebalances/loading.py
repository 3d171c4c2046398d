"""Rebalances as their page shows them: a stored log, one group of it, the shown hours, and the
choice in them.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial, wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar
from zoneinfo import ZoneInfo

import msgspec
import pyarrow as pa

from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.dashboard.shares.loading import Freezable, open_rebalances
from evenkeel.dashboard.shell import apart
from evenkeel.dashboard.shell.cache import ALL, SHARED_SECONDS
from evenkeel.dashboard.shell.loading.clusters import require_cluster
from evenkeel.dashboard.shell.loading.episodes import cluster_slots
from evenkeel.dashboard.shell.loading.example import is_example, lake_of
from evenkeel.dashboard.shell.loading.readings import readings
from evenkeel.dashboard.shell.loading.views import begun
from evenkeel.dashboard.shell.reader import EVERYBODY, reader
from evenkeel.dashboard.view import Opened
from evenkeel.data import clock
from evenkeel.data.configuration import configuration
from evenkeel.data.lake.history.instants import between
from evenkeel.data.lake.history.recent import last_of
from evenkeel.data.lake.import_folder import owner_of
from evenkeel.data.rebalances.by_cause import (
    CauseRow,
    Culprit,
    by_cause,
    kinds,
    most_blamed,
    settings_for,
    slowest_member,
)
from evenkeel.data.rebalances.chains import GAP_MS, NEAR, bursts, link
from evenkeel.data.rebalances.event import Member, Rebalance, by_group
from evenkeel.data.rebalances.frozen import frozen
from evenkeel.data.rebalances.history import is_complete
from evenkeel.data.rebalances.replayed import ChainReplay, replayed
from evenkeel.data.rebalances.store import (
    About,
    Files,
    Recent,
    StoredRebalances,
    keep_told,
    log_home,
    no_log,
    of_lake,
    recent_of_lake,
    store_logs,
    stored_logs,
)
from evenkeel.data.scenarios.run.walk import engine

HOURS_MS = 24 * 3_600_000
MOST_LANES = 16
HOUR_MS = 3_600_000
_LAKE_SECONDS = 60
_TOPIC_SECONDS = 60
_MOST_REPLAYED = 500
_MOST_CELLS = 2_000_000
"""Readings times partitions of a group that are read to see whether it rebalanced."""


OF_LAKE = "lake:"
"""Begins the name of what an ingest has stored of a group, `lake:CLUSTER\nGROUP`: it has no id."""

OF_SHARE = "share:"
"""Begins the name of what a share has frozen, `share:ID`."""


class Groups(NamedTuple):
    """The groups of a log, most rebalances first; `is_part`: others are not for the reader."""

    names: tuple[str, ...]
    counts: tuple[int, ...]
    is_part: bool


class LogView(NamedTuple):
    """One group in the last hours of a log. `events`: in order; `kinds`, one each; `rows`: by
    cause.

    `complete_since`: None if nothing is missing; `recent`: number that begin in the last quarter of
    the time; `avoidable`: number that one of `setting_count` settings would have avoided;
    `seconds`: sum of known lengths, `untimed`: number of unknown lengths; `default`: places of the
    first choice.
    """

    group: str
    events: tuple[Rebalance, ...]
    kinds: tuple[str, ...]
    rows: tuple[CauseRow, ...]
    since: int
    until: int
    is_whole: bool
    complete_since: int | None
    recent: int
    paused: float | None
    seconds: float | None
    untimed: int
    longest: int | None
    slowest: tuple[Member, int] | None
    blamed: Culprit | None
    avoidable: int
    setting_count: int
    default: tuple[int, int]


class GenerationGrowth(NamedTuple):
    """What the last readings of a group, from `since` to `until`, say of its rebalances: by how
    much the generation grew between them, and when it last did; None if no generation is known.
    """

    readings: int
    since: float
    until: float
    rebalances: int | None
    last: float | None


def seen_between_readings(group: Opened) -> GenerationGrowth | None:
    """Return what the readings of the last day say of an open group, None without two of them.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    if not group.batch or group.group_id is None:
        return None
    read = readings(group, has_past=False)
    time = read.found.axis.time
    if time.size < 2:
        return None
    day = between(read.found, time[-1] - HOURS_MS / 1000, float(time[-1]))
    tps = begun(group).own.observed.snapshot.tp_count
    day = last_of(day, max(_MOST_CELLS // max(tps, 1), 2))
    key = (seen_between_readings, read.lake, group.group_id, float(time[-1]))
    return ALL.get(key, lambda: _seen(read.history(group.group_id or "", day).series))


def _seen(series: Series) -> GenerationGrowth | None:
    series = series.at(series.is_there)
    if series.slot_count < 2:
        return None
    since, until, growth = float(series.time[0]), float(series.time[-1]), series.growth
    if (series.generation == UNKNOWN).all():
        return GenerationGrowth(series.slot_count, since, until, None, None)
    count = sum(number for _, number in growth)
    return GenerationGrowth(
        series.slot_count, since, until, count, growth[-1][0] if growth else None
    )


def store(files: Files, dumps: Files, beside: str | None = None) -> str:
    """Read logs and dumps as one history in a process of its own, and store it; return its id.
    `beside`: a log that is part of it.

    Raises
    ------
    SnapshotError
        If no line is a group coordinator's, or the process needs more than its limits.
    """
    most = apart.limits()._replace(
        niceness=0,
        subject="reading this log",
        process="the process that reads this log",
        after=_MORE,
    )
    if beside is not None:
        _require(beside)
    return store_logs(
        configuration().lake, files, dumps, beside=beside, run=partial(apart.run, most)
    )


_MORE = "; nothing of it is stored. Run: evenkeel rebalances FILE"


def read_topic(cluster: str) -> str:
    """Read `__consumer_offsets` of a cluster in a process of its own and store its rebalances;
    return their id, which stays the same for a minute.

    Raises
    ------
    SnapshotError
        If the topic cannot be read: the missing right is named, and the ways around it; and when
        the process needs more than its limits.
    """
    require_cluster(cluster)
    return ALL.get((read_topic, cluster), lambda: _read_topic(cluster), _TOPIC_SECONDS)


def _read_topic(cluster: str) -> str:
    # Late: pages do without clients until a cluster is asked.
    from evenkeel.data.rebalances.live import read_topic_into

    command = (
        f"; nothing of it is stored. Run: evenkeel rebalances --cluster {cluster} --group GROUP"
    )
    most = apart.limits()._replace(
        niceness=0,
        subject="reading __consumer_offsets",
        process="the process that reads it",
        after=command,
    )
    return keep_told(
        configuration().lake, lambda home: apart.run(most, read_topic_into, home, cluster)
    )


P = ParamSpec("P")
T = TypeVar("T")


def _kept_of(make: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
    """Cache a function's result about a log, apart for readers who may see other groups; refuse a
    log that is not for the reader.
    """

    @wraps(make)
    def found(log: str, *args: P.args, **named: P.kwargs) -> T:
        _require(log)
        return ALL.get(
            (make, reader().scope, log, *args, *named.items()), lambda: make(log, *args, **named)
        )

    return found


def _require(log: str) -> None:
    who = reader()
    if log.startswith(OF_SHARE):
        _shared(log)
        return
    if who is EVERYBODY:
        return
    if log.startswith(OF_LAKE):
        is_there = who.sees(*_of_lake(log))
    else:
        is_there = who.may_open(owner_of(log_home(configuration().lake, log)))
    if not is_there:
        raise no_log()


def _shared(log: str) -> StoredRebalances:
    """Return the frozen document of a share; raises as `open_rebalances`."""
    stored = open_rebalances(log.removeprefix(OF_SHARE))
    if stored is None:
        raise no_log()
    return stored


def _of_lake(log: str) -> tuple[str, str]:
    cluster, _, group = log.removeprefix(OF_LAKE).partition("\n")
    return cluster, group


@_kept_of
def log_of(log: str, zone: str | None = None) -> StoredRebalances:
    """Return the part of a stored log that the reader may see; `zone`: of times without a zone.

    Raises
    ------
    SnapshotError
        If there is none of this id, or no longer.
    """
    if log.startswith(OF_SHARE):
        return _shared(log)
    if log.startswith(OF_LAKE):
        cluster, group = _of_lake(log)
        events = of_lake(lake_of(cluster), cluster, group)
        return StoredRebalances(
            events,
            About(
                ("lake",),
                cluster=cluster,
                has_records=any(event.source != "log" for event in events),
            ),
        )
    stored, who = stored_logs(configuration().lake, log), reader()
    if zone is not None and stored.about.zone_assumed:
        stored = _told_in(stored, ZoneInfo(zone))
    return (
        stored.part(lambda one: who.sees(stored.about.cluster, one.group))
        if _is_part(stored)
        else stored
    )


def _told_in(stored: StoredRebalances, place: ZoneInfo) -> StoredRebalances:
    events = [_in_zone(event, place) for event in stored.events]
    span = {
        "first": _shifted(stored.about.first, place),
        "last": _shifted(stored.about.last, place),
    }
    return StoredRebalances(
        events, msgspec.structs.replace(stored.about, **span, zone=str(place), zone_assumed=False)
    )


def _is_part(stored: StoredRebalances) -> bool:
    """Return whether groups of a log may be none for the reader: it is of a cluster, and the reader
    may not see all of that.
    """
    return stored.about.cluster is not None and not reader().sees_all(stored.about.cluster)


def recent_rebalances(cluster: str | None = None, now: float | None = None) -> list[Recent]:
    """Return the rebalances of the hour before now by group, of all that the lake with a cluster
    has and the reader may see; a younger list serves again.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    lake = lake_of(cluster)
    since = round((clock.seconds() if now is None else now) * 1000) - HOUR_MS
    cached, who = (
        ALL.get((recent_rebalances, lake), lambda: recent_of_lake(lake, since), _LAKE_SECONDS),
        reader(),
    )
    return (
        cached
        if who is EVERYBODY
        else [event for event in cached if who.sees(event.cluster, event.group)]
    )


def groups_in_lake(cluster: str) -> Groups:
    """Return the groups of a cluster with rebalances in the lake, most in the last hour first.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    # The last slot is the now of the example.
    now = float(cluster_slots(cluster).axis.time[-1]) if is_example(cluster) else None
    listed = [event for event in recent_rebalances(cluster, now) if event.cluster == cluster]
    listed.sort(key=lambda one: (-one.count, one.group))
    return Groups(
        tuple(event.group for event in listed),
        tuple(event.count for event in listed),
        not reader().sees_all(cluster),
    )


def with_rebalances(cluster: str, groups: pa.Table) -> pa.Table:
    """Return groups with how often each has rebalanced in the last hour; as they are where the lake
    has no rebalance of the cluster.
    """
    # The last slot is the now of the example.
    now = groups["taken_at"][0].as_py().timestamp() if is_example(cluster) else None
    found = {
        event.group: event for event in recent_rebalances(cluster, now) if event.cluster == cluster
    }
    if not found:
        return groups
    mine = [found.get(name) for name in groups["group_id"].to_pylist()]
    counts, kinds_told = (
        [event and getattr(event, column) for event in mine] for column in ("count", "kind")
    )
    added = groups.append_column("rebalances_hour", pa.array(counts, "int64"))
    return added.append_column("rebalances_kind", pa.array(kinds_told, "string"))


def _in_zone(rebalance: Rebalance, zone: ZoneInfo) -> Rebalance:
    """Return a rebalance whose times were read as UTC and are of another zone; records of the topic
    have times of their own.
    """
    if rebalance.source == "offsets":
        return rebalance
    for name in ("start", "joined", "assigned"):
        setattr(rebalance, name, _shifted(getattr(rebalance, name), zone))
    for trigger in rebalance.triggers:
        trigger.at = _shifted(trigger.at, zone)
    rebalance.evidence = [
        each._replace(at=_shifted(each.at, zone) or 0) if each.text else each
        for each in rebalance.evidence
    ]
    return rebalance


def _shifted(at: int | None, zone: ZoneInfo) -> int | None:
    if at is None:
        return None
    naive = datetime.fromtimestamp(at / 1000, UTC).replace(tzinfo=zone)
    return round(naive.timestamp() * 1000)


@_kept_of
def groups_of(log: str) -> Groups:
    """Return the groups of a log."""
    log_events = log_of(log)
    counted = Counter(event.group for event in log_events.events).most_common()
    return Groups(
        tuple(name for name, _ in counted),
        tuple(count for _, count in counted),
        _is_part(log_events),
    )


@_kept_of
def shown_group(log: str, group: str, zone: str | None = None, is_whole: bool = False) -> LogView:
    """Return one group of a log, in its last 24 hours or all of them."""
    log_events = log_of(log, zone)
    events = by_group(log_events.events)[group]
    link(events)
    times = [event.time for event in events if event.time is not None]
    until = max(*times, log_events.about.last or 0, times[-1] + 1000)
    first = max(times[0] - 1000, until - HOURS_MS) if not is_whole else times[0] - 1000
    return _shown(
        group,
        [event for event in events if (event.time or 0) >= first],
        events,
        first,
        until,
        is_whole,
    )


def _shown(
    group: str,
    events: list[Rebalance],
    every: list[Rebalance],
    since: int,
    until: int,
    is_whole: bool,
) -> LogView:
    by_kind, rows, settings = tuple(kinds(events)), tuple(by_cause(events)), settings_for(events)
    avoided = frozenset().union(*(value.avoids for value in settings.values()))
    paused = [event.paused for event in events]
    durations = {
        place: event.duration_ms
        for place, event in enumerate(events)
        if event.duration_ms is not None
    }
    quarter = until - (until - since) / 4
    return LogView(
        group,
        tuple(events),
        by_kind,
        rows,
        since,
        until,
        is_whole,
        None if is_complete(every) else every[0].time,
        sum((event.time or 0) >= quarter for event in events),
        None if None in paused else sum(event for event in paused if event is not None),
        sum(value or 0 for value in durations.values()) / 1000 if durations else None,
        len(events) - len(durations),
        max(durations, key=lambda place: durations[place] or 0, default=None),
        slowest_member(events),
        most_blamed(events),
        len(avoided),
        len(settings),
        _first_chosen(events, until - since),
    )


def _first_chosen(events: Sequence[Rebalance], length: int) -> tuple[int, int]:
    """Return the first and the last place of the burst with most rebalances, the latest of
    several.
    """
    most = max(reversed(_bursts(events, length)), key=len)
    return most[0], most[-1]


def burst_of(shown: LogView, place: int) -> tuple[int, int]:
    """Return the first and the last place of the burst that a rebalance belongs to."""
    found = next(
        burst for burst in _bursts(shown.events, shown.until - shown.since) if place in burst
    )
    return found[0], found[-1]


def _bursts(events: Sequence[Rebalance], length: int) -> list[list[int]]:
    return bursts([event.time or 0 for event in events], max(length * NEAR, GAP_MS))


def freezable_rebalances(log: str, group: str, zone: str | None) -> Freezable:
    """Return the rebalances of one group of a log, with their evidence, ready to be frozen.

    Raises
    ------
    SnapshotError
        If the log is no longer there.
    """
    log_events = log_of(log, zone)
    # What an ingest adds to the log is frozen too.
    key = (freezable_rebalances, reader().scope, log, group, zone, len(log_events.events))
    return ALL.get(key, lambda: _freezable(log_events, group), SHARED_SECONDS)


def _freezable(stored: StoredRebalances, group: str) -> Freezable:
    document, lines = frozen(stored, group, {"engine": engine()})
    return Freezable.of_log(document, lines, stored.about.cluster, group)


@_kept_of
def other_settings(
    log: str, group: str, zone: str | None, is_whole: bool, first: int, last: int
) -> tuple[ChainReplay, ...]:
    """Return the chosen rebalances replayed with other settings; none if they are too many."""
    every, shown = (shown_group(log, group, zone, whole).events for whole in (True, is_whole))
    # What is shown are the last ones: those above them say who owned what.
    above = len(every) - len(shown)
    return (
        tuple(replayed(every, above + first, above + last)) if last - first < _MOST_REPLAYED else ()
    )
