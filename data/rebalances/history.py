"""The history of groups: the rebalances from logs and records, with counts of lines and records.

history = read_history(HistoryRequest(group="payments"), logs=[path], dump=[path])
history.events, history.summary()
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from evenkeel.assignors.protocol import CLASSIC
from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.wire.coordinator_records import Record, RecordCounts, records_of_dump
from evenkeel.data.rebalances.chains import GAP_MS, kept_since, link, verdicts
from evenkeel.data.rebalances.event import Rebalance, by_group, in_order, iso
from evenkeel.data.rebalances.merging import merged
from evenkeel.data.rebalances.reading.from_clients import (
    not_known,
    rebalances_of,
    with_causes_of,
)
from evenkeel.data.rebalances.reading.from_log import LogCauses
from evenkeel.data.rebalances.reading.from_records import RecordCauses
from evenkeel.data.rebalances.reading.group_of_records import Generation
from evenkeel.data.rebalances.reading.packed import RebalancePack
from evenkeel.data.sources.client_event import BROKER, ClientEvent
from evenkeel.data.sources.client_log import events_of
from evenkeel.data.sources.coordinator_log import LOGGERS, LogHistory, zone_of
from evenkeel.data.sources.inputs import what_instead_of_logs
from evenkeel.data.sources.log_lines import Counts
from evenkeel.data.sources.source import Readable
from evenkeel.data.text.formats import counted

_NOTHING = (
    f"no message of a group coordinator in any line, expected lines of the logger {LOGGERS},"
    " such as [2026-11-23 15:34:13,140] INFO [GroupCoordinator 1]: Preparing to rebalance group …"
)


class HistoryRequest(NamedTuple):
    """Settings of a history.

    `group`: read only this group; None for all groups. `zone`: time zone of times without a zone.
    `gap_ms`: longest pause between two rebalances of one chain.
    """

    group: str | None = None
    zone: str | None = None
    gap_ms: int = GAP_MS


@dataclass
class History:
    """Rebalances from logs and records, and events from clients' logs.

    `events`: rebalances. `client_events`: events from clients' logs. Both are in order of time.
    """

    events: list[Rebalance] | RebalancePack
    request: HistoryRequest = HistoryRequest()
    lines: Counts | None = None
    records: RecordCounts | None = None
    generations: list[Generation] = field(default_factory=list)
    client_events: list[ClientEvent] = field(default_factory=list)

    @property
    def zone_assumed(self) -> bool:
        """Whether times without a zone were read as UTC."""
        return self.request.zone is None and self.lines is not None and self.lines.is_naive

    @property
    def span(self) -> tuple[int | None, int | None]:
        """The first and the last time in the input; None if unknown."""
        moments = [
            (source.first, source.last)
            for source in (self.lines, self.records)
            if source is not None
        ]
        first = [moment for moment, _ in moments if moment is not None]
        last = [moment for _, moment in moments if moment is not None]
        return min(first, default=None), max(last, default=None)

    @property
    def rebalances(self) -> list[Rebalance]:
        """`events` as a list in memory."""
        return list(self.events)

    def groups(self) -> Iterable[tuple[str, list[Rebalance]]]:
        """Return each group with its rebalances in order of time."""
        return (
            self.events.groups()
            if isinstance(self.events, RebalancePack)
            else by_group(self.events).items()
        )

    def leave_out_before(self, since: int) -> None:
        """Remove the rebalances that began before a moment, in milliseconds since 1970."""
        if isinstance(self.events, RebalancePack):
            self.events.leave_out_before(since)
        else:
            self.events = kept_since(self.events, since)
        self.generations = [
            generation for generation in self.generations if (generation.event.time or 0) >= since
        ]
        self.client_events = [event for event in self.client_events if (event.at or 0) >= since]

    def verdicts(self) -> dict[str, str]:
        """Return the verdict by chain; chains without a verdict are left out."""
        return verdicts(self.events)

    def summary(self) -> dict[str, Any]:
        """Return the object that `--json` writes as its last line."""
        lines, records = self.lines or Counts(), self.records or RecordCounts()
        (first, last), complete = self.span, complete_since(self.events)
        return {
            "schema": "evenkeel.rebalances-summary/1",
            "lines": lines.lines + records.records,
            "used": lines.used + records.used,
            "undated": lines.undated,
            "cut": lines.cut + records.refused,
            "from": iso(first),
            "to": iso(last),
            "zone": self.request.zone or "UTC",
            "zone_assumed": self.zone_assumed,
            "brokers": sorted(lines.brokers),
            "groups": len(complete),
            "rebalances": len(self.events),
            "events": len(self.client_events),
            "complete_since": {name: iso(at) for name, at in complete.items()},
        }


def read_history(
    request: HistoryRequest,
    logs: Iterable[Readable] = (),
    dump: Iterable[Readable] = (),
    records: Iterable[Record] = (),
    topics: Mapping[str, str] | None = None,
    counts: RecordCounts | None = None,
    keeps_generations: bool = False,
    keeps_texts: bool = True,
    packs: bool = False,
) -> History:
    """Read logs, dumps and records of a live topic as one history.

    `topics`: topic names by id. `counts`: counts of `records`, updated during the reading.
    `keeps_texts`: keep the messages of the evidence, not only their places. `packs`: keep the
    rebalances in a file, so that memory does not grow; possible only if the whole input is logs.

    Raises
    ------
    SnapshotError
        If nothing can be read, or the input has no message or record about a group.
    """
    logs, dump, counts = list(logs), list(dump), counts or RecordCounts()
    if packs and logs and not dump and not records:
        client_events = _of_clients(request, logs, None)
        # Clients' lines change the causes of rebalances, which is not possible once they are
        # packed.
        if all(event.library == BROKER for event in client_events):
            return _packed(request, logs, keeps_texts, client_events)
    lines, events = _told_by_logs(request, logs, keeps_texts)
    generations: list[Generation] = []
    stored = RecordCauses(
        request.group, generations.append if keeps_generations else lambda _: None
    )
    for record in _of_dumps(dump, counts):
        stored.take(record)
    for record in records:
        stored.take(record)
    clients = _of_clients(request, logs, lines)
    if logs and lines is not None and not lines.used and not counts.used and not clients:
        raise SnapshotError(_why_nothing(logs, lines))
    if dump and not counts.used:
        why = f"; {counts.named[0]}" if counts.named else ""
        raise SnapshotError(
            f"no record about a group among {counts.records:,}, expected a dump of"
            f" __consumer_offsets{why}"
        )
    events = merged(events, stored.events(topics))
    with_causes_of(clients, events)
    events = in_order([*events, *not_known(rebalances_of(clients, request.group), events)])
    history = History(
        events,
        request,
        lines,
        counts if counts.records else None,
        generations,
        clients,
    )
    for event in events:
        event.zone_assumed = history.zone_assumed and event.source != "offsets"
    link(events, request.gap_ms)
    return history


def _why_nothing(logs: Sequence[Readable], lines: Counts) -> str:
    if lines.undated:
        return (
            f"{counted(lines.undated, 'message')} of a group coordinator without a date, expected"
            " a date and a time in each line, or a date in a line above"
        )
    return what_instead_of_logs(logs) or _NOTHING


def _packed(
    request: HistoryRequest,
    logs: Sequence[Readable],
    keeps_texts: bool,
    refusals: list[ClientEvent],
) -> History:
    events = RebalancePack(request.gap_ms)
    lines, rest = _told_by_logs(request, logs, keeps_texts, events.add)
    if lines is not None and not lines.used and not refusals:
        raise SnapshotError(_why_nothing(logs, lines))
    for event in rest:
        events.add(event)
    history = History(events, request, lines, client_events=refusals)
    events.zone_assumed = history.zone_assumed
    return history


def _told_by_logs(
    request: HistoryRequest,
    logs: Sequence[Readable],
    keeps_texts: bool,
    done: Callable[[Rebalance], None] | None = None,
) -> tuple[Counts | None, list[Rebalance]]:
    if not logs:
        return None, []
    history, causes = LogHistory(logs, request.zone), LogCauses(request.group, done)
    for message in history:
        causes.take(message if keeps_texts else message._replace(text=""))
    return history.counts, causes.events()


def _of_clients(
    request: HistoryRequest, logs: Sequence[Readable], lines: Counts | None
) -> list[ClientEvent]:
    zone = None if request.zone is None else zone_of(request.zone)
    events = events_of(logs, zone, lines or Counts())
    return [event for event in events if request.group in (None, event.group)]


def _of_dumps(dump: Iterable[Readable], counts: RecordCounts) -> Iterable[Record]:
    for source in dump:
        if isinstance(source, Path):
            try:
                with source.open("rb") as lines:
                    yield from records_of_dump(lines, counts, source.name)
            except OSError as error:
                raise SnapshotError(
                    f"{source}: {error.strerror or error}, expected a readable dump"
                ) from None
        else:
            yield from records_of_dump(source[1].split(b"\n"), counts, source[0])


# The moment from which the history is complete.


def complete_since(events: Iterable[Rebalance]) -> dict[str, int | None]:
    """Return for each group the time since which no generation is missing in the history."""
    since_by_group: dict[str, int | None] = {}
    last: dict[str, int] = {}
    for event in events if isinstance(events, RebalancePack) else in_order(events):
        if event.group not in last or event.generation_before != last[event.group]:
            since_by_group[event.group] = event.time
        last[event.group] = event.generation
    return since_by_group


def is_complete(events: Sequence[Rebalance]) -> bool:
    """Return whether no rebalance is missing since the group's first generation.

    `events`: rebalances of one group, in order of time. False if a rebalance has no generation
    number.
    """
    first = min(events, key=lambda event: event.generation, default=None)
    since = complete_since(events)
    return (
        first is not None
        and first.number is not None
        and first.number <= (1 if first.protocol == CLASSIC else 2)
        and since[first.group] == first.time
    )


# Figures of conditions.


def longest_seconds(events: Sequence[Rebalance]) -> tuple[float, float]:
    """Return lower and upper bound for the length of the longest rebalance.

    The upper bound is infinite if the length of any rebalance is unknown.
    """
    known = [event.duration_ms / 1000 for event in events if event.duration_ms is not None]
    low = max(known, default=0.0)
    return low, low if len(known) == len(events) else math.inf


HOUR_MS = 3_600_000


def most_in_an_hour(events: Sequence[Rebalance]) -> int:
    """Return the number of rebalances that begin within the busiest hour."""
    times = sorted(event.time for event in events if event.time is not None)
    most, first = 0, 0
    for last, at in enumerate(times):
        while at - times[first] >= HOUR_MS:
            first += 1
        most = max(most, last - first + 1)
    return most
