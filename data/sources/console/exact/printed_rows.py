"""Rows of printed lines on their way into tables."""

from dataclasses import dataclass, field, replace
from datetime import datetime

import pyarrow as pa

from evenkeel.data.sources.console.exact.offsets.row import OffsetRow
from evenkeel.data.sources.console.exact.streams.consumer_line import ConsumerRow
from evenkeel.data.sources.console.exact.topic_line import FORMAT, TopicRow
from evenkeel.data.sources.console.time_line import PrintedTime
from evenkeel.data.sources.parsing.context import Context
from evenkeel.data.sources.parsing.other_lines import OtherLines
from evenkeel.data.tables import schemas
from evenkeel.data.tables.columns_table import columns_table, rows_table
from evenkeel.data.tables.parsed import Parsed


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
