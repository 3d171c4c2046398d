"""Detects which source reads a file, the kind of a log, the encoding, and unknown columns. Only the
content decides, never the file name.
"""

import codecs
import csv
import re
from collections.abc import Callable, Sequence

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources import (
    client_log,
    coordinator_log,
    documents,
    keyed,
    metrics,
    mixed,
    printed_table,
    records,
    useless,
)
from evenkeel.data.sources.clean import is_dressed, undressed
from evenkeel.data.sources.console import group_names, listing
from evenkeel.data.sources.latest import READING_BYTES
from evenkeel.data.sources.log_lines import texts_in_json
from evenkeel.data.sources.printed_header import separated
from evenkeel.data.sources.separated import text_table
from evenkeel.data.sources.separated.header import TableHeader, header_in
from evenkeel.data.sources.separated.values import SEVERAL_WAYS
from evenkeel.data.sources.source import Context, NamedColumns, Source
from evenkeel.data.sources.synonyms import SYNONYMS

SOURCES: tuple[Source, ...] = (
    mixed,
    listing,
    client_log,
    metrics,
    keyed,
    documents,
    text_table,
    printed_table,
    records,
    group_names,
)
"""Tried in this order, because a listing may be below a line that starts like JSON."""

HEAD_BYTES = 65_536
"""Number of bytes at the start of a file that detection reads."""

# UTF-32 is before UTF-16, because the UTF-32 little-endian mark starts with the UTF-16 mark.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def source_for(file: str, head: bytes, topic: str | None = None) -> Source:
    """Return the source for a file that starts with `head`. Unknown text is read as a listing, in
    which each line is rejected with a reason.

    `topic`: the topic of a table without a topic column.

    Raises
    ------
    SnapshotError
        For an empty file, a file that is not text, and a known report without offsets.
    """
    text = _readable(undressed(_start_as_utf8(file, head)))
    source = next((source for source in SOURCES if source.recognises(text, file)), None)
    is_foreign = source is documents and b"evenkeel." not in text
    is_without = source in (keyed, text_table, group_names) and not _has_offsets(text)
    if source is None or is_foreign or is_without:
        refuse_useless(file, text)
    if source is text_table and topic is not None:
        layout = header_in(text.split(b"\n"))
        return text_table if layout is None or "topic" in layout.mapping else printed_table
    return source or listing


def source_of_all(source: Source, text: bytes, file: str) -> Source:
    """Return the source `mixed` if a later part of the text needs another source than `source`,
    else `source`. `text`: the whole text in UTF-8.
    """
    is_open = source in (listing, metrics, keyed, printed_table)
    is_read = is_open and HEAD_BYTES < len(text) <= READING_BYTES
    return mixed if is_read and mixed.recognises(text, file) else source


def refuse_useless(file: str, text: bytes) -> None:
    """Refuse logs and known reports without offsets.

    Raises
    ------
    SnapshotError
        For such a text; the message names it and the right command.
    """
    useless.refuse(file, text)
    kind = log_kind(text[:HEAD_BYTES])
    if kind is not None:
        raise SnapshotError(
            f"{file} is {kind}: it has no offsets; evenkeel rebalances FILE reads it"
        )


BROKER_LOG, CLIENT_LOG, DUMP = "a broker's log", "a log of clients", "records of __consumer_offsets"

_LOGS: tuple[tuple[str, Callable[[bytes], bool]], ...] = (
    (DUMP, coordinator_log.is_dump),
    (BROKER_LOG, coordinator_log.recognises),
    (CLIENT_LOG, client_log.holds_events),
)


def log_kind(head: bytes) -> str | None:
    """Return which kind of log a text starts with, None if it is not a log."""
    return next((kind for kind, recognises in _LOGS if recognises(head)), None)


def _has_offsets(text: bytes) -> bool:
    """Return whether the start of JSON, a table or a list mentions partitions."""
    return (
        re.search(
            rb"(?i)partition(?!\s?assignor|Count|s?[\s\"|]*lag)|\bpid\b|\btopic_?partitions"
            rb"|\"\d+\"\s*:",
            text,
        )
        is not None
    )


def as_utf8(file: str, data: bytes) -> bytes:
    """Return a file's text as UTF-8, without byte order mark, control sequences and line prefixes.
    Invalid UTF-8 bytes remain, so that their lines are rejected.

    Raises
    ------
    SnapshotError
        For an empty file, a file that is not text, and truncated or invalid UTF-16.
    """
    encoding, mark = _encoding(file, data)
    if encoding == "utf-8":
        return _readable(undressed(data[len(mark) :]))
    try:
        return _readable(undressed(data.decode(encoding).encode()))
    except UnicodeError as error:
        raise SnapshotError(
            f"{file}: {encoding.upper()} text that ends or breaks at byte"
            f" {getattr(error, 'start', 0):,}, expected whole characters"
        ) from None


def is_plain(head: bytes) -> bool:
    """Return whether a file can be read in pieces without conversion: no UTF-16, no byte order
    mark, no line prefixes.
    """
    return (
        not head.startswith(tuple(_BYTE_ORDER_MARKS))
        and not is_dressed(head)
        and _readable(head) is head
    )


def _readable(text: bytes) -> bytes:
    """Return a text that a source can read. The JSON of a log store becomes the log lines that it
    contains. A printed table with an unknown header gets tabs between its cells. Kafka's listings
    do not change.
    """
    if listing.recognises(text[:HEAD_BYTES], ""):
        return text
    inside = texts_in_json(text)
    if inside is None:
        return separated(text)
    head = inside[:HEAD_BYTES]
    sources = (listing, metrics, printed_table)
    return inside if any(source.recognises(head, "") for source in sources) else separated(text)


def _start_as_utf8(file: str, head: bytes) -> bytes:
    encoding, mark = _encoding(file, head)
    # The head may end inside a character.
    return head[len(mark) :] if encoding == "utf-8" else head.decode(encoding, "ignore").encode()


def _encoding(file: str, data: bytes) -> tuple[str, bytes]:
    check_is_text(file, data)
    return next(
        ((encoding, mark) for mark, encoding in _BYTE_ORDER_MARKS.items() if data.startswith(mark)),
        ("utf-8", b""),
    )


# Files that are not text, by their first bytes: refused with advice.


EXPECTED = (
    "expected a listing of kafka-consumer-groups.sh or kafka-topics.sh, CSV or a group document"
)

_UNPACK = "unpack it first"
_NOT_TEXT = "copy the text itself"
_MAGIC = {
    b"\x1f\x8b": ("gzip data", _UNPACK),
    b"PK\x03\x04": ("a zip archive or an Office document", f"{_UNPACK}, or save the sheet as CSV"),
    b"BZh": ("bzip2 data", _UNPACK),
    b"\xfd7zXZ\x00": ("xz data", _UNPACK),
    b"\x28\xb5\x2f\xfd": ("zstd data", _UNPACK),
    b"PAR1": ("a Parquet file", "write it as CSV"),
    b"\x89PNG": ("a PNG picture", _NOT_TEXT),
    b"\xff\xd8\xff": ("a JPEG picture", _NOT_TEXT),
    b"GIF8": ("a GIF picture", _NOT_TEXT),
    b"%PDF-": ("a PDF document", _NOT_TEXT),
    b"SQLite format 3\x00": ("an SQLite database", "write its table as CSV"),
    b"\x7fELF": ("a program", _NOT_TEXT),
}
_SEEN = 65_536


def check_is_text(file: str, data: bytes):
    """Refuse files that are not text.

    Raises
    ------
    SnapshotError
        For an empty file, a known binary format, and UTF-16 without a byte order mark.
    """
    if not data:
        raise SnapshotError(f"{file}: empty file, {EXPECTED}")
    for magic, (description, remedy) in _MAGIC.items():
        if data.startswith(magic):
            raise SnapshotError(f"{file}: {description}, {EXPECTED}; {remedy}")
    start = data[:_SEEN]
    # ASCII text in UTF-16 has a NUL in every second byte.
    if b"\x00" in (start[:1], start[1:2]) and start.count(b"\x00") > len(start) // 4:
        raise SnapshotError(
            f"{file}: looks like UTF-16 without a byte order mark, {EXPECTED}; save it as UTF-8"
        )


# Questions to the user about tables with unknown columns.


COLUMNS = tuple(SYNONYMS)
"""Columns of OFFSETS that a table can contain."""

FIRST_ROWS = 3
_LOOKED_AT = 2**20


def unknown_header(name: str, data: bytes, topic: str | None = None) -> TableHeader | None:
    """Return the header of a text table if it has an unknown column, else None. Unreadable text is
    not refused here. `topic`: the topic of a table without a topic column.
    """
    try:
        if source_for(name, data[:HEAD_BYTES], topic) is not text_table:
            return None
        layout = header_in(as_utf8(name, data[:HEAD_BYTES]).split(b"\n"))
    except SnapshotError:
        return None
    return layout if layout and len(layout.mapping) < len(layout.cells) else None


def lacks_topic(name: str, data: bytes) -> bool:
    """Return whether a text table has partitions but no topic, so that the user must enter the
    topic.
    """
    try:
        source = source_for(name, data[:HEAD_BYTES])
        text = as_utf8(name, _whole_lines(data))
        if source is printed_table:
            reasons = printed_table.parse(text, name).rejected["reason"].to_pylist()
            return any(reason.endswith(printed_table.NO_TOPIC) for reason in reasons)
        layout = header_in(text.split(b"\n")) if source is text_table else None
    except SnapshotError:
        return False
    places = {**layout.likely, **layout.mapping} if layout else {}
    return "partition" in places and "topic" not in places


def first_rows(data: bytes, layout: TableHeader) -> list[list[str]]:
    """Return the first rows below the header, each with as many cells as the header."""
    text = as_utf8("", data[:HEAD_BYTES]).decode("utf-8", "replace").splitlines()[layout.line :]
    rows = list(csv.reader((line for line in text if line.strip()), delimiter=layout.separator))[
        :FIRST_ROWS
    ]
    width = len(layout.cells)
    return [(row + [""] * width)[:width] for row in rows]


def _whole_lines(data: bytes) -> bytes:
    """Return the whole lines at the start of a file, enough to find unknown columns."""
    head = data[:_LOOKED_AT]
    return head if len(head) == len(data) else head[: head.rfind(b"\n") + 1]


def open_number(name: str, data: bytes, named_columns: Sequence[NamedColumns] = ()) -> str | None:
    """Return the first ambiguous number in a table, such as `lag is '1.000'`; None if all numbers
    are clear.
    """
    try:
        is_table = source_for(name, data[:HEAD_BYTES]) is text_table
        rejected = (
            text_table.parse(
                as_utf8(name, _whole_lines(data)), name, Context(named_columns=tuple(named_columns))
            ).rejected
            if is_table
            else None
        )
    except SnapshotError:
        return None
    reasons = rejected["reason"].to_pylist() if rejected else ()
    return next(
        (reason.partition(", expected")[0] for reason in reasons if SEVERAL_WAYS in reason), None
    )
