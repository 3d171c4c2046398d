"""Reads logs of Kafka clients in any line layout: each client's messages about its group become
events.
"""

import gzip
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables.parsed import ParsedTables
from evenkeel.data.sources.client_event import (
    ClientEvent,
)
from evenkeel.data.sources.client_messages import (
    SIGNS,
)
from evenkeel.data.sources.client_reader import Reader
from evenkeel.data.sources.facts import Facts
from evenkeel.data.sources.log_lines import (
    UTF16_MARKS,
    Counts,
    is_over_lines,
    one_line_each,
)
from evenkeel.data.sources.source import START, Context

NAME = "evenkeel-client-log"
FORMAT = "a log of clients"
_LOOKED_AT = 4 << 20
LARGEST = 256 << 20
"""Size limit in bytes. Larger files are not searched for messages of clients."""


def recognises(head: bytes, file: str) -> bool:
    """Return whether a text contains a leader's assignment by Java's consumer, librdkafka or
    franz-go. Other clients do not log owners.
    """
    text = head[: 1 << 20]
    return (
        b"Finished assignment for group at generation" in text
        or (b"#consumer-" in text or b"[thrd:" in text)
        and b" assigned " in text
        or (b"balanced" in text and b"plan" in text and holds_events(text))
    )


def holds_events(head: bytes) -> bool:
    """Return whether the start of a text contains a client's message about its group."""
    text = _text_of(head[:_LOOKED_AT])
    has_sign = any(sign in text for sign in SIGNS)
    return has_sign and bool(Reader("", None, Counts()).events(text.split(b"\n")))


def parse(data: bytes, file: str, context: Context = START) -> ParsedTables:
    """Return each group's last assignment as owners without offsets. All other lines are notes."""
    lines = data.removesuffix(b"\n").split(b"\n")
    facts = Facts(file, context, len(lines))
    last: dict[str | None, ClientEvent] = {}
    protocols: dict[str | None, str] = {}
    for event in Reader(file, None, Counts()).events(lines):
        if event.more.get("protocol"):
            protocols[event.group] = event.more["protocol"]
        if event.event == "assignment_made" and event.assignment:
            last[event.group] = event
    if not last:
        raise SnapshotError(
            f"{file} is {FORMAT}: it has no assignment of a leader; evenkeel rebalances FILE reads"
            " it"
        )
    for group_id, event in last.items():
        line = int(event.place.rpartition(":")[2])
        about = {"group_id": group_id, "assignor": protocols.get(group_id)}
        for member_id, held in (event.assignment or {}).items():
            facts.add_member(line, about | {"member_id": member_id}, held)
    return facts.parsed(FORMAT)


def events_of(
    inputs: Iterable[Path | tuple[str, Any]], zone: ZoneInfo | None, counts: Counts
) -> list[ClientEvent]:
    """Return the clients' events in these logs, oldest first. Files that are too large, and pairs
    of a name and an open stream, are skipped.
    """
    events: list[ClientEvent] = []
    for source in inputs:
        name, data = _content(source)
        if data and any(sign in data for sign in SIGNS):
            events += Reader(name, zone, counts).events(data.removesuffix(b"\n").split(b"\n"))
    return sorted(events, key=lambda event: event.at or 0)


def _content(value: Any) -> tuple[str, bytes]:
    if isinstance(value, Path):
        try:
            data = value.read_bytes() if value.stat().st_size <= LARGEST else b""
        except OSError:
            return value.name, b""
        return value.name, _text_of(data)
    return value[0], _text_of(value[1]) if isinstance(value[1], bytes) else b""


def _text_of(data: bytes) -> bytes:
    """Return a file's text in UTF-8, unpacked; empty if it cannot be decoded."""
    try:
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        data = data.decode("utf-16").encode() if data.startswith(UTF16_MARKS) else data
    except (OSError, EOFError, ValueError):
        return b""
    return one_line_each(data) if is_over_lines(data) else data
