"""Rebalances from stored, shared and pasted logs."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial, wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar
from zoneinfo import ZoneInfo

import msgspec

from evenkeel.dashboard.shares.loading.frozen import Freezable
from evenkeel.dashboard.shares.loading.opened import open_rebalances
from evenkeel.dashboard.shell import apart
from evenkeel.dashboard.shell.cache import ALL, SHARED_SECONDS
from evenkeel.dashboard.shell.loading.clusters import require_cluster
from evenkeel.dashboard.shell.loading.example import lake_of
from evenkeel.dashboard.shell.reader import EVERYBODY, reader
from evenkeel.data.configuration import configuration
from evenkeel.data.lake.import_folder import owner_of
from evenkeel.data.rebalances.event import Rebalance
from evenkeel.data.rebalances.frozen import frozen
from evenkeel.data.rebalances.store import (
    About,
    Files,
    StoredRebalances,
    keep_told,
    log_home,
    no_log,
    of_lake,
    store_logs,
    stored_logs,
)
from evenkeel.data.scenarios.run.walk import engine

_TOPIC_SECONDS = 60


OF_LAKE = "lake:"
"""Start of the name of a group's rebalances in the lake: `lake:`, cluster, line end, group. Such
rebalances have no id.
"""

OF_SHARE = "share:"
"""Start of the name of shared rebalances: `share:ID`."""


class Groups(NamedTuple):
    """Groups of a log, most rebalances first. `is_part`: the reader may not see all groups of the
    log.
    """

    names: tuple[str, ...]
    counts: tuple[int, ...]
    is_part: bool


def store(files: Files, dumps: Files, beside: str | None = None) -> str:
    """Read logs and dumps as one history, in a separate process; store it and return its id.

    `beside`: id of a stored log to which these files are added.

    Raises
    ------
    SnapshotError
        If no line is from a group coordinator, or the process exceeds its limits.
    """
    most = apart.limits()._replace(
        niceness=0,
        subject="reading this log",
        process="the process that reads this log",
        after=_MORE,
    )
    if beside is not None:
        require_readable(beside)
    return store_logs(
        configuration().lake, files, dumps, beside=beside, run=partial(apart.run, most)
    )


_MORE = "; nothing of it is stored. Run: evenkeel rebalances FILE"


def read_topic(cluster: str) -> str:
    """Read a cluster's `__consumer_offsets` in a separate process and store the rebalances.

    Return the id of the stored rebalances. Calls within a minute return the same id.

    Raises
    ------
    SnapshotError
        If the topic cannot be read; the message names the missing right and alternatives. Also if
        the process exceeds its limits.
    """
    require_cluster(cluster)
    return ALL.get((read_topic, cluster), lambda: _read_topic(cluster), _TOPIC_SECONDS)


def _read_topic(cluster: str) -> str:
    # Imported late, so that pages load no Kafka client until a cluster is queried.
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


def kept_of(make: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
    """Cache a function's result for a log, separately for readers with different rights.

    The cached function raises an error if the reader may not see the log.
    """

    @wraps(make)
    def cached(log: str, *args: P.args, **named: P.kwargs) -> T:
        require_readable(log)
        return ALL.get(
            (make, reader().scope, log, *args, *named.items()), lambda: make(log, *args, **named)
        )

    return cached


def require_readable(log: str) -> None:
    """Raise an error if the reader may not see a log."""
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
    """Return the rebalances frozen in a share; raise the same errors as `open_rebalances`."""
    stored = open_rebalances(log.removeprefix(OF_SHARE))
    if stored is None:
        raise no_log()
    return stored


def _of_lake(log: str) -> tuple[str, str]:
    cluster, _, group = log.removeprefix(OF_LAKE).partition("\n")
    return cluster, group


@kept_of
def log_of(log: str, zone: str | None = None) -> StoredRebalances:
    """Return the part of a stored log that the reader may see.

    `zone`: zone of the log's times, if the log does not name it.

    Raises
    ------
    SnapshotError
        If no log has this id, or the log was deleted.
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
        stored.part(lambda row: who.sees(stored.about.cluster, row.group))
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
    """Return whether the reader may see only some groups of the log's cluster."""
    return stored.about.cluster is not None and not reader().sees_all(stored.about.cluster)


def _in_zone(rebalance: Rebalance, zone: ZoneInfo) -> Rebalance:
    """Return a rebalance with corrected times: they were read as UTC, but the log's zone is `zone`.

    Times from `__consumer_offsets` are absolute and stay unchanged.
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


@kept_of
def groups_of(log: str) -> Groups:
    """Return the groups of a log."""
    log_events = log_of(log)
    counted = Counter(event.group for event in log_events.events).most_common()
    return Groups(
        tuple(name for name, _ in counted),
        tuple(count for _, count in counted),
        _is_part(log_events),
    )


def freezable_rebalances(log: str, group: str, zone: str | None) -> Freezable:
    """Return the rebalances of one group, with their log lines, in the form that a share freezes.

    Raises
    ------
    SnapshotError
        If the log was deleted.
    """
    log_events = log_of(log, zone)
    # A share also freezes the rebalances that an ingest added.
    key = (freezable_rebalances, reader().scope, log, group, zone, len(log_events.events))
    return ALL.get(key, lambda: _freezable(log_events, group), SHARED_SECONDS)


def _freezable(stored: StoredRebalances, group: str) -> Freezable:
    document, lines = frozen(stored, group, {"engine": engine()})
    return Freezable.of_log(document, lines, stored.about.cluster, group)
