"""Reads console listings: output of Kafka's command line tools, in any mix and of any version."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Protocol

import numpy as np
import pyarrow as pa

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.parsed import (
    HEADER,
    ParsedTables,
    columns_table,
    joined,
    kind_of,
    rows_table,
)
from evenkeel.data.sources.console import fast
from evenkeel.data.sources.console.exact.lines import (
    FORMAT,
    LONGEST_LINE_BYTES,
    TopicRow,
    row_or_note,
)
from evenkeel.data.sources.console.exact.offsets import OffsetRow
from evenkeel.data.sources.console.exact.streams import ConsumerRow
from evenkeel.data.sources.console.fast import Block, blocks
from evenkeel.data.sources.console.headers import (
    UNKNOWN_FORMAT,
    Layout,
    has_lines_of_tasks,
    header_of,
)
from evenkeel.data.sources.console.times import PrintedTime, time_of, with_times
from evenkeel.data.sources.numbers import Unreadable
from evenkeel.data.sources.source import START, Context, OtherLines

NAME = "evenkeel-listing"

_TOPIC = re.compile(rb"\s*Topic: ?\S+\s+(?:TopicId|PartitionCount|Partition):")


def recognises(head: bytes, file: str) -> bool:
    """Return whether a file that starts with `head` is a listing: it has a header line of a Kafka
    tool, or lines of kafka-topics.
    """
    return any(_is_of_kafka(header_of(line)) or _TOPIC.match(line) for line in head.split(b"\n"))


def _is_of_kafka(layout: Layout | None) -> bool:
    return layout is not None and layout.format != UNKNOWN_FORMAT


def parse(data: bytes, file: str, context: Context = START) -> ParsedTables:
    """Parse a listing, or a piece of a listing, in UTF-8. Each line becomes a row, a note, or a
    rejected line with a reason.
    """
    return joined(_blocks_parsed(data, file, context))


def _blocks_parsed(data: bytes, file: str, context: Context) -> Iterator[ParsedTables]:
    layout, first_line, times = (
        layout_above(context.header, context.group_id),
        context.first_line,
        [(0, context.taken_at)],
    )
    for block in blocks(data):
        taken, tables = fast.read(block, layout, first_line, file, context)
        collected = PrintedRows(zone=context.zone)
        others = ((int(at) + first_line, block.line(at)) for at in np.flatnonzero(~taken))
        layout = walk(others, layout, context.group_id, collected)
        times = [times[-1], *collected.times]
        parsed = _with(collected.parsed(file, context), tables)
        yield parsed if times == [(0, context.taken_at)] else with_times(parsed, times)
        first_line += taken.size


def _with(walked: ParsedTables, tables: list[pa.Table]) -> ParsedTables:
    """Add the rows of the fast path, in line order."""
    count = sum(table.num_rows for table in tables)
    offsets = pa.concat_tables([*tables, walked.offsets])
    if sum(table.num_rows > 0 for table in (*tables, walked.offsets)) > 1:
        offsets = offsets.sort_by("source_line")
    return replace(
        walked,
        offsets=offsets,
        row_count=walked.row_count + count,
        line_count=walked.line_count + count,
    )


# Byte ranges of a big listing. Read separately, they yield the same rows and line numbers as the
# whole file.


_READ_BYTES = 4 << 20


@dataclass(frozen=True)
class Range:
    """Bytes `start` to `stop` of a file. `context`: facts from earlier lines."""

    start: int
    stop: int
    context: Context


class Lines(Protocol):
    """The methods of an open file that this module calls."""

    def read(self, size: int) -> bytes:
        """Read `size` bytes, fewer at the end."""
        ...

    def readline(self, size: int) -> bytes:
        """Read up to the end of a line, at most `size` bytes."""
        ...

    def tell(self) -> int:
        """Return the number of bytes read so far."""
        ...


def ranges_of(file: Lines, target_bytes: int, context: Context = START) -> list[Range]:
    """Cut a UTF-8 file at line ends into ranges of about `target_bytes`. `context`: facts about the
    file's first line. `file` must not have been read yet.
    """
    cuts = list(_cuts(file, target_bytes, context))
    stops = [start for start, _ in cuts[1:]] + [file.tell()]
    return [Range(start, stop, above) for (start, above), stop in zip(cuts, stops, strict=False)]


def _cuts(file: Lines, target_bytes: int, context: Context) -> Iterator[tuple[int, Context]]:
    """Yield the start and context of each range. A line belongs to the range that contains the
    line's first byte.
    """
    base, reached = 0, -1
    for block, stop in _whole_lines(file):
        ranges = (base + block.starts) // target_bytes
        firsts = np.flatnonzero(np.diff(ranges, prepend=reached))
        headers = [at for at, _ in block.headers]
        above = np.searchsorted(headers, firsts)
        for at, count in zip(firsts.tolist(), above.tolist(), strict=False):
            yield base + int(block.starts[at]), _context(block, at, headers[:count][-1:], context)
        context = _context(block, ranges.size, headers[-1:], context)
        base, reached = stop, ranges[-1]


def _context(block: Block, at: int, header: list[int], context: Context) -> Context:
    """Return the context of line `at` in a block. `header`: line number of the last header above
    `at`, or an empty list. `context`: the context of the block's first line.
    """
    taken_at = next(
        (time.within(context.zone).time for line, time in reversed(block.times) if line < at),
        context.taken_at,
    )
    above = _above(block, at, header[0]) if header else context.header
    return replace(context, first_line=context.first_line + at, header=above, taken_at=taken_at)


def _above(block: Block, at: int, header: int) -> bytes:
    """Return a header line, and the consumer's line below if tasks are on separate lines."""
    line = block.line(header)
    return (
        b"\n".join((line, block.line(header + 1)))
        if has_lines_of_tasks(line) and header + 1 < at
        else line
    )


def _whole_lines(file: Lines) -> Iterator[tuple[Block, int]]:
    """Yield each block and the position in the file where it ends. Lines that are longer than any
    row are truncated."""
    while read := file.read(_READ_BYTES) + file.readline(LONGEST_LINE_BYTES):
        rest = read
        while rest and not rest.endswith(b"\n"):
            rest = file.readline(_READ_BYTES)
        yield Block(read if read.endswith(b"\n") else read + b"\n"), file.tell()


# Walks over lines in order; a header changes the meaning of the lines below.


_BLANK = b" \t\r|+-=:"
"""Lines of only these bytes are blank lines or rules of pasted tables; they are only counted."""


def layout_above(header: bytes, group_id: str | None) -> Layout | None:
    """Return the layout of a `Context`'s header."""
    line, _, consumer = header.partition(b"\n")
    return (
        walk([(0, consumer)], header_of(line), group_id, PrintedRows())
        if consumer
        else header_of(line)
    )


@dataclass
class PrintedRows:
    """The rows, times and other lines of a text, in input order. `zone`: the zone of times that are
    printed without a zone.
    """

    offsets: list[tuple[int, str, OffsetRow]] = field(default_factory=list)
    members: list[dict] = field(default_factory=list)
    topics: list[tuple[int, TopicRow]] = field(default_factory=list)
    consumers: list[dict] = field(default_factory=list)
    times: list[tuple[int, datetime]] = field(default_factory=list)
    row_count: int = 0
    other: OtherLines = field(default_factory=OtherLines)
    zone: tzinfo | None = None

    def add_time(self, number: int, line: bytes, printed: PrintedTime) -> None:
        """Add a line with the time of the lines below."""
        printed = printed.within(self.zone)
        self.times.append((number, printed.time))
        self.other.note(number, line, None, printed.note)

    def add(
        self, number: int, row: OffsetRow | TopicRow | ConsumerRow | dict | None, format: str
    ) -> None:
        """Add the row of a line. `row`: None for a note."""
        if row is None:
            self.other.note_count += 1
            return
        self.row_count += 1
        if isinstance(row, OffsetRow):
            self.offsets.append((number, format, row))
        elif isinstance(row, TopicRow):
            self.topics.append((number, row))
            self.other.formats[FORMAT] = None
        elif isinstance(row, ConsumerRow):
            self._add_consumer(row, {"source_line": number, "source_format": format})
        else:
            self.members.append(row | {"source_line": number, "source_format": format})

    def _add_consumer(self, row: ConsumerRow, source: dict) -> None:
        if row.member is not None:
            self.members.append(row.member | source)
        # A separate format for each list, because different rows of one format about a consumer
        # would be a contradiction.
        named = (
            f"{source['source_format']}: {row.detail}" if row.detail else source["source_format"]
        )
        self.consumers.append(row.consumer | source | {"source_format": named})

    def parsed(self, file: str, context: Context) -> ParsedTables:
        """Return the tables. Values that the rows lack come from the context."""
        given = {"taken_at": context.taken_at, "cluster": context.cluster, "source_file": file}
        other, rows = self.other.parsed(file), self.row_count
        consumers = rows_table(self.consumers, schemas.CONSUMERS, given)
        members = rows_table(self.members, schemas.MEMBERS, given)
        line_count = other.line_count + rows
        return replace(
            other,
            offsets=self._offsets(given),
            members=members,
            topics=self._topics(given),
            consumers=consumers,
            line_count=line_count,
            row_count=rows,
        )

    def _offsets(self, given: dict) -> pa.Table:
        columns = dict(
            zip(
                OffsetRow._fields,
                zip(*(row for _, _, row in self.offsets), strict=False),
                strict=False,
            )
        )
        columns |= {
            "source_line": [number for number, _, _ in self.offsets],
            "source_format": [format for _, format, _ in self.offsets],
        }
        return columns_table(columns, len(self.offsets), schemas.OFFSETS, given)

    def _topics(self, given: dict) -> pa.Table:
        columns = dict(
            zip(TopicRow._fields, zip(*(row for _, row in self.topics), strict=False), strict=False)
        ) | {"source_line": [number for number, _ in self.topics]}
        return columns_table(
            columns, len(self.topics), schemas.TOPICS, given | {"source_format": FORMAT}
        )


def walk(
    lines: Iterable[tuple[int, bytes]],
    layout: Layout | None,
    group_id: str | None,
    collected: PrintedRows,
) -> Layout | None:
    """Add all lines to `collected` and return the layout after the last line. `lines`: (number,
    line without its line end).
    """
    for number, line in lines:
        header = header_of(line)
        if header is not None:
            layout = header
            collected.other.note(number, line, header.format, HEADER)
            collected.other.formats[header.format] = None
            continue
        try:
            row = row_or_note(line, layout, group_id)
        except Unreadable as reason:
            time = time_of(line)
            if time is not None:
                collected.add_time(number, line, time)
                continue
            collected.other.reject(number, line, layout and layout.format, str(reason))
            continue
        if isinstance(row, ConsumerRow) and row.member is not None:
            layout = replace(layout, consumer=(row.consumer["group_id"], row.consumer["member_id"]))
        if row is None and line.strip(_BLANK):
            collected.other.note(
                number, line, None, kind_of(line.decode("utf-8", "replace").strip())
            )
        else:
            collected.add(number, row, layout.format if layout else "")
    return layout
