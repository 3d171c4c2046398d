"""A broker's log: what group coordinators of Kafka 2.0 to 4.3 say about rebalances, and all other lines counted.

    history = LogHistory([path], zone="Europe/Berlin")
    for said in history:  # in order of time, lines that two files share once
        print(said.at, said.group, said.kind)
    history.counts.lines

A file is read in blocks, so that memory does not grow with it. The text of a client's reason is never searched for messages.
"""

import gzip
import heapq
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import IO, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.inputs import Readable

NAME = "coordinator_log"
LOGGERS = "org.apache.kafka.coordinator.group (kafka.coordinator.group up to 3.x) at INFO, which is Kafka's default"
MAX_MESSAGE = 2_000
"""Characters of a message that are kept as evidence."""

_SIGN = b"[Group"
_BLOCK, _LONGEST_LINE = 1 << 22, 1 << 20
_TIME_WITHIN = 160


class Said(NamedTuple):
    """One message: `number` is its generation or epoch, `at` in milliseconds since 1970, `place` its file and line."""

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
    """What became of the lines: `used` and `undated` and `cut` are parts of `lines`, all others are foreign."""

    lines: int = 0
    used: int = 0
    undated: int = 0
    cut: int = 0
    first: int | None = None
    last: int | None = None
    is_naive: bool = False
    brokers: set[int] = field(default_factory=set)


# The messages. A group is the shortest text that lets the whole message match: names may hold words of the messages.

_P = r"(?: \(__consumer_offsets-\d+\))?"
_WHY = r"(?:; client reason: (?P<reason>.*?))?"
_PATTERNS = {
    "begins": (
        r"Preparing to rebalance group (?P<group>.+?)(?: in state (?P<state>\w+))? with old generation (?P<number>\d+)"
        + _P
        + r"(?: \(reason: (?P<reason>.*?)\))?\.?"
    ),
    "joined": r"Stabilized group (?P<group>.+?) generation (?P<number>\d+)" + _P + r"(?: with (?P<count>\d+) members)?\.?",
    "assigned": (
        r"Assignment received from leader(?: (?P<member>.+?))? for group (?P<group>.+?) for generation (?P<number>\d+)\.?"
        r"(?: The group has (?P<count>\d+) members, (?P<static>\d+) of which are static\.)?"
    ),
    "empty": r"Group (?P<group>.+?) with generation (?P<number>\d+) is now empty" + _P + r"\.?",
    "joins": (
        r"Pending dynamic member with id (?P<member>.+?) joins group (?P<group>.+?) in (?P<state>\w+) state\. "
        r"Adding to the group now\.?"
    ),
    "static_joins": (
        r"Static member with groupInstanceId=(?P<instance>.+?) and unknown member id joins group (?P<group>.+?) in (?P<state>\w+) "
        r"state\. Created a new member id (?P<member>.+?) for this member and add(?:ed)? to the group\.?"
    ),
    "static_back": (
        r"Static member with groupInstanceId=(?P<instance>.+?) and unknown member id (?:re)?joins group (?P<group>.+?) in (?P<state>\w+) "
        r"state\. Replacing previously mapped member (?P<member>.+?) with this groupInstanceId\.?"
    ),
    "leaves": r"\[Group(?:Id)? (?P<group>.+?)\] (?:Dynamic m|M)ember (?P<member>.+?) has left group through explicit `LeaveGroup`(?: request)?"
    + _WHY,
    "leaves_static": r"\[Group(?:Id)? (?P<group>.+?)\] Static member (?P<member>.+?) with instance id (?P<instance>.+?) has left group "
    r"through explicit `LeaveGroup`(?: request)?" + _WHY,
    "leaves_3": (
        r"Member MemberMetadata\(memberId=(?P<member>.+?), groupInstanceId=(?P<instance>.+?), clientId=(?P<client>.*?), clientHost=.*?, "
        r"sessionTimeoutMs=(?P<session>\d+), .*?\) has left group (?P<group>.+?) through explicit `LeaveGroup`(?: request)?" + _WHY
    ),
    "leaves_2": (
        r"Member\[group\.instance\.id (?P<instance>.+?), member\.id (?P<member>.+?)\] in group (?P<group>.+?) has left, "
        r"removing it from the group\.?"
    ),
    "fails": r"Member (?P<member>.+?) in group (?P<group>.+?) has failed, removing it from the group\.?",
    "removed": r"Group (?P<group>.+?) removed dynamic members who haven't joined: (?P<member>.+?)\.?",
    "loaded": r"Loaded (?:classic|consumer) group (?P<group>.+?) with (?P<count>\d+) members\.?",
    "loading": r"Loading group metadata for (?P<group>.+?) with generation (?P<number>\d+)\.?",
    "unloaded": r"(?:\[GroupId=(?P<group>.+?)\] Unload.*|Unloading group metadata for (?P<group2>.+?) with generation (?P<number>\d+)\.?)",
    "bumped": r"\[GroupId (?P<group>.+?)\] Bumped group epoch to (?P<number>\d+)(?: with metadata hash (?P<reason>-?\d+))?\.?",
    "target": (
        r"\[GroupId (?P<group>.+?)\] Computed a new target assignment for epoch (?P<number>\d+) with '(?P<reason>.+?)' assignor "
        r"in \d+ms\.?"
    ),
    "enters": (
        r"\[GroupId (?P<group>.+?)\] (?:Static member (?P<member2>.+?) with instance id (?P<instance>.+?)|Member (?P<member>.+?)) joins the "
        r"consumer group using the (?P<state>consumer|classic) protocol\.?"
    ),
    "replaces": (
        r"\[GroupId (?P<group>.+?)\] Static member with instance id (?P<instance>.+?) re-joins the consumer group using the \w+ protocol\. "
        r"Created a new member (?P<member>.+?) to replace the existing member (?P<reason>.+?)\.?"
    ),
    "away": r"\[GroupId (?P<group>.+?)\] Static member (?P<member>.+?) with instance id (?P<instance>.+?) temporarily left the consumer group\.?",
    "exits": (
        r"\[GroupId (?P<group>.+?)\] (?:Static member (?P<member2>.+?) with instance id (?P<instance>.+?)|Member (?P<member>.+?)) "
        r"left the consumer group\.?"
    ),
    "fenced": (
        r"\[GroupId (?P<group>.+?)\] Member (?P<member>.+?) fenced from the group because "
        r"(?P<reason>the member session expired|it failed to transition from epoch -?\d+ within \d+ms)\.?"
    ),
    "converted": r"\[GroupId (?P<group>.+?)\] Converted the (?P<state>empty )?(?P<reason>\w+ group to a \w+) group\.?",
    "member_state": r"\[GroupId (?P<group>.+?)\] Member (?P<member>.+?) new assignment state: (?P<reason>.*)",
    "subscribes": (
        r"\[GroupId (?P<group>.+?)\] Member (?P<member>.+?) updated its (?P<reason>subscribed topics|subscribed regex) to: .*"
    ),
    "hashed": r"\[GroupId (?P<group>.+?)\] Computed (?:a )?new metadata hash: (?P<reason>-?\d+)\.?",
}
_COMPILED = [(kind, re.compile(pattern)) for kind, pattern in _PATTERNS.items()]
_STARTS = (
    ("Preparing to rebalance group ", ("begins",)),
    ("Stabilized group ", ("joined",)),
    ("Assignment received from leader", ("assigned",)),
    ("Pending dynamic member with id ", ("joins",)),
    ("Static member with groupInstanceId=", ("static_joins", "static_back")),
    ("Member MemberMetadata(memberId=", ("leaves_3",)),
    ("Member[group.instance.id ", ("leaves_2",)),
    ("Member ", ("fails",)),
    ("Loaded ", ("loaded",)),
    ("Loading group metadata for ", ("loading",)),
    ("Unloading group metadata for ", ("unloaded",)),
    ("[GroupId=", ("unloaded",)),
    (
        "[GroupId ",
        (
            *("bumped", "target", "exits", "enters", "fenced", "replaces", "away", "converted", "member_state", "subscribes"),
            *("leaves", "leaves_static", "hashed"),
        ),
    ),
    ("[Group ", ("leaves", "leaves_static")),
    ("Group ", ("empty", "removed")),
)
_BY_START = tuple((start, tuple((kind, dict(_COMPILED)[kind]) for kind in kinds)) for start, kinds in _STARTS)
_CUT = re.compile(
    r"Preparing to rebalance group .*|Stabilized group .*|Assignment received from leader .*|Pending dynamic member with id .*"
    r"|Member MemberMetadata\(.*|Member\[group\.instance\.id .*|\[GroupId .+\] (?:Bumped group ep|Computed a new target).*"
)
_SAME_KIND = {"leaves_3": "leaves", "leaves_2": "leaves", "leaves_static": "leaves", "loading": "loaded", "static_joins": "joins"}


def message_of(text: str) -> tuple[str, dict] | None:
    """Return the kind and the parts of a coordinator's message; None for any other text."""
    for start, candidates in _BY_START:
        if text.startswith(start):
            for kind, pattern in candidates:
                if found := pattern.fullmatch(text):
                    return kind, found.groupdict()
            return None
    return None


# One line: what stands before the message, and the time in it.

_PREFIX = re.compile(r"\[Group(?:Coordinator|MetadataManager| Metadata Manager on Broker) (?:id=|brokerId=)?(\d+)[^\]]*\]:? ")
_LOGGER = re.compile(r" \((?:org\.apache\.)?kafka\.[\w.$]+\)\s*$")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d):(\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?")
_MESSAGE_KEYS, _TIME_KEYS = ("message", "msg"), ("@timestamp", "timestamp", "time", "ts")


class _Clock:
    """Times of one file in a zone; an hour that comes twice is the second one after the clock has gone back."""

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
            return self._minute(f"{day} {minute}", offset) + millis
        except ValueError:
            return None

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
        # Minutes: a clock that is set right goes back by less.
        has_turned = self._last - plain > 20 * 60 or self._fold == 1
        self._fold = int(first.utcoffset() != second.utcoffset() and has_turned)
        self._last = plain
        return round((second if self._fold else first).timestamp()) * 1000


def _json_parts(line: bytes) -> tuple[str, str] | None:
    """Return the time and the message of a line of JSON; None where it is none."""
    try:
        value = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return None
    if not isinstance(value, dict):
        return None
    message = next((value[key] for key in _MESSAGE_KEYS if isinstance(value.get(key), str)), None)
    time = next((value[key] for key in _TIME_KEYS if key in value), "")
    if message is None:
        return None
    if isinstance(time, int | float) and 0 < time < 1e14:
        millis = time if time > 1e11 else time * 1000
        time = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=millis)).isoformat(timespec="milliseconds")
    return str(time), message


class _File:
    """The messages of one file, in its order."""

    def __init__(self, name: str, zone: ZoneInfo | None, counts: Counts):
        self._name, self._counts, self._clock = name, counts, _Clock(zone, counts)
        self._latest = 0

    def said(self, opened: IO[bytes]) -> Iterator[tuple[int, Said]]:
        """Yield messages with the time that orders them: never before the message above."""
        for number, line in self._candidates(opened):
            one = self._parse(number, line)
            if one is not None:
                self._latest = max(self._latest, one.at)
                yield self._latest, one

    def _candidates(self, opened: IO[bytes]) -> Iterator[tuple[int, bytes]]:
        number, rest, has_dropped = 1, b"", False
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
        self._counts.lines += number - 1

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
        found = message_of(text)
        if found is None:
            self._counts.cut += bool(_CUT.match(text))
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
            _SAME_KIND.get(kind, kind),
            sys.intern(parts.get("group") or parts.get("group2")),
            f"{self._name}:{number}",
            text[:MAX_MESSAGE],
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

    Lines of different files that are equal in broker, time and message count once: rotated files overlap.
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
            if order != latest:
                latest, seen = order, set()
            key = (said.broker, said.at, said.text)
            if any((other, *key) in seen for other in range(len(readers)) if other != file) and len(readers) > 1:
                continue
            seen.add((file, *key))
            yield said

    def _reader(self, one: Readable | tuple[str, IO[bytes]], names: set[str]) -> Iterator[tuple[int, int, Said]]:
        name = distinct_place(one[0] if isinstance(one, tuple) else one.name, names)
        place = len(names) - 1
        reader = _File(name, self._zone, self.counts)

        def messages() -> Iterator[tuple[int, int, Said]]:
            try:
                with _opened(one) as file:
                    for order, said in reader.said(file):
                        yield order, place, said
            except (OSError, EOFError) as error:
                raise SnapshotError(f"{name}: {getattr(error, 'strerror', None) or error}, expected a readable log") from None

        return messages()


def distinct_place(name: str, taken: set[str]) -> str:
    """Return the name of a file in places of evidence, numbered where another file has it; note it in `taken`."""
    number, distinct = 1, name
    while distinct in taken:
        number += 1
        distinct = f"{name} ({number})"
    taken.add(distinct)
    return distinct


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
        raise SnapshotError(f'zone: found "{name}", expected a name such as Europe/Berlin or UTC') from None


def _opened(one: Readable | tuple[str, IO[bytes]]) -> IO[bytes]:
    if isinstance(one, Path):
        file: IO[bytes] = one.open("rb")
    else:
        file = BytesIO(one[1]) if isinstance(one[1], bytes) else one[1]
    if not file.seekable():
        return file
    is_packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    return gzip.open(file) if is_packed else file


def recognises(head: bytes, file: str = "") -> bool:
    """Tell whether a text holds a message of a group coordinator; listings never do."""
    counts = Counts()
    return any(_File(file, None, counts).said(BytesIO(_unpacked(head))))


def _unpacked(head: bytes) -> bytes:
    if not head.startswith(b"\x1f\x8b"):
        return head
    import zlib

    try:
        return zlib.decompressobj(31).decompress(head, 1 << 20)
    except zlib.error:
        return b""
