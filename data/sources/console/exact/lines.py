"""Decides whether a line is a row, a note, or rejected with a reason. This is the exact path;
`fast` is the fast path.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from evenkeel.assignors.protocol import CONSUMER, STREAMS
from evenkeel.data.group.document import STATES
from evenkeel.data.sources.clean import is_noise
from evenkeel.data.sources.console.exact import members, offsets, streams
from evenkeel.data.sources.console.exact.cells import cells_between, is_cut_row
from evenkeel.data.sources.console.headers import Layout, header_of
from evenkeel.data.sources.numbers import (
    INT32,
    MAX_PARTITION,
    MISSING,
    Unreadable,
    partition_number,
    printed_or_none,
    whole,
    whole_or_none,
)

MAX_LINE_BYTES = 1 << 16
"""Longer lines are rejected unread, except in members listings, because assignments may be long."""

LONGEST_LINE_BYTES = 1 << 24
"""The limit for members listings. Longer lines are truncated before they are read."""

_LONG = ("members", "streams-members")


def row_or_note(line: bytes, layout: Layout | None, group_id: str | None):
    """Return the row in a line that is not a header: an OffsetRow, a TopicRow, a ConsumerRow, or a
    dictionary with columns of MEMBERS. Return None if the line is a note.

    Raises
    ------
    Unreadable
        If the line is neither a row nor a note.
    """
    if not line.strip(b" "):
        return None
    limit = LONGEST_LINE_BYTES if layout and layout.kind in _LONG else MAX_LINE_BYTES
    if len(line) > limit:
        size = (
            f"more than {LONGEST_LINE_BYTES:,}"
            if len(line) > LONGEST_LINE_BYTES
            else f"{len(line):,}"
        )
        raise Unreadable(f"line of {size} bytes, expected at most {limit:,}")
    text = _decoded(line)
    try:
        return _row(
            text.replace("\u00a0", " ") if layout and layout.hard_blanks else text, layout, group_id
        )
    except Unreadable:
        if _is_cut(text, layout):
            raise
        if is_note(text):
            return None
        row = read_topic(text)
        if row is None and layout is None:
            raise Unreadable(reason(text)) from None
        if row is None:
            raise
        return row


def _is_cut(text: str, layout: Layout | None) -> bool:
    if layout is None or layout.kind != "offsets" or layout.separator != " ":
        return False
    return is_cut_row(text, layout.starts)


def _row(text: str, layout: Layout | None, group_id: str | None):
    if layout is None:
        raise Unreadable("no header line above it")
    if layout.kind == "unread":
        raise Unreadable(
            f"under the header of {layout.format}, expected that of a consumer group: {LIKELIEST}"
        )
    return _READ[layout.kind](text, layout, group_id)


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"byte 0x{line[error.start]:02x} at position {error.start + 1}, expected UTF-8"
        ) from error


# Lines of `kafka-topics --describe`; they need no header.


FORMAT = "kafka-topics --describe"

# Kafka 2.3 prints no blank after the colons of the summary.
_SUMMARY = re.compile(
    r"\s*Topic: ?(\S+)\s+(?:TopicId: ?(\S+)\s+)?PartitionCount: ?(\S+)\s+ReplicationFactor:"
    r" ?(\S+)(?:\s.*)?",
    re.DOTALL,
)
# Kafka 3.9 and later print Elr and LastKnownElr after Isr.
_PARTITION = re.compile(
    r"\s*Topic: ?(\S+)\s+Partition: ?(\S+)\s+Leader: ?(\S+)\s+Replicas: ?([^\s:]*)\s+Isr:(?:.*)",
    re.DOTALL,
)
_TOPIC_ID = re.compile("[A-Za-z0-9_-]{22}")


class TopicRow(NamedTuple):
    """A row of TOPICS, with the columns that `kafka-topics --describe` prints."""

    topic: str
    topic_id: str | None
    partition_count: int | None
    partition: int | None
    replicas: list[int] | None


def read_topic(text: str) -> TopicRow | None:
    """Return the row of TOPICS in a line, None if `kafka-topics --describe` did not print the line.

    Raises
    ------
    Unreadable
        If the line starts like such a row, but a value is invalid or missing.
    """
    if summary := _SUMMARY.fullmatch(text):
        topic, topic_id, count, _ = summary.groups()
        if topic_id is not None and not _TOPIC_ID.fullmatch(topic_id):
            raise Unreadable(f"TopicId is {topic_id[:80]!r}, expected 22 characters of base64url")
        return TopicRow(
            topic, topic_id, whole(count, "PartitionCount", 0, MAX_PARTITION + 1), None, None
        )
    if partition := _PARTITION.fullmatch(text):
        topic, number, _, replicas = partition.groups()
        brokers = [whole(broker, "Replicas", 0, INT32) for broker in replicas.split(",") if broker]
        return TopicRow(topic, None, None, partition_number(number, "Partition"), brokers)
    if text.lstrip().startswith("Topic:"):
        raise Unreadable(
            f"line of {FORMAT} is cut, expected PartitionCount and ReplicationFactor, or Partition,"
            " Leader, Replicas and Isr"
        )
    return None


# Lines below the header of `--state`, `--list --state` or `--list --type`.


_TYPES = "Classic|Consumer|Share|Streams|Unknown"
_STATES = "|".join(STATES)
_NOT_READY = "NotReady"
"""A state that only streams groups have."""

_NUMBER = r"(?:-|-?\d+)"

_CELL = {
    "group_id": r"\S.*?",
    # Kafka prints one blank before the id up to 3.7, and two blanks from 3.8.
    "coordinator": r"\S+:-?\d+ {1,2}\(-?\d+\)",
    "assignor": r"\S*",
    "group_state": _STATES,
    "group_type": _TYPES,
    "group_epoch": _NUMBER,
    "assignment_epoch": _NUMBER,
    "member_count": r"\d+",
}


def read_state(text: str, layout: Layout, group_id: str | None) -> dict:
    """Read a line about a group, as a row of MEMBERS without a member.

    Raises
    ------
    Unreadable
        If the line is not such a row.
    """
    line = "  ".join(cells_between(text, layout.separator)) if layout.separator in "|\t" else text
    match = _pattern(layout.columns).fullmatch(line)
    if match is None:
        raise Unreadable(
            f"not a row of this listing, expected {len(layout.words)} columns:"
            f" {' '.join(layout.words)}, with a state or type that Kafka has"
        )
    cell = match.groupdict()
    epochs = {
        column: whole_or_none(cell[column], column.upper(), -1, INT32)
        for column in ("group_epoch", "assignment_epoch")
        if column in cell
    }
    kind = cell.get("group_type", "Unknown").lower()
    return epochs | {
        "group_id": cell.get("group_id", group_id),
        "group_state": cell.get("group_state"),
        "assignor": printed_or_none(cell.get("assignor") or ""),
        "group_type": _type(cell, layout) if kind == "unknown" else kind,
    }


def _type(cell: dict[str, str | None], layout: Layout) -> str | None:
    """Return the group type if the columns or the state prove it, else None. A listing of share
    groups has the same columns as one of streams groups, but no epochs.
    """
    if "ASSIGNMENT-STRATEGY" in layout.words:
        return CONSUMER if cell.get("group_epoch", "-") not in MISSING else None
    is_streams = "COORDINATOR (ID)" in layout.words and (
        "assignor" in cell or "group_epoch" in cell
    )
    return STREAMS if is_streams or cell.get("group_state") == _NOT_READY else None


def _pattern(columns: tuple[str, ...]) -> re.Pattern:
    """Build the pattern of a line with blanks between its cells. ASSIGNMENT-STRATEGY may be empty,
    so the blanks after it are optional.
    """
    cells = (
        f"(?P<{column}>{_CELL[column]})" + (" *" if column == "assignor" else " +")
        for column in columns[:-1]
    )
    return re.compile(f"[ \\t]*{''.join(cells)}(?P<{columns[-1]}>{_CELL[columns[-1]]})[ \\t]*")


# Rows without a header: finds the header that fits them.


_OFFSETS = "PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG"
_CONSUMER = "CONSUMER-ID HOST CLIENT-ID"
LIKELIEST = f"GROUP TOPIC {_OFFSETS} {_CONSUMER}"
"""The header that current tools print above offsets."""

# The header with most numbers is first, because otherwise a group id of two words would be read as
# group and topic.
_HEADERS = (
    f"GROUP TOPIC {_OFFSETS.replace('PARTITION', 'PARTITION LEADER-EPOCH')} {_CONSUMER}",
    LIKELIEST,
    f"TOPIC {_OFFSETS} {_CONSUMER}",
    f"GROUP TOPIC {_OFFSETS} OWNER",
    f"GROUP {_CONSUMER} #PARTITIONS",
    f"{_CONSUMER} #PARTITIONS",
)
_WITH_HEADER = {"offsets": offsets.read, "members": members.read}
_EXPECTED = "no header line above it, expected "


def reason(text: str) -> str:
    """Return the reason for which a line without a header is rejected. The reason names the header
    that fits the line.
    """
    return _EXPECTED + next(
        (header for header in _HEADERS if _reads(header, text)), f"one such as {LIKELIEST}"
    )


def needed(reasons: Iterable[str]) -> str | None:
    """Return the header that fits the first rejected row, None if no line looks like a row."""
    headers = (reason.removeprefix(_EXPECTED) for reason in reasons if reason.startswith(_EXPECTED))
    return next((header for header in headers if header in _HEADERS), None)


def _reads(header: str, text: str) -> bool:
    layout = header_of(header.encode())
    try:
        row = _WITH_HEADER[layout.kind](text, layout, None)
    except Unreadable:
        return False
    # Any words before a number could be a member. Only a host is certain, because it starts with a
    # slash.
    return layout.kind == "offsets" or (row["host"] or "").startswith("/")


# Lines without data: blank lines, rules of pasted tables, and messages of tools.


_LEVEL = "TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL"
_MESSAGE = re.compile(
    "|".join(
        (
            r"\W*(Error|Warning|Note|WARN|WARNING|ERROR|INFO|NOTE): ?.*",
            (
                r"(The )?([Cc]onsumer|[Ss]treams|[Ss]hare) group ['‘’\"“].*['’\"”] (has no active"
                r" members|is rebalancing|does not exist)\.?"
            ),
            r"(Error: )?(Executing consumer group command failed|Error while executing).*",
            rf"\[\d{{4}}-\d\d-\d\d .*\] ({_LEVEL}) .*",
            rf"\d{{4}}-\d\d-\d\d[ T][\d:.,]+\S* .*\b({_LEVEL})\b.*",
            rf"({_LEVEL}) .*",
            r"(log4j|SLF4J|StatusLogger|main ERROR|ERROR StatusLogger)[: ].*",
            r"(OpenJDK|Java HotSpot\(TM\)) .*warning: .*",
            r"Picked up (_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS): .*",
            r"\s+at [\w.$/<>@]+\(.*\)( ~?\[.*\])?",
            r"\s*\.\.\. \d+ (more|common frames omitted)",
            (
                r"(Caused by: |Exception in thread .*|Suppressed: |\s+Suppressed:"
                r" )?([a-z]\w*\.)+[A-Z][\w$]*(Exception|Error|Throwable)\b.*"
            ),
            (
                r"(No broker for partition|Could not fetch offset for|Could not parse broker"
                r" info|Exiting due to:?) .*"
            ),
            r"BROKER INFO|\d+ -> \S+:\d+",
        )
    ),
    re.DOTALL,
)
_BLANK = " \t\r\u00a0\ufeff"
_ENOUGH = 2_000
_RULE = re.compile(r"[|+][-:=|+ \u2013\u2014]*[-=\u2013\u2014][-:=|+ \u2013\u2014]*")


def is_note(text: str) -> bool:
    """Return whether a line is blank, a rule of a table or a message of a tool."""
    if not text.strip(_BLANK):
        return True
    head = text[:_ENOUGH]
    return bool(
        _RULE.fullmatch(head.strip()) or _MESSAGE.fullmatch(head.rstrip()) or is_noise(head)
    )


_READ: dict[str, Callable] = {
    "offsets": offsets.read,
    "members": members.read,
    "state": read_state,
    "streams-offsets": streams.read_partition,
    "share-offsets": streams.read_partition,
    "streams-members": streams.read_consumer,
}
