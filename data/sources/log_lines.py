"""Reads a log line of any layout: its time, its message, and other fields."""

import codecs
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from evenkeel.data.sources.clean import MOST_COMPARED, is_newest_first, unfenced

LAST_MOMENT_MS = 253_402_300_799_999
"""The end of the year 9999 in milliseconds since 1970, the largest time in Python."""

UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

TIME_WITHIN = 600
"""Number of bytes at the start of a line that are searched for its time."""

_LOGGER = re.compile(
    r" \((?:(?:org\.apache\.)?kafka\.[\w.$]+|(?:[a-z][\w$-]*\.)+[A-Z]\w*)(?::\d+)?\)"
    r"(?=(?:\\n)?\"?[,\s]*$|\s+[\[{\-]|\s+[\w.-]+=)"
)
_TAIL = re.compile(
    r"\s+(?:\[[^\[\]]*\]|\{.*\}|- [\w.-]+=.*|[\w.-]+=\S*)\s*$|\|[\w.-]+=[^|]*$|(?:\\n)?\"[,\s]*$"
)
"""Thread, fields and quotes after a message that has no logger name."""

ESCAPES = re.compile(r"(?:\x1b|\\u001[bB]|#033)\[[0-9;]*m")
_RAW_ESCAPES = re.compile(rb"\x1b\[[0-9;]*m")
_LEVEL = re.compile(r"\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b")
TIME = re.compile(
    r"(\d{4}[-/]\d\d[-/]\d\d)[ T](\d\d:\d\d):(\d\d)(?:[.,](\d{1,9}))?(?: ?(Z\b|[+-]\d\d:?\d\d))?"
)
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_IN_WORDS = re.compile(
    rf"(?:(?P<day>\d\d?)[ /-](?P<month>{'|'.join(_MONTHS)})[ /-]"
    rf"|(?P<month_first>{'|'.join(_MONTHS)}) (?P<day_last>\d\d?), )"
    r"(?P<year>\d{4})[ :](?P<hour>\d\d?):(?P<rest>\d\d:\d\d(?:[.,]\d+)?)(?: (?P<half>AM|PM))?"
)
"""`20 Nov 2026 09:15:02,100`, `[20/Nov/2026:09:15:02 +0000]`, `Jul 17, 2026 1:50:29 PM`."""

_OF_DAY = re.compile(r"\W{0,3}(\d\d:\d\d:\d\d[.,]\d{3})\b")
_LONGEST_TAIL, _MOST_BEHIND = 300, 65_536
_QUARTER_MS, _NEAR_MS = 900_000, 30_000
_FARTHEST_MS = 14 * 3_600_000
"""Largest distance of a time zone from UTC."""

_TIME_KEYS = ("@timestamp", "timestamp", "time", "ts", "instant", "timeMillis") + (
    "_time",
    "date",
    "TimeGenerated",
    "__REALTIME_TIMESTAMP",
)
_MOST_LEVELS = 6
_NANOS = re.compile(r"\d{19}")
"""A time in Loki's answers."""

_SINCE_1970 = re.compile(r"\d{10}|\d{13}|\d{16}|\d{19}")
_UNITS = ((1e11, 1), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9))
"""(limit, units in a second) of each unit. The size of a time since 1970 shows its unit."""


@dataclass
class Counts:
    """Counts of lines. `lines`: all lines. `used`: messages that were read. `undated`: messages
    without a time. `cut`: truncated messages. All other lines are foreign.
    """

    lines: int = 0
    used: int = 0
    undated: int = 0
    cut: int = 0
    first: int | None = None
    last: int | None = None
    is_naive: bool = False
    brokers: set[int] = field(default_factory=set)


class Clock:
    """Reads the times of one file in a zone. In autumn an hour occurs twice: after the file's clock
    was set back, times are in the second of the two hours.
    """

    def __init__(self, zone: ZoneInfo | None, counts: Counts):
        self._zone, self._counts = zone, counts
        self._text, self._millis, self._last, self._fold = "", 0, 0, 0
        self._day = ""

    def at(self, text: str) -> int | None:
        """Return the time in a text, in milliseconds since 1970; None if the text has no time."""
        text = self._with_date(text)
        level = _LEVEL.search(text)
        times = list(TIME.finditer(text, 0, level.start() if level else len(text)))
        times = times or list(TIME.finditer(text))
        if not times:
            return None
        own = times[-1] if level else times[0]
        moment = self._moment(own)
        zoned = next((time for time in times if time[5]), None)
        if own[5] or zoned is None or moment is None:
            return moment
        return self._in_zone_of(own, moment, zoned)

    def _with_date(self, text: str) -> str:
        """Return a text with its time in ISO 8601. A time without a date gets the date of the
        latest dated line.
        """
        if date := TIME.search(text):
            self._day = date[1]
            return text
        if words := _IN_WORDS.search(text):
            text = f"{text[: words.start()]}{_iso(words)}{text[words.end() :]}"
            return self._with_date(text)
        of_day = _OF_DAY.match(text) if self._day else None
        return f"{self._day} {text[of_day.start(1) :]}" if of_day else text

    def _in_zone_of(self, own: re.Match, moment: int, zoned: re.Match) -> int | None:
        """Return a line's time without a zone. The line also has a time with a zone; the UTC offset
        is chosen so that the two times are equal.
        """
        before, was_naive = self._moment(zoned), self._counts.is_naive
        if before is None:
            return moment
        here = self._read_in_utc(own)
        offset = round((here - before) / _QUARTER_MS) * _QUARTER_MS
        is_near = abs(here - before - offset) <= _NEAR_MS and abs(offset) <= _FARTHEST_MS
        self._counts.is_naive = was_naive and not is_near
        return here - offset if is_near else moment

    def _read_in_utc(self, time: re.Match) -> int:
        day, minute, second, part, _ = time.groups()
        zoned = datetime.fromisoformat(f"{day.replace('/', '-')} {minute}+00:00")
        return round(zoned.timestamp()) * 1000 + _millis(second, part)

    def _moment(self, time: re.Match) -> int | None:
        day, minute, second, part, offset = time.groups()
        try:
            moment = self._minute(f"{day.replace('/', '-')} {minute}", offset) + _millis(
                second, part
            )
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
        # Corrections set the clock back only by seconds.
        has_turned = self._last - plain > 60 or self._fold == 1
        self._fold = int(first.utcoffset() != second.utcoffset() and has_turned)
        self._last = plain
        return round((second if self._fold else first).timestamp()) * 1000


def _iso(words: re.Match) -> str:
    month = _MONTHS.index(words["month"] or words["month_first"]) + 1
    hour, day = int(words["hour"]), int(words["day"] or words["day_last"])
    if words["half"]:
        hour = hour % 12 + 12 * (words["half"] == "PM")
    return f"{words['year']}-{month:02d}-{day:02d} {hour:02d}:{words['rest']}"


def _millis(second: str, part: str | None) -> int:
    return int(second) * 1000 + int((part or "0")[:3].ljust(3, "0"))


class JsonPart(NamedTuple):
    """A string in JSON that contains a message. `keys`: the object that contains the string.
    `time`: the time of this object, or of an object around it.
    """

    time: str
    text: str
    keys: dict


def json_parts(line: bytes, sign: re.Pattern) -> JsonPart | None:
    """Return the first message in a line with JSON, None without a message."""
    value = json_object(line)
    return None if value is None else next(_messages_in(value, sign, "", 0, {}), None)


_JSON_TEXT = re.compile(
    rb'"(?:log|message|msg|line|textPayload|body|@message|_raw|MESSAGE)"\s*:\s*("(?:[^"\\]|\\.)*")'
    rb'|\[\s*"(\d{19})"\s*,\s*("(?:[^"\\]|\\.)*")'
)
"""The text of a log line in docker's json-file, CloudWatch, Elasticsearch and Loki."""


def texts_in_json(text: bytes) -> bytes | None:
    """Return the log lines inside JSON of a log store, None for every other text. If the newest
    line is first, the lines are reversed.
    """
    if text.lstrip()[:1] not in (b"{", b"[") or not _JSON_TEXT.search(text[: 1 << 16]):
        return None
    lines: list[list[str]] = []
    times: list[str] = []
    for line in text.split(b"\n"):
        matches = _JSON_TEXT.findall(line)
        lines.append([_unquoted(of_key or of_pair) for of_key, _, of_pair in matches])
        if len(times) < MOST_COMPARED:
            of_line = time_in(json_object(line) or {}) if len(matches) == 1 else ""
            times += [nanos.decode() or of_line for _, nanos, _ in matches]
    if all(times) and is_newest_first(times):
        # There is no line after the final line end.
        last: list[list[str]] = [[]] if not lines[-1] else []
        lines = [texts[::-1] for texts in lines[: len(lines) - len(last)][::-1]] + last
    # JSON can contain unpaired surrogates, UTF-8 cannot.
    return "\n".join("\n".join(texts) for texts in lines).encode("utf-8", "replace")


def _unquoted(string: bytes) -> str:
    try:
        return json.loads(string).removesuffix("\n")
    except ValueError:
        return ""


_OVER_LINES = re.compile(rb"\s*(?:\[\s*\{|\{)[ \t\r]*\n")


def is_over_lines(head: bytes) -> bool:
    """Return whether a text starts with a JSON object over several lines."""
    return _OVER_LINES.match(head) is not None


def one_line_each(data: bytes) -> bytes:
    """Put each JSON object on one line. Its other lines become blank, so line numbers do not
    change.
    """
    text = data.decode("utf-8", "replace")
    pieces: list[str] = []
    at = 0
    with suppress(ValueError, RecursionError):
        while (begin := text.find("{", at)) >= 0:
            value, end = json.JSONDecoder().raw_decode(text, begin)
            below = "\n" * text.count("\n", begin, end)
            pieces += [text[at:begin], json.dumps(value), below]
            at = end
    return "".join([*pieces, text[at:]]).encode()


_SEVERAL = re.compile(rb'"(?:message|textPayload|log|line|msg|body)"\s*:|"values"\s*:\s*\[\s*\[')


def pieces_of(line: bytes, sign: re.Pattern) -> Iterator[bytes]:
    """If a line is an answer of CloudWatch, Elasticsearch or Loki with several messages, yield a
    JSON line for each message. Every other line is yielded unchanged.
    """
    is_answer = b"{" in line and (len(_SEVERAL.findall(line)) > 1 or b'"values"' in line)
    value = _json_value(line) if is_answer else None
    parts = [] if value is None else list(_messages_in(value, sign, "", 0, {}))
    if len(parts) < 2:
        yield line
        return
    for part in parts:
        time = {"@timestamp": part.time} if part.time else {}
        yield msgspec.json.encode(part.keys | time | {"message": part.text})


def before_json(line: bytes) -> str:
    """Return the text before the JSON in a line, because it may contain the time. It is empty if
    the line has no JSON."""
    begin = line.find(b"{")
    return line[: min(begin, TIME_WITHIN)].decode("utf-8", "replace") if begin > 0 else ""


def json_object(line: bytes) -> dict | None:
    """Return the first JSON object in a line, None if the line has no object."""
    value = _json_value(line)
    first = value[0] if isinstance(value, list) and value else value
    return first if isinstance(first, dict) else None


def _json_value(line: bytes) -> object:
    """Return the JSON object in a line, or a list of adjacent objects."""
    if b"\x1b" in line:
        line = _RAW_ESCAPES.sub(b"", line)
    begin = line.find(b"{")
    if begin < 0 or b'"' not in line[begin : begin + 4]:
        return None
    text = line[begin : line.rfind(b"}") + 1]
    for whole in (text, b"[" + text + b"]"):
        with suppress(ValueError, RecursionError):
            return msgspec.json.decode(whole)
    with suppress(ValueError, RecursionError):
        # Another object, or an extra bracket, may follow the first object.
        return json.JSONDecoder().raw_decode(text.decode("utf-8", "replace"))[0]
    return None


def _messages_in(
    value: object, sign: re.Pattern, time: str, level: int, keys: dict
) -> Iterator[JsonPart]:
    """Yield the strings in a JSON value that contain a message, each with the time of the innermost
    object that has a time."""
    if isinstance(value, str):
        inside = _json_in(value) if level <= _MOST_LEVELS else None
        if inside is not None:
            yield from _messages_in(inside, sign, time, level + 1, keys)
        elif sign.search(value):
            yield JsonPart(time, value, keys)
        return
    if level > _MOST_LEVELS or not isinstance(value, dict | list):
        return
    if isinstance(value, dict):
        time, keys = time_in(value) or time, value
    else:
        keys = {}
        if len(value) == 2 and isinstance(value[0], str) and _NANOS.fullmatch(value[0]):
            time = _json_time(value[0])
    for each in value.values() if isinstance(value, dict) else value:
        yield from _messages_in(each, sign, time, level + 1, keys)


def _json_in(text: str) -> object:
    if text.lstrip()[:1] == "{":
        with suppress(ValueError, RecursionError):
            return msgspec.json.decode(text)
    return None


def time_in(value: dict) -> str:
    """Return the time in a log object, empty without a time."""
    return next(filter(None, (_json_time(value.get(key)) for key in _TIME_KEYS)), "")


def _json_time(time: object) -> str:
    if isinstance(time, dict):
        seconds, nanos = time.get("epochSecond"), time.get("nanoOfSecond", 0)
        time = seconds + nanos / 1e9 if isinstance(seconds, int) else None
    if isinstance(time, str) and _SINCE_1970.fullmatch(time):
        time = int(time)
    if isinstance(time, int | float) and 0 < time < 1e20:
        unit = next(unit for limit, unit in _UNITS if time < limit)
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=time * 1e6 / unit)
        return moment.isoformat(timespec="milliseconds")
    return time if isinstance(time, str) else ""


def texts_behind(rest: str) -> Iterator[str]:
    """Yield possible messages in the text after a prefix. The first ends before the logger's name.
    Each following text lacks one more part at the end, such as a thread or a field.
    """
    rest = unfenced(rest[:_MOST_BEHIND])
    loggers = list(_LOGGER.finditer(rest))
    text = (rest[: loggers[-1].start()] if loggers else rest).rstrip()
    yield text
    while tail := _TAIL.search(text, max(0, len(text) - _LONGEST_TAIL)):
        text = text[: tail.start()]
        yield text
