"""A broker's log: what group coordinators of Kafka 2.0 to 4.3 say about rebalances, and all other
lines counted.

    history = LogHistory([path], zone="Europe/Berlin")
    for said in history:  # in order of time, lines that two files share once
        print(said.at, said.group, said.kind)
    history.counts.lines

A file is read in blocks, so that memory does not grow with it. The text of a client's reason is
never searched for messages.
"""

import gzip
import heapq
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import IO, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.coordinator_messages import CUT, SAME_KIND, message_of
from evenkeel.data.sources.inputs import Readable, distinct_name

NAME = "coordinator_log"
LOGGERS = "org.apache.kafka.coordinator.group (kafka.coordinator.group up to 3.x) at INFO, which is Kafka's default"
MAX_MESSAGE = 4_000
"""Characters of a message: a reason has 255, and names of this length are no names."""
HEAD_BYTES = 16 * 2**20
"""As much of a file as recognition looks at, unpacked where it is packed."""
LAST_MOMENT_MS = 253_402_300_799_999
"""The end of the year 9999, in milliseconds since 1970: a time of Python goes no further."""

_SIGN = b"[Group"
_BLOCK, _LONGEST_LINE = 1 << 22, 1 << 20
_TIME_WITHIN = 160


class Said(NamedTuple):
    """One message: `number` is its generation or epoch, `at` in milliseconds since 1970, `place`
    its file and line.
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


@dataclass
class Counts:
    """What became of the lines: `used` and `undated` and `cut` are parts of `lines`, all others are
    foreign.
    """

    lines: int = 0
    used: int = 0
    undated: int = 0
    cut: int = 0
    first: int | None = None
    last: int | None = None
    is_naive: bool = False
    brokers: set[int] = field(default_factory=set)


# One line: what stands before the message, and the time in it.

_PREFIX = re.compile(
    r"\[Group(?:Coordinator|MetadataManager| Metadata Manager on Broker) (?:id=|brokerId=)?(\d{1,10})[^\[\]]{0,200}\]:? "
)
_LOGGER = re.compile(r" \((?:org\.apache\.)?kafka\.[\w.$]+\)\s*$")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d):(\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?")
_MESSAGE_KEYS, _TIME_KEYS = ("message", "msg"), ("@timestamp", "timestamp", "time", "ts")


class _Clock:
    """Times of one file in a zone; an hour that comes twice is the second one after the clock has
    gone back.
    """

    def __init__(self, zone: ZoneInfo | None, counts: Counts):
        self._zone, self._counts = zone, counts
        self._text, self._millis, self._last, self._fold = "", 0, 0, 0

    def at(self, text: str) -> int | None:
        """Return the time in a text, in milliseconds since 1970; None where there is none."""
        times = list(_TIME.finditer(text))
        found = next((one for one in times if one[5]), times[0] if times else None)
        if found is None:
            return None
        day, minute, second, part, offset = found.groups()
        millis = int(second) * 1000 + int((part or "0")[:3].ljust(3, "0"))
        try:
            moment = self._minute(f"{day} {minute}", offset) + millis
        except ValueError:
            return None
        return moment if 0 <= moment <= LAST_MOMENT_MS else None

    def _minute(self, text: str, offset: str | None) -> int:
        if offset:
            zoned = datetime.fromisoformat(f"{text}{'+00:00' if offset == 'Z' else offset}")
            return round(zoned.timestamp()) * 1000
        self._counts.is_naive = True
        if text != self._text:
            self._text, self._millis = text, self._local(datetime.fromisoformat(text))
        return self._millis

    def _local(self, naive: datetime) -> int:
        if self._zone is None:
            return round(naive.replace(tzinfo=UTC).timestamp()) * 1000
        plain = round(naive.replace(tzinfo=UTC).timestamp())
        first, second = (naive.replace(tzinfo=self._zone, fold=fold) for fold in (0, 1))
        # A clock that is set right goes back by seconds.
        has_turned = self._last - plain > 60 or self._fold == 1
        self._fold = int(first.utcoffset() != second.utcoffset() and has_turned)
        self._last = plain
        return round((second if self._fold else first).timestamp()) * 1000


def _json_parts(line: bytes) -> tuple[str, str] | None:
    """Return the time and the message of a line of JSON; None where it is none."""
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    message = next((value[key] for key in _MESSAGE_KEYS if isinstance(value.get(key), str)), None)
    time = next((value[key] for key in _TIME_KEYS if key in value), "")
    if message is None:
        return None
    if isinstance(time, int | float) and 0 < time < 1e14:
        millis = time if time > 1e11 else time * 1000
        time = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=millis)).isoformat(
            timespec="milliseconds"
        )
    return str(time), message


class _File:
    """The messages of one file, in its order."""

    def __init__(self, name: str, zone: ZoneInfo | None, counts: Counts):
        self._name, self._counts, self._clock = name, counts, _Clock(zone, counts)
        self._latest = 0

    def said(self, opened: IO[bytes], first_line: int = 1) -> Iterator[tuple[int, Said]]:
        """Yield messages with the time that orders them: never before the message above."""
        for number, line in self._candidates(opened, first_line):
            one = self._parse(number, line)
            if one is not None:
                self._latest = max(self._latest, one.at)
                yield self._latest, one

    def _candidates(self, opened: IO[bytes], first_line: int) -> Iterator[tuple[int, bytes]]:
        number, rest, has_dropped = first_line, b"", False
        while block := opened.read(_BLOCK):
            data = rest + block
            end = data.rfind(b"\n") + 1
            yield from self._in_block(data[:end], number)
            number += data.count(b"\n", 0, end)
            rest = data[end:]
            if len(rest) > _LONGEST_LINE:
                # A line of this length is no log line: its begin is enough to count it.
                rest, has_dropped = rest[:_LONGEST_LINE], True
        if rest:
            self._counts.cut += has_dropped
            yield from self._in_block(rest, number)
            number += 1
        self._counts.lines += number - first_line

    @staticmethod
    def _in_block(data: bytes, number: int) -> Iterator[tuple[int, bytes]]:
        counted = 0
        place = data.find(_SIGN)
        while place >= 0:
            begin, end = data.rfind(b"\n", 0, place) + 1, data.find(b"\n", place)
            end = len(data) if end < 0 else end
            number += data.count(b"\n", counted, begin)
            counted = begin
            yield number, data[begin : min(end, begin + _LONGEST_LINE)]
            place = data.find(_SIGN, end)

    def _parse(self, number: int, raw: bytes) -> Said | None:
        parts = _json_parts(raw) if raw.lstrip()[:1] == b"{" else None
        if parts is None:
            line = raw.decode("utf-8", "replace").rstrip("\r")
            prefix = _PREFIX.search(line)
            head = line[: min(_TIME_WITHIN, prefix.start() if prefix else _TIME_WITHIN)]
        else:
            head, line = parts
            prefix = _PREFIX.search(line)
        if prefix is None:
            return None
        text = _LOGGER.sub("", line[prefix.end() :]).rstrip()
        found = message_of(text) if len(text) <= MAX_MESSAGE else None
        if found is None:
            self._counts.cut += bool(CUT.match(text[:MAX_MESSAGE]))
            return None
        at = self._clock.at(head)
        if at is None:
            self._counts.undated += 1
            return None
        return self._kept(at, int(prefix[1][:9]), number, text, *found)

    def _kept(self, at: int, broker: int, number: int, text: str, kind: str, parts: dict) -> Said:
        counts = self._counts
        counts.used += 1
        counts.first = at if counts.first is None else min(at, counts.first)
        counts.last = at if counts.last is None else max(at, counts.last)
        counts.brokers.add(broker)
        return Said(
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


def _number(text: str | None) -> int | None:
    return None if text is None else int(text[:18])


def _instance(text: str | None) -> str | None:
    if text in (None, "null", "None"):
        return None
    return text[5:-1] if text.startswith("Some(") and text.endswith(")") else text


# Several files are one history.


class LogHistory:
    """The messages of logs in order of time; `counts` are complete when all have been taken.

    Lines of different files that are equal in broker, time and message count once: rotated files
    overlap.
    """

    def __init__(self, inputs: Iterable[Readable | tuple[str, IO[bytes]]], zone: str | None = None):
        self.counts = Counts()
        self.zone = zone or "UTC"
        self._zone = None if zone is None else zone_of(zone)
        self._inputs = list(inputs)

    def __iter__(self) -> Iterator[Said]:
        names: set[str] = set()
        readers = [self._reader(one, names) for one in self._inputs]
        seen: set[tuple] = set()
        latest = None
        for order, file, said in heapq.merge(*readers, key=lambda one: one[0]):
            if said is None:
                continue
            if order != latest:
                latest, seen = order, set()
            key = (said.broker, said.at, said.text)
            if (
                any((other, *key) in seen for other in range(len(readers)) if other != file)
                and len(readers) > 1
            ):
                continue
            seen.add((file, *key))
            yield said

    def _reader(
        self, one: Readable | tuple[str, IO[bytes]], names: set[str]
    ) -> Iterator[tuple[int, int, Said | None]]:
        """Yield the messages of a file. One of several is opened when its first time is reached,
        which comes without a message.
        """
        name = distinct_name(one[0] if isinstance(one, tuple) else one.name, names)
        names.add(name)
        place = len(names) - 1
        reader = _File(name, self._zone, self.counts)

        def messages() -> Iterator[tuple[int, int, Said | None]]:
            try:
                if (
                    isinstance(one, Path)
                    and len(self._inputs) > 1
                    and (first := _first_time(one, self._zone)) is not None
                ):
                    yield first, place, None
                with _opened(one) as file:
                    for order, said in reader.said(file):
                        yield order, place, said
            except (OSError, EOFError, zlib.error) as error:
                raise SnapshotError(
                    f"{name}: {getattr(error, 'strerror', None) or error}, expected a readable log"
                ) from None

        return messages()


def _first_time(path: Path, zone: ZoneInfo | None) -> int | None:
    with _opened(path) as file:
        return next((order for order, _ in _File(path.name, zone, Counts()).said(file)), None)


def messages_of(
    opened: IO[bytes], name: str, zone: str | None, counts: Counts, first_line: int = 1
) -> Iterator[tuple[int, Said]]:
    """Yield the messages of one file, or of a part of it that begins with `first_line`, each with
    the time that orders it.
    """
    return _File(name, None if zone is None else zone_of(zone), counts).said(opened, first_line)


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by its IANA name.

    Raises
    ------
    SnapshotError
        When there is none of this name.
    """
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise SnapshotError(
            f'zone: found "{name}", expected a name such as Europe/Berlin or UTC'
        ) from None


def _opened(one: Readable | tuple[str, IO[bytes]]) -> IO[bytes]:
    if isinstance(one, Path):
        file: IO[bytes] = one.open("rb")
    else:
        file = BytesIO(one[1]) if isinstance(one[1], bytes) else one[1]
    if not file.seekable():
        return file
    is_packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    if is_packed and isinstance(one, Path):
        # What is opened by its path is closed with it.
        file.close()
        return gzip.open(one)
    return gzip.open(file) if is_packed else file


def recognises(head: bytes, file: str = "") -> bool:
    """Tell whether a text holds a message of a group coordinator; listings never do."""
    counts = Counts()
    return any(_File(file, None, counts).said(BytesIO(_unpacked(head))))


def _unpacked(head: bytes) -> bytes:
    if not head.startswith(b"\x1f\x8b"):
        return head
    pieces: list[bytes] = []
    with suppress(OSError, EOFError, zlib.error), gzip.open(BytesIO(head)) as file:
        while sum(map(len, pieces)) < HEAD_BYTES and (piece := file.read1(_LONGEST_LINE)):
            pieces.append(piece)
    return b"".join(pieces)[:HEAD_BYTES]
