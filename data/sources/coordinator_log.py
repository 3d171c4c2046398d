"""Reads a broker's log: messages of group coordinators about rebalances, Kafka 2.0 to 4.3. All
other lines are only counted.

    history = LogHistory([path], zone="Europe/Berlin")
    for message in history:  # oldest first; a line in two files is yielded once
        print(message.at, message.group, message.kind)
    history.counts.lines

Files are read in blocks, so memory does not grow with their size. Text in a client's reason that
looks like a message is not read.
"""

import codecs
import gzip
import heapq
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import BytesIO
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from typing import IO, NamedTuple, cast
from zoneinfo import ZoneInfo

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.clean import MOST_COMPARED, is_newest_first
from evenkeel.data.sources.coordinator_messages import CUT, SAME_KIND, message_of
from evenkeel.data.sources.log_lines import (
    ESCAPES,
    TIME,
    TIME_WITHIN,
    UTF16_MARKS,
    Clock,
    Counts,
    before_json,
    is_over_lines,
    json_parts,
    one_line_each,
    pieces_of,
    texts_behind,
)
from evenkeel.data.sources.source import Readable, distinct_name

NAME = "coordinator_log"
LOGGERS = (
    "org.apache.kafka.coordinator.group (kafka.coordinator.group up to 3.x) at INFO, which is"
    " Kafka's default"
)
MAX_MESSAGE = 4_000
"""Limit of a message's length, in characters. A reason has at most 255 characters, and no real name
is this long.
"""
HEAD_BYTES = 16 * 2**20
"""Limit of the bytes that recognition reads, after unpacking."""

_SIGN = b"[Group"
_BLOCK, _LONGEST_LINE = 1 << 22, 1 << 20


class LogMessage(NamedTuple):
    """One message. `number`: generation or epoch. `at`: time in milliseconds since 1970. `place`:
    file and line.
    """

    at: int
    broker: int | None
    kind: str
    group: str
    place: str
    text: str
    number: int | None = None
    member: str | None = None
    instance: str | None = None
    count: int | None = None
    reason: str | None = None
    state: str | None = None
    client: str | None = None
    session_ms: int | None = None


# A line: the text before the message, and the time in that text.

_PREFIX = re.compile(
    r"\[Group(?:Coordinator|MetadataManager| Metadata Manager on Broker)"
    r" (?:id=|brokerId=)?(\d{1,10})[^\[\]]{0,200}\]:? "
)


class _File:
    """Reads the messages of one file."""

    def __init__(self, name: str, zone: ZoneInfo | None, counts: Counts):
        self._name, self._counts, self._clock = name, counts, Clock(zone, counts)
        self._latest, self._is_stored = 0, False

    def messages(self, opened: IO[bytes], first_line: int = 1) -> Iterator[tuple[int, LogMessage]]:
        """Yield (latest time so far, message). A log with its newest line first is reversed."""
        messages = self._messages(opened, first_line)
        first = list(islice(messages, MOST_COMPARED))
        # With only two lines, the clock may have been corrected between them.
        is_sure = self._is_stored or len(first) > 2
        if is_sure and is_newest_first([message.at for message in first]):
            first = [*first, *messages]
            first.reverse()
            first.sort(key=attrgetter("at"))
        for message in chain(first, messages):
            self._latest = max(self._latest, message.at)
            yield self._latest, message

    def _messages(self, opened: IO[bytes], first_line: int) -> Iterator[LogMessage]:
        for number, line, above in self._candidates(opened, first_line):
            for piece in pieces_of(line, _PREFIX):
                message = self._parse(number, piece, above)
                if message is not None:
                    yield message

    def _candidates(self, opened: IO[bytes], first_line: int) -> Iterator[tuple[int, bytes, bytes]]:
        """Yield (number, text, line above) of each line that may contain a message."""
        number, rest, has_dropped = first_line, b"", False
        while block := opened.read(_BLOCK):
            data = rest + block
            end = data.rfind(b"\n") + 1
            yield from self._in_block(data[:end], number)
            number += data.count(b"\n", 0, end)
            rest = data[end:]
            if len(rest) > _LONGEST_LINE:
                # So long a line is not a log line; its start suffices to count it.
                rest, has_dropped = rest[:_LONGEST_LINE], True
        if rest:
            self._counts.cut += has_dropped
            yield from self._in_block(rest, number)
            number += 1
        self._counts.lines += number - first_line

    @staticmethod
    def _in_block(data: bytes, number: int) -> Iterator[tuple[int, bytes, bytes]]:
        counted = 0
        place = data.find(_SIGN)
        while place >= 0:
            begin, end = data.rfind(b"\n", 0, place) + 1, data.find(b"\n", place)
            end = len(data) if end < 0 else end
            number += data.count(b"\n", counted, begin)
            counted = begin
            above = data[data.rfind(b"\n", 0, max(begin - 1, 0)) + 1 : begin][:TIME_WITHIN]
            yield number, data[begin : min(end, begin + _LONGEST_LINE)], above
            place = data.find(_SIGN, end)

    def _parse(self, number: int, raw: bytes, above: bytes) -> LogMessage | None:
        parts = json_parts(raw, _PREFIX) if b"{" in raw else None
        line = ESCAPES.sub("", parts[1] if parts else raw.decode("utf-8", "replace").rstrip("\r"))
        prefix = _PREFIX.search(line)
        if prefix is None:
            return None
        text, message = _message(line[prefix.end() :])
        if message is None:
            self._counts.cut += bool(CUT.match(text[:MAX_MESSAGE]))
            return None
        head = line[: min(TIME_WITHIN, prefix.start())]
        outside = (parts[0] or before_json(raw)) if parts else ""
        self._is_stored |= bool(outside)
        at = self._clock.at(f"{outside} {head}" if TIME.search(head) else outside or head)
        if at is None and _SIGN not in above:
            at = self._clock.at(above.decode("utf-8", "replace"))
        if at is None:
            self._counts.undated += 1
            return None
        return self._kept(at, int(prefix[1][:9]), number, text, *message)

    def _kept(
        self, at: int, broker: int, number: int, text: str, kind: str, parts: dict
    ) -> LogMessage:
        counts = self._counts
        counts.used += 1
        counts.first = at if counts.first is None else min(at, counts.first)
        counts.last = at if counts.last is None else max(at, counts.last)
        counts.brokers.add(broker)
        return LogMessage(
            at,
            broker,
            SAME_KIND.get(kind, kind),
            sys.intern(parts.get("group") or parts.get("group2")),
            f"{self._name}:{number}",
            text,
            _number(parts.get("number")),
            parts.get("member") or parts.get("member2"),
            _instance(parts.get("instance")),
            _number(parts.get("count")),
            parts.get("reason"),
            parts.get("state"),
            parts.get("client") or None,
            _number(parts.get("session")),
        )


def _message(rest: str) -> tuple[str, tuple[str, dict] | None]:
    """Return the text of a log line, and its message as (kind, parts), or None if the text is no
    message.
    """
    text = ""
    for text in texts_behind(rest):
        if len(text) <= MAX_MESSAGE and (match := message_of(text)):
            return text, match
    return text, None


def _number(text: str | None) -> int | None:
    return None if text is None else int(text[:18])


def _instance(text: str | None) -> str | None:
    if text in (None, "null", "None"):
        return None
    return text[5:-1] if text.startswith("Some(") and text.endswith(")") else text


# Several files are read as one history.


class LogHistory:
    """The messages of several logs, oldest first. `counts` are complete after the iteration.

    Rotated files overlap: a message that several files contain, with the same broker, time and
    text, is yielded once.
    """

    def __init__(self, inputs: Iterable[Readable | tuple[str, IO[bytes]]], zone: str | None = None):
        self.counts = Counts()
        self.zone = zone or "UTC"
        self._zone = None if zone is None else zone_of(zone)
        self._inputs = list(inputs)

    def __iter__(self) -> Iterator[LogMessage]:
        names: set[str] = set()
        readers = [self._reader(source, names) for source in self._inputs]
        seen: set[tuple] = set()
        latest = None
        for order, file, message in heapq.merge(*readers, key=lambda entry: entry[0]):
            if message is None:
                continue
            if order != latest:
                latest, seen = order, set()
            key = (message.broker, message.at, message.text)
            if any((other, *key) in seen for other in range(len(readers)) if other != file):
                continue
            seen.add((file, *key))
            yield message

    def _reader(
        self, readable: Readable | tuple[str, IO[bytes]], names: set[str]
    ) -> Iterator[tuple[int, int, LogMessage | None]]:
        """Yield (latest time so far, file number, message). If there are several files, the first
        item is the file's first time without a message: the file is opened again only when the
        merge reaches this time.
        """
        name = distinct_name(readable[0] if isinstance(readable, tuple) else readable.name, names)
        names.add(name)
        place = len(names) - 1
        reader = _File(name, self._zone, self.counts)

        def messages() -> Iterator[tuple[int, int, LogMessage | None]]:
            try:
                first = None
                if isinstance(readable, Path) and len(self._inputs) > 1:
                    first = _first_time(readable, self._zone)
                if first is not None:
                    yield first, place, None
                with _opened(readable) as file:
                    for order, message in reader.messages(file):
                        yield order, place, message
            except (OSError, EOFError, zlib.error) as error:
                raise SnapshotError(
                    f"{name}: {getattr(error, 'strerror', None) or error}, expected a readable log"
                ) from None

        return messages()


def _first_time(path: Path, zone: ZoneInfo | None) -> int | None:
    with _opened(path) as file:
        return next((order for order, _ in _File(path.name, zone, Counts()).messages(file)), None)


def messages_of(
    opened: IO[bytes], name: str, zone: str | None, counts: Counts, first_line: int = 1
) -> Iterator[tuple[int, LogMessage]]:
    """Yield (time for sorting, message) of a file, or of the part of a file that starts at
    `first_line`.
    """
    return _File(name, None if zone is None else zone_of(zone), counts).messages(opened, first_line)


def zone_of(name: str) -> ZoneInfo:
    """Return the time zone with an IANA name.

    Raises
    ------
    SnapshotError
        If no time zone has this name.
    """
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise SnapshotError(
            f'zone: found "{name}", expected a name such as Europe/Berlin or UTC'
        ) from None


_STATED = 64
"""Number of bytes at the start of a file that show its compression and encoding."""


def _opened(readable: Readable | tuple[str, IO[bytes]]) -> IO[bytes]:
    if isinstance(readable, Path):
        file: IO[bytes] = readable.open("rb")
    else:
        file = BytesIO(readable[1]) if isinstance(readable[1], bytes) else readable[1]
    if not file.seekable():
        return file
    head = file.read(_STATED)
    mark = head[:2]
    is_packed = mark == b"\x1f\x8b"
    file.seek(0)
    if is_over_lines(head):
        with file:
            return BytesIO(one_line_each(file.read()))
    if mark in UTF16_MARKS:
        return cast("IO[bytes]", codecs.EncodedFile(file, "utf-8", "utf-16"))
    if is_packed and isinstance(readable, Path):
        # If `gzip.open` opens a file by its path, closing the stream also closes the file.
        file.close()
        return gzip.open(readable)
    return gzip.open(file) if is_packed else file


def recognises(head: bytes, file: str = "") -> bool:
    """Return whether a text contains a message of a group coordinator. Listings never do."""
    counts = Counts()
    text = _unpacked(head)
    text = one_line_each(text) if is_over_lines(text) else text
    return any(_File(file, None, counts).messages(BytesIO(text)))


_KEY = re.compile(rb'"key"\s*:\s*"[A-Za-z0-9+/]+=*"')


def is_dump(head: bytes) -> bool:
    """Return whether a text is a dump of __consumer_offsets: JSON Lines with keys and values in
    base64.
    """
    is_object = head.lstrip()[:1] == b"{" and b'"offset"' in head[:400]
    return is_object and _KEY.search(head[:66_000]) is not None


def _unpacked(head: bytes) -> bytes:
    if not head.startswith(b"\x1f\x8b"):
        return head
    pieces: list[bytes] = []
    with suppress(OSError, EOFError, zlib.error), gzip.open(BytesIO(head)) as file:
        while sum(map(len, pieces)) < HEAD_BYTES and (piece := file.read1(_LONGEST_LINE)):
            pieces.append(piece)
    return b"".join(pieces)[:HEAD_BYTES]
