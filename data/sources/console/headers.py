"""Header lines: which listing follows, its columns and where they start."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from evenkeel.data.sources.numbers import plain_dashes

_PASTED = " \t|*`\u00a0\ufeff"
_FRONT = re.compile(
    rb"(?:[ \t|*`]|\xc2\xa0|\xef\xbb\xbf)*(?:GROUP|TOPIC|CONSUMER|COORDINATOR|Group)"
)

_MAX_BYTES, _MAX_KEPT_BYTES = 1 << 16, 4_096
# 0.9.0 prints a blank behind each comma; without it the header is that of a CSV.
_TIGHT_COMMA = re.compile(",(?! )")
_CELLS = {" ": re.compile(r"COORDINATOR +\(ID\)|[^ ]+")} | {
    mark: re.compile(f"[^{re.escape(mark)}]+") for mark in "|\t,"
}


@dataclass(frozen=True)
class Layout:
    """The layout of the lines below a header line.

    Parameters
    ----------
    kind, format : str
        As in `Dialect`.
    words, columns : tuple of str
        Header cells as printed, and as names of the tables' columns.
    starts : tuple of int
        Where each header cell starts, in UTF-16 units, by which Java pads.
    separator : str
        A blank, or what a dialect or a pasted table puts between cells: comma, tab, `|`.
    hard_blanks : bool
        Blanks came as no-break spaces, from a web page.
    host_glued : bool
        A long CONSUMER-ID may run into HOST, as 0.10.2 to 1.0 print them.
    consumer : tuple of str or None
        Group and member id of the line above: the first form of a streams group's members prints
        tasks in lines of their own.
    """

    kind: str
    format: str
    words: tuple[str, ...]
    columns: tuple[str, ...]
    starts: tuple[int, ...]
    separator: str
    hard_blanks: bool
    host_glued: bool
    consumer: tuple[str | None, str] | None = None


def header_of(line: bytes) -> Layout | None:
    """Return the layout that a line announces, None when it is no header."""
    if len(line) > _MAX_BYTES or not _FRONT.match(line):
        return None
    # A long line does not enter the cache: 1,024 headers of 64 KB would keep 64 MB.
    return _layout(line) if len(line) <= _MAX_KEPT_BYTES else _layout.__wrapped__(line)


def has_lines_of_tasks(line: bytes) -> bool:
    """Return whether a header announces one consumer, whose tasks follow in lines of their own."""
    layout = header_of(line)
    return (
        layout is not None
        and layout.kind == "streams-members"
        and "assignments" not in layout.columns
    )


@lru_cache(1024)
def _layout(line: bytes) -> Layout | None:
    printed = plain_dashes(line.decode("utf-8", "replace").rstrip("\r"))
    text = printed.replace("\u00a0", " ")
    separator = next((mark for mark in "|\t," if mark in text.strip(_PASTED)), " ")
    if separator == "," and _TIGHT_COMMA.search(text):
        return None
    cells = [cell for cell in _CELLS[separator].finditer(text) if cell[0].strip(_PASTED)]
    words = tuple(re.sub("  +", " ", cell[0].strip(_PASTED)) for cell in cells)
    dialect = dialect_of(words)
    if dialect is None:
        return None
    starts = tuple(utf16_width(text[: cell.start()]) for cell in cells)
    width = lag_width(words, starts)
    columns = tuple(map(column_of, words))
    glued = 0 < width <= OLD_LAG_WIDTH
    return Layout(
        dialect.kind,
        format_of_width(dialect.format, width),
        words,
        columns,
        starts,
        separator,
        hard_blanks=text != printed,
        host_glued=glued,
    )


# The headers that Kafka's tools print, each with what it announces.


class Dialect(NamedTuple):
    """`kind`: offsets, members, state, the same of streams groups, or `unread` for a listing that
    is recognised but not read.

    `format` is for people.
    """

    kind: str
    format: str


_TOOL = "kafka-consumer-groups"
_OFFSETS = "PARTITION,CURRENT-OFFSET,LOG-END-OFFSET,LAG"
_CONSUMER = "CONSUMER-ID,HOST,CLIENT-ID"
_TARGET = "CURRENT-EPOCH,CURRENT-ASSIGNMENT,TARGET-EPOCH,TARGET-ASSIGNMENT"
_STATE = "COORDINATOR (ID),ASSIGNMENT-STRATEGY,STATE"

_WRITTEN = {
    "Group,Topic,Pid,Offset,logSize,Lag,Owner": Dialect(
        "offsets", "ConsumerOffsetChecker, Kafka 0.8.2"
    ),
    "GROUP,TOPIC,PARTITION,CURRENT OFFSET,LOG END OFFSET,LAG,OWNER": Dialect(
        "offsets", f"{_TOOL} --describe, Kafka 0.9.0"
    ),
    f"GROUP,TOPIC,{_OFFSETS},OWNER": Dialect(
        "offsets", f"{_TOOL} --describe, Kafka 0.10.0 to 0.10.1"
    ),
    f"TOPIC,{_OFFSETS},CONSUMER-ID": Dialect(
        "offsets", f"{_TOOL} --describe, Kafka 0.10.2 to 1.1, ZooKeeper"
    ),
    f"TOPIC,{_OFFSETS},{_CONSUMER}": Dialect("offsets", f"{_TOOL} --describe, Kafka 0.10.2 to 2.2"),
    f"GROUP,TOPIC,{_OFFSETS},{_CONSUMER}": Dialect(
        "offsets", f"{_TOOL} --describe, Kafka 2.3 to 4.x"
    ),
    f"GROUP,TOPIC,{_OFFSETS.replace('N,', 'N,LEADER-EPOCH,', 1)},{_CONSUMER}": Dialect(
        "offsets", f"{_TOOL} --describe --verbose, Kafka 4.x"
    ),
    f"{_STATE},#MEMBERS": Dialect("state", f"{_TOOL} --describe --state, Kafka 2.0 to 2.2"),
    f"GROUP,{_STATE},#MEMBERS": Dialect("state", f"{_TOOL} --describe --state, Kafka 2.3 to 4.x"),
    f"GROUP,{_STATE},GROUP-EPOCH,TARGET-ASSIGNMENT-EPOCH,#MEMBERS": Dialect(
        "state", f"{_TOOL} --describe --state --verbose, Kafka 4.x"
    ),
    "GROUP,TYPE,STATE": Dialect("state", f"{_TOOL} --list --type --state"),
    "GROUP,TYPE": Dialect("state", f"{_TOOL} --list --type"),
    "GROUP,STATE": Dialect("state", f"{_TOOL} --list --state"),
    f"{_CONSUMER},#PARTITIONS": Dialect(
        "members", f"{_TOOL} --describe --members, Kafka 2.0 to 2.2"
    ),
    f"{_CONSUMER},#PARTITIONS,ASSIGNMENT": Dialect(
        "members", f"{_TOOL} --describe --members --verbose, Kafka 2.0 to 2.2"
    ),
}

_STREAMS_TOOL = "kafka-streams-groups"
_PARTITION = "GROUP,TOPIC,PARTITION"
_PROCESS = "PROCESS,CLIENT-ID"
_EPOCHS = "GROUP,TARGET-ASSIGNMENT-EPOCH,TOPOLOGY-EPOCH,MEMBER,MEMBER-PROTOCOL,MEMBER-EPOCH"
_STREAMS_STATE = "GROUP,COORDINATOR (ID),STATE"
_WRITTEN |= {
    f"{_PARTITION},OFFSET-LAG": Dialect("streams-offsets", f"{_STREAMS_TOOL} --describe"),
    f"{_PARTITION},LEADER-EPOCH,OFFSET-LAG": Dialect(
        "streams-offsets", f"{_STREAMS_TOOL} --describe --verbose, first form"
    ),
    f"{_PARTITION},CURRENT-OFFSET,LEADER-EPOCH,LOG-END-OFFSET,OFFSET-LAG": Dialect(
        "streams-offsets", f"{_STREAMS_TOOL} --describe --verbose"
    ),
    f"GROUP,MEMBER,{_PROCESS}": Dialect(
        "streams-members", f"{_STREAMS_TOOL} --describe --members, first form"
    ),
    f"GROUP,MEMBER,{_PROCESS},ASSIGNMENTS": Dialect(
        "streams-members", f"{_STREAMS_TOOL} --describe --members"
    ),
    f"{_EPOCHS},{_PROCESS}": Dialect(
        "streams-members", f"{_STREAMS_TOOL} --describe --members --verbose, first form"
    ),
    f"{_EPOCHS},{_PROCESS},ASSIGNMENTS": Dialect(
        "streams-members", f"{_STREAMS_TOOL} --describe --members --verbose"
    ),
    f"{_STREAMS_STATE},#MEMBERS": Dialect(
        "state", f"{_STREAMS_TOOL} or kafka-share-groups --describe --state"
    ),
    f"{_STREAMS_STATE},GROUP-EPOCH,TARGET-ASSIGNMENT-EPOCH,#MEMBERS": Dialect(
        "state", f"{_STREAMS_TOOL} --describe --state --verbose"
    ),
}
_SHARE_TOOL = "kafka-share-groups"
_WRITTEN |= {
    f"{_PARTITION},START-OFFSET,LAG": Dialect("share-offsets", f"{_SHARE_TOOL} --describe"),
    f"{_PARTITION},START-OFFSET": Dialect("share-offsets", f"{_SHARE_TOOL} --describe, Kafka 4.0"),
    f"{_PARTITION},LEADER-EPOCH,START-OFFSET,LAG": Dialect(
        "share-offsets", f"{_SHARE_TOOL} --describe --verbose"
    ),
    f"{_PARTITION},LEADER-EPOCH,START-OFFSET": Dialect(
        "share-offsets", f"{_SHARE_TOOL} --describe --verbose, Kafka 4.0"
    ),
    f"GROUP,{_CONSUMER},#PARTITIONS,MEMBER-EPOCH,ASSIGNMENT": Dialect(
        "members", f"{_SHARE_TOOL} --describe --members --verbose"
    ),
}
_ASSIGNOR = {"ASSIGNOR", "TASK-ASSIGNOR"}
"""Kafka's newest sources print the assignor of a streams group in one more column of `--state`."""

_STREAMS = Dialect("unread", "a listing of a streams group")
_SHARE = Dialect("unread", "a listing of a share group")
_UNREAD = {
    "OFFSET-LAG": _STREAMS,
    "TOPOLOGY-EPOCH": _STREAMS,
    "PROCESS": _STREAMS,
    "START-OFFSET": _SHARE,
    "MEMBER-EPOCH": _SHARE,
    "NEW-OFFSET": Dialect("unread", "a plan of --reset-offsets, not offsets that are committed"),
}
_UNKNOWN = Dialect("unread", "a listing with columns that no known tool prints")
UNKNOWN_FORMAT = _UNKNOWN.format
_OTHER_WORDS = {
    "MEMBER",
    "ASSIGNMENTS",
    "MEMBER-PROTOCOL",
    "PROTOCOL",
    "ASSIGNOR",
    "LOG-START-OFFSET",
    "MEMBER-ID",
    "INSTANCE-ID",
    "ERROR",
    "TASK-ASSIGNOR",
}


def _members():
    """Yield the headers of `--members` since 2.3: static members, --verbose, KIP-848's epochs,
    members of both protocols.
    """
    consumers = {_CONSUMER: "2.3", _CONSUMER.replace(",", ",GROUP-INSTANCE-ID,", 1): "2.6"}
    for consumer, since in consumers.items():
        yield (
            f"GROUP,{consumer},#PARTITIONS",
            Dialect("members", f"{_TOOL} --describe --members, Kafka {since} to 4.x"),
        )
        yield (
            f"GROUP,{consumer},#PARTITIONS,ASSIGNMENT",
            Dialect("members", f"{_TOOL} --describe --members --verbose, Kafka {since} to 3.9"),
        )
    for consumer, upgraded in product(consumers, ("", ",UPGRADED")):
        yield (
            f"GROUP,{consumer},#PARTITIONS,{_TARGET}{upgraded}",
            Dialect("members", f"{_TOOL} --describe --members --verbose, Kafka 4.x"),
        )


_DIALECTS = {
    tuple(words.split(",")): dialect for words, dialect in (*_WRITTEN.items(), *_members())
}
_WORDS = {word for words in _DIALECTS for word in words} | set(_UNREAD) | _OTHER_WORDS


def dialect_of(words: tuple[str, ...]) -> Dialect | None:
    """Return the dialect of these header cells, None if they are no header."""
    if words in _DIALECTS or len(words) < 2 or not _WORDS.issuperset(words):
        return _DIALECTS.get(words)
    without = _DIALECTS.get(tuple(word for word in words if word not in _ASSIGNOR))
    if without is not None and without.kind == "state":
        return Dialect("state", f"{_STREAMS_TOOL} --describe --state with the assignor")
    return next((_UNREAD[word] for word in words if word in _UNREAD), _UNKNOWN)


# Header words as names of the tables' columns.


_COLUMN_OF = {
    "PID": "partition",
    "OFFSET": "committed_offset",
    "CURRENT-OFFSET": "committed_offset",
    "LOGSIZE": "end_offset",
    "LOG-END-OFFSET": "end_offset",
    "LAG": "listed_lag",
    "OFFSET-LAG": "listed_lag",
    "GROUP": "group_id",
    "CONSUMER-ID": "member_id",
    "GROUP-INSTANCE-ID": "instance_id",
    "#PARTITIONS": "partition_count",
    "CURRENT-EPOCH": "epoch",
    "MEMBER-EPOCH": "epoch",
    "MEMBER": "member_id",
    "PROCESS": "process_id",
    "TARGET-EPOCH": "assignment_epoch",
    "TARGET-ASSIGNMENT-EPOCH": "assignment_epoch",
    "COORDINATOR (ID)": "coordinator",
    "ASSIGNMENT-STRATEGY": "assignor",
    "TASK-ASSIGNOR": "assignor",
    "TYPE": "group_type",
    "STATE": "group_state",
    "#MEMBERS": "member_count",
}


def column_of(word: str) -> str:
    """Return the column of a header word, also as 0.8.2 and 0.9.0 write it; an unlisted word is its
    column's name.
    """
    plain = word.upper().replace(" ", "-") if word not in _COLUMN_OF else word
    return _COLUMN_OF.get(plain, plain.lower().replace("-", "_"))


# Widths as Java counts them. Some versions print the same columns without GROUP: only the width of
# LAG differs.


WIDE = re.compile("[\U00010000-\U0010ffff]")
"""Characters that Java counts twice."""

OLD_LAG_WIDTH = 11
"""0.10.2 to 1.0, with the blank behind it; later ones are wider, and a smaller one means that
blanks were lost on the way.
"""


def utf16_width(text: str) -> int:
    """Count characters as Java does."""
    return len(text) if text.isascii() else len(text) + len(WIDE.findall(text))


def lag_width(words: tuple[str, ...], starts: tuple[int, ...]) -> int:
    """Return the width in a header of 0.10.2 to 2.2, 0 in others."""
    shared = words[0] == "TOPIC" and words[-1] == "CLIENT-ID" and {"LAG", "CONSUMER-ID"} <= {*words}
    return starts[words.index("CONSUMER-ID")] - starts[words.index("LAG")] if shared else 0


def format_of_width(name: str, width: int) -> str:
    """Return the format's name with the versions that print this width."""
    if width < OLD_LAG_WIDTH:
        return name
    return name.replace("2.2", "1.0") if width == OLD_LAG_WIDTH else name.replace("0.10.2", "1.1")
