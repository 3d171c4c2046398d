"""A walk over lines in order; a header changes the meaning of the lines below it."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

import pyarrow as pa

from evenkeel.data.sources.console.exact.lines import FORMAT, TopicRow, row_or_note
from evenkeel.data.sources.console.exact.offsets import OffsetRow
from evenkeel.data.sources.console.exact.streams import ConsumerRow
from evenkeel.data.sources.console.headers import Layout, header_of
from evenkeel.data.sources.console.times import PrintedTime, time_of
from evenkeel.data.sources.numbers import Unreadable
from evenkeel.data.sources.source import Context, OtherLines
from evenkeel.data.tables import schemas
from evenkeel.data.tables.notes import HEADER, kind_of
from evenkeel.data.tables.parsed import Parsed, columns_table, rows_table

_BLANK = b" \t\r|+-=:"
"""Blank lines and rules of pasted tables: they are only counted."""


def layout_above(header: bytes, group_id: str | None) -> Layout | None:
    """Return the layout that the header of a `Context` announces."""
    line, _, consumer = header.partition(b"\n")
    return walk([(0, consumer)], header_of(line), group_id, PrintedRows()) if consumer else header_of(line)


@dataclass
class PrintedRows:
    """What a walk over lines found: rows with their line numbers, in the order of the input, the times of listings, and the other lines."""

    offsets: list[tuple[int, str, OffsetRow]] = field(default_factory=list)
    members: list[dict] = field(default_factory=list)
    topics: list[tuple[int, TopicRow]] = field(default_factory=list)
    consumers: list[dict] = field(default_factory=list)
    times: list[tuple[int, datetime]] = field(default_factory=list)
    row_count: int = 0
    other: OtherLines = field(default_factory=OtherLines)

    def add_time(self, number: int, line: bytes, found: PrintedTime) -> None:
        """Take a line that says the time of what follows."""
        self.times.append((number, found.time))
        self.other.note(number, line, None, found.said)

    def add(self, number: int, row: OffsetRow | TopicRow | ConsumerRow | dict | None, format: str) -> None:
        """Take the row of a line; None is a note."""
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
        # A format of their own: lines of one format that say different things of a consumer contradict each other.
        named = f"{source['source_format']}: {row.detail}" if row.detail else source["source_format"]
        self.consumers.append(row.consumer | source | {"source_format": named})

    def parsed(self, file: str, context: Context) -> Parsed:
        """Return the tables, with what the caller says of all rows."""
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
        columns = dict(zip(OffsetRow._fields, zip(*(row for _, _, row in self.offsets))))
        columns |= {"source_line": [number for number, _, _ in self.offsets], "source_format": [format for _, format, _ in self.offsets]}
        return columns_table(columns, len(self.offsets), schemas.OFFSETS, given)

    def _topics(self, given: dict) -> pa.Table:
        columns = dict(zip(TopicRow._fields, zip(*(row for _, row in self.topics)))) | {
            "source_line": [number for number, _ in self.topics]
        }
        return columns_table(columns, len(self.topics), schemas.TOPICS, given | {"source_format": FORMAT})


def walk(lines: Iterable[tuple[int, bytes]], layout: Layout | None, group_id: str | None, collected: PrintedRows) -> Layout | None:
    """Add every line, given with its number and without its end, to `collected`; return the layout after the last line."""
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
            collected.other.note(number, line, None, kind_of(line.decode("utf-8", "replace").strip()))
        else:
            collected.add(number, row, layout.format if layout else "")
    return layout


# Rows of printed lines on their way into tables.
