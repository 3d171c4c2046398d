"""Reads header lines of Kafka's tools: the kind of listing, its columns and their starts."""

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
# Kafka 0.9.0 prints a blank after each comma. A header without blanks is a CSV header.
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
        Header cells as printed, and the columns of tables that they mean.
    starts : tuple of int
        Start of each header cell in UTF-16 units, because Java pads by these units.
    separator : str
        The mark between cells: a blank, a comma, a tab or `|`.
    hard_blanks : bool
        Blanks are no-break spaces, copied from a web page.
    host_glued : bool
        A long CONSUMER-ID may touch HOST, as in Kafka 0.10.2 to 1.0.
    consumer : tuple of str or None
        Group id and member id of the last consumer above, for streams group listings that print a
        consumer's tasks on separate lines.
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
    """Return the layout of the lines below a header, None if `line` is not a header."""
    if len(line) > _MAX_BYTES or not _FRONT.match(line):
        return None
    # Long lines are not cached, because 1,024 headers of 64 KB would need 64 MB.
    return _layout(line) if len(line) <= _MAX_KEPT_BYTES else _layout.__wrapped__(line)


def has_lines_of_tasks(line: bytes) -> bool:
    """Return whether a consumer's tasks are on separate lines below this header."""
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


# The headers that Kafka's tools print, and the listing below each header.


class Dialect(NamedTuple):
    """The meaning of a header. `kind`: offsets, members, state, a kind of streams or share group
    listing, or `unread` for a listing that is recognised but not read. `format`: the listing's name
    for people.
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
"""Kafka's newest source code prints a streams group's assignor in an extra column of `--state`."""

_STREAMS = Dialect("unread", "a listing of a streams group")
_SHARE = Dialect("unread", "a listing of a share group")
_UNREAD = {
    "OFFSET-LAG": _STREAMS,
    "TOPOLOGY-EPOCH": _STREAMS,
    "PROCESS": _STREAMS,
    "START-OFFSET": _SHARE,
    "MEMBER-EPOCH": _SHARE,
    "NEW-OFFSET": Dialect("unread", "a plan of --reset-offsets, without committed offsets"),
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
    """Yield the headers of `--members` since Kafka 2.3: with static members, --verbose, KIP-848
    epochs, and members of both protocols.
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
    """Return the dialect of these header cells, None if they are not a header."""
    if words in _DIALECTS or len(words) < 2 or not _WORDS.issuperset(words):
        return _DIALECTS.get(words)
    without = _DIALECTS.get(tuple(word for word in words if word not in _ASSIGNOR))
    if without is not None and without.kind == "state":
        return Dialect("state", f"{_STREAMS_TOOL} --describe --state with the assignor")
    return next((_UNREAD[word] for word in words if word in _UNREAD), _UNKNOWN)


# Columns of tables for header words.


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
    """Return the column of a header word. The spelling of Kafka 0.8.2 and 0.9.0 is read too. A word
    that is not listed becomes the column's name.
    """
    plain = word.upper().replace(" ", "-") if word not in _COLUMN_OF else word
    return _COLUMN_OF.get(plain, plain.lower().replace("-", "_"))


# Widths in Java's units. Some versions print the same columns without GROUP and differ only in the
# width of LAG.


WIDE = re.compile("[\U00010000-\U0010ffff]")
"""Characters that Java counts as two units."""

OLD_LAG_WIDTH = 11
"""Width of LAG in Kafka 0.10.2 to 1.0, including a blank. Later versions are wider; a smaller width
means that blanks were lost when copying.
"""


def utf16_width(text: str) -> int:
    """Return a text's length in Java's UTF-16 units."""
    return len(text) if text.isascii() else len(text) + len(WIDE.findall(text))


def lag_width(words: tuple[str, ...], starts: tuple[int, ...]) -> int:
    """Return the width of LAG in a header of Kafka 0.10.2 to 2.2, 0 for other headers."""
    shared = words[0] == "TOPIC" and words[-1] == "CLIENT-ID" and {"LAG", "CONSUMER-ID"} <= {*words}
    return starts[words.index("CONSUMER-ID")] - starts[words.index("LAG")] if shared else 0


def format_of_width(name: str, width: int) -> str:
    """Return the format's name without the Kafka versions that print LAG in another width."""
    if width < OLD_LAG_WIDTH:
        return name
    return name.replace("2.2", "1.0") if width == OLD_LAG_WIDTH else name.replace("0.10.2", "1.1")
