"""Rebalances in the lake: of a pasted log, by random id; of an ingest, by cluster and group.

log = store_logs(lake, [("server.log", octets)])
stored_logs(lake, log).events
"""

import re
import secrets
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables.history_schemas import REBALANCES
from evenkeel.data.lake.history.change_store import FOLDER as STORED
from evenkeel.data.lake.history.change_store import store_history, stored_history
from evenkeel.data.lake.import_folder import FOLDER, private_place
from evenkeel.data.lake.manifest import named_damage
from evenkeel.data.lake.place import Place, StoredObject
from evenkeel.data.lake.writing import write_table
from evenkeel.data.rebalances.by_cause import by_cause, worst_by_group
from evenkeel.data.rebalances.chains import link
from evenkeel.data.rebalances.event import Rebalance, by_group
from evenkeel.data.rebalances.history import History, HistoryRequest, complete_since, read_history
from evenkeel.data.rebalances.merging import merged
from evenkeel.data.rebalances.table import events_of, table_of, united
from evenkeel.data.rebalances.words import avoided_words

_TABLE, _ABOUT = "REBALANCES/rebalances.parquet", "REBALANCES/about.json"
_ID = re.compile(r"[A-Za-z0-9_-]{22}")


COUNTS = ("lines", "used", "undated", "cut")


class About(msgspec.Struct, frozen=True):
    """The input: file names, line counts, time zone, and first and last time (ms since 1970).

    For a part of an input, the counts are 0, and `files` contains only logs that are evidence for
    the part.
    """

    files: tuple[str, ...]
    lines: int = 0
    used: int = 0
    undated: int = 0
    cut: int = 0
    first: int | None = None
    last: int | None = None
    zone: str = "UTC"
    zone_assumed: bool = False
    brokers: tuple[int, ...] = ()
    has_records: bool = False
    cluster: str | None = None


class StoredRebalances(NamedTuple):
    """Rebalances in order of time, and facts about their input."""

    events: list[Rebalance]
    about: About

    def part(self, is_in: Callable[[Rebalance], bool]) -> "StoredRebalances":
        """Return the rebalances for which `is_in` is True, and facts about these rebalances only.

        Line counts are 0; files, times and brokers of other rebalances are left out.
        """
        events = [event for event in self.events if is_in(event)]
        times: list[int] = []
        for event in events:
            moments = event.start, event.joined, event.assigned, event.stable
            times += [at for at in moments if at is not None]
        coordinators = {event.coordinator for event in events}
        brokers = tuple(sorted(number for number in coordinators if number is not None))
        has_records = self.about.has_records and any(event.source != "log" for event in events)
        files = tuple(
            dict.fromkeys(each.file for event in events for each in event.evidence if each.file)
        )
        span = {"first": min(times, default=None), "last": max(times, default=None)}
        own = {**span, "files": files, "brokers": brokers, "has_records": has_records}
        return StoredRebalances(
            events, msgspec.structs.replace(self.about, **dict.fromkeys(COUNTS, 0), **own)
        )


Files = Sequence[tuple[str, bytes]]


def store_logs(
    lake: Place,
    files: Files,
    dump: Files = (),
    beside: str | None = None,
    run: Callable[..., Any] = lambda function, *arguments: function(*arguments),
) -> str:
    """Read logs and dumps as one history, store the history, and return its random id.

    The history expires like an upload. `beside`: the id of an earlier history, which is read into
    the new history. `run`: calls a module's function with arguments, for example in another
    process.

    Raises
    ------
    SnapshotError
        If no line is from a group coordinator, or the lake cannot be written.
    """
    log = secrets.token_urlsafe(16)
    with private_place(lake, log) as home:
        run(read_into, lake, home, list(files), list(dump), beside)
    return log


def read_into(lake: Place, home: Place, files: Files, dump: Files, beside: str | None) -> None:
    """Read logs and dumps as one history and store it at `home`; raises as `store_logs`."""
    history = read_history(HistoryRequest(), files, dump)
    about = _about(history, tuple(name for name, _ in (*files, *dump)), None)
    if beside is None:
        _keep(home, history.rebalances, about)
    else:
        before = stored_logs(lake, beside)
        _keep(home, _together(before.events, history.rebalances), _both(before.about, about))


def keep_told(lake: Place, tell: Callable[[Place], None]) -> str:
    """Call `tell`, which stores the rebalances of a live cluster; return the id of the stored
    rebalances.

    A reader may see a group's rebalances if the reader may see this group in the cluster.
    """
    log = secrets.token_urlsafe(16)
    with private_place(lake, log, is_upload=False) as home:
        tell(home)
    return log


def write_told(home: Place, history: History, files: tuple[str, ...], cluster: str) -> None:
    """Store the rebalances of a live cluster."""
    _keep(home, history.rebalances, _about(history, files, cluster))


def _keep(home: Place, events: Sequence[Rebalance], about: About) -> None:
    write_table(table_of(events, about.cluster), REBALANCES, home, _TABLE)
    home.write(_ABOUT, msgspec.json.encode(about))


def _together(before: Sequence[Rebalance], now: Sequence[Rebalance]) -> list[Rebalance]:
    """Return the rebalances of two readings; a rebalance in a log and in records counts once."""
    ours, stored = (
        [
            [event for event in some if (event.source == "offsets") == of_records]
            for some in (before, now)
        ]
        for of_records in (False, True)
    )
    events = merged(united(*ours), united(*stored))
    link(events)
    return events


def _both(before: About, now: About) -> About:
    counts = {name: getattr(before, name) + getattr(now, name) for name in COUNTS}
    first = min(
        (counts.first for counts in (before, now) if counts.first is not None), default=None
    )
    last = max((counts.last for counts in (before, now) if counts.last is not None), default=None)
    return msgspec.structs.replace(
        now,
        **counts,
        files=(*before.files, *now.files),
        first=first,
        last=last,
        zone_assumed=before.zone_assumed or now.zone_assumed,
        brokers=tuple(sorted({*before.brokers, *now.brokers})),
        has_records=before.has_records or now.has_records,
        cluster=now.cluster or before.cluster,
    )


def _about(history: History, files: tuple[str, ...], cluster: str | None) -> About:
    summary = history.summary()
    first, last = history.span
    counts = {name: summary[name] for name in (*COUNTS, "zone", "zone_assumed")}
    has_records = history.records is not None and history.records.used > 0
    return About(
        files,
        **counts,
        first=first,
        last=last,
        brokers=tuple(summary["brokers"]),
        has_records=has_records,
        cluster=cluster,
    )


def log_home(lake: Place, log: str) -> Place:
    """Return the place of a stored log.

    Raises
    ------
    SnapshotError
        If the id is malformed.
    """
    if not _ID.fullmatch(log):
        raise SnapshotError(
            f'no log has the id "{log[:80]}", expected the id in the address of a page'
        )
    return lake / FOLDER / log


def no_log() -> SnapshotError:
    """Return the error for a log that was deleted or is not visible to the reader."""
    return SnapshotError(
        "This log is deleted: pasted logs are kept only for a while. Paste it again."
    )


def stored_logs(lake: Place, log: str) -> StoredRebalances:
    """Return the rebalances that are stored under the id `log`.

    Raises
    ------
    SnapshotError
        If no log has this id, or the log is deleted.
    """
    home = log_home(lake, log)
    try:
        about, data = msgspec.json.decode(home.read(_ABOUT), type=About), home.read(_TABLE)
    except FileNotFoundError:
        raise no_log() from None
    with named_damage(home, [_TABLE]):
        return StoredRebalances(
            events_of(pq.read_table(pa.BufferReader(data), schema=REBALANCES)), about
        )


# Rebalances of ingests, by cluster and group.


def add_to_lake(lake: Place, events: Sequence[Rebalance], cluster: str | None) -> int:
    """Add rebalances to the stored rebalances of the lake; return the number of new rebalances."""
    new = 0
    for group, mine in by_group(events).items():
        before = events_of(stored_history(lake, "REBALANCES", cluster, group))
        both = united(before, mine)
        if any(event.number is None for event in both):
            # Without generations, each reading numbers rebalances from 1, so chains are linked
            # again.
            link(both)
        new += len(both) - len(before)
        store_history(lake, "REBALANCES", table_of(both, cluster), cluster, group)
    return new


class Recent(NamedTuple):
    """The number of a group's recent rebalances, and their worst cause.

    `kind`: the cause with the most partition-seconds; None if there is no recent rebalance.
    """

    cluster: str | None
    group: str
    count: int
    kind: str | None


class _Late(NamedTuple):
    """From one file: the rebalances that began at `since` or later, without evidence and owners."""

    cluster: str | None
    group: str
    since: int
    events: list[Rebalance]


_REMEMBERED: dict[str, dict[StoredObject, _Late | None]] = {}
_UNSEEN = {"evidence", "owned"}
_BEGINS = ("start", "joined", "assigned", "stable")


def recent_of_lake(lake: Place, since: int) -> list[Recent]:
    """Return the recent rebalances of every group in the lake; `since` is in milliseconds since
    1970.

    A file is read again only if the file changed.
    """
    known = _REMEMBERED.get(str(lake), {})
    recent = {}
    for file in lake.found(f"{STORED}/REBALANCES"):
        late = known.get(file)
        recent[file] = late if late and late.since <= since else _late(lake, file.key, since)
    _REMEMBERED[str(lake)] = recent
    return [_recent(late, since) for late in recent.values() if late]


def _late(lake: Place, key: str, since: int) -> _Late | None:
    with named_damage(lake, [key]):
        file = pq.ParquetFile(pa.BufferReader(lake.read(key)))
        begins = file.read(["cluster", "group_id", *_BEGINS])
        if not begins.num_rows:
            return None
        moment = pa.scalar(since, pa.int64()).cast(pa.timestamp("ms", "UTC"))
        rows = pc.indices_nonzero(
            pc.fill_null(
                pc.greater_equal(pc.coalesce(*(begins[name] for name in _BEGINS)), moment), False
            )
        )
        cluster, group = begins["cluster"][0].as_py(), begins["group_id"][0].as_py()
        return _Late(cluster, group, since, _without_evidence(file, rows) if len(rows) else [])


def _without_evidence(file: pq.ParquetFile, rows: pa.Array) -> list[Rebalance]:
    table = file.read([name for name in REBALANCES.names if name not in _UNSEEN]).take(rows)
    for name in _UNSEEN:
        table = table.append_column(name, pa.nulls(len(rows), REBALANCES.field(name).type))
    return events_of(table)


def _recent(late: _Late, since: int) -> Recent:
    count, kind = worst_by_group(late.events, since).get(late.group) or (0, None)
    return Recent(late.cluster, late.group, count, kind)


def of_lake(lake: Place, cluster: str | None, group: str) -> list[Rebalance]:
    """Return a group's rebalances in the lake, in order of time."""
    return events_of(stored_history(lake, "REBALANCES", cluster, group))


def avoidable_in_lake(
    lake: Place, cluster: str | None, group: str, since: float, until: float
) -> tuple[str, ...]:
    """Return a text for each setting that would have avoided rebalances of a group.

    The text contains the number of avoided rebalances. Only rebalances that began between `since`
    and `until` (seconds since 1970) count.
    """
    events = [
        event
        for event in of_lake(lake, cluster, group)
        if event.time is not None and since <= event.time / 1000 <= until
    ]
    settings = [row.saves for row in by_cause(events) if row.saves]
    return tuple(
        avoided_words(each.name, each.value, len(each.avoids), len(events)) for each in settings
    )


def told_in_lake(
    lake: Place, cluster: str | None, group: str, since: float, until: float
) -> list[float] | None:
    """Return the start times of a group's rebalances between `since` and `until`.

    All times are in seconds since 1970. None if the lake may lack rebalances after `since`.
    """
    events = of_lake(lake, cluster, group) if cluster else []
    since_known = complete_since(events).get(group)
    if since_known is None or since_known > since * 1000:
        return None
    # After its end a log has no rebalances, so later times may be missing.
    return [
        event.time / 1000
        for event in events
        if event.time is not None and since <= event.time / 1000 <= until
    ]
