"""Rows on their way into tables."""

from dataclasses import dataclass, field

import pyarrow as pa

from data.sources.columns_table import columns_table, rows_table
from data.sources.console.exact.offsets.row import OffsetRow
from data.sources.console.exact.topics import FORMAT, TopicRow
from data.sources.parsing.context import Context
from data.tables import schemas
from data.tables.parsed import Parsed

_MAX_TEXT = 1_000


@dataclass
class Collected:
    """What a walk over lines found: rows with their line numbers, in the order of the input."""

    offsets: list[tuple[int, str, OffsetRow]] = field(default_factory=list)
    members: list[dict] = field(default_factory=list)
    topics: list[tuple[int, TopicRow]] = field(default_factory=list)
    rejected: list[dict] = field(default_factory=list)
    notes: list[dict] = field(default_factory=list)
    note_count: int = 0
    formats: dict[str, None] = field(default_factory=dict)

    def add(self, number: int, row: OffsetRow | TopicRow | dict | None, format: str) -> None:
        """Take the row of a line; None is a note."""
        if row is None:
            self.note_count += 1
        elif isinstance(row, OffsetRow):
            self.offsets.append((number, format, row))
        elif isinstance(row, TopicRow):
            self.topics.append((number, row))
            self.formats[FORMAT] = None
        else:
            self.members.append(row | {"source_line": number, "source_format": format})

    def note(self, number: int, line: bytes, format: str | None, kind: str) -> None:
        """Count a note and keep what it says."""
        self.note_count += 1
        self.notes.append({"source_line": number, "source_format": format, "text": _text(line), "reason": kind})

    def reject(self, number: int, line: bytes, format: str | None, reason: str) -> None:
        """Keep a line that is neither row nor note."""
        self.rejected.append({"source_line": number, "source_format": format, "text": _text(line), "reason": reason})

    def parsed(self, file: str, context: Context) -> Parsed:
        """Return the tables, with what the caller says of all rows."""
        given = {"taken_at": context.taken_at, "cluster": context.cluster, "source_file": file}
        rows = len(self.offsets) + len(self.members) + len(self.topics)
        return Parsed(
            offsets=self._offsets(given),
            members=rows_table(self.members, schemas.MEMBERS, given),
            topics=self._topics(given),
            rejected=rows_table(self.rejected, schemas.REJECTED, {"source_file": file}),
            line_count=rows + self.note_count + len(self.rejected),
            row_count=rows,
            note_count=self.note_count,
            formats=tuple(self.formats),
            notes=rows_table(self.notes, schemas.NOTES, {"source_file": file}),
        )

    def _offsets(self, given: dict) -> pa.Table:
        columns = dict(zip(OffsetRow._fields, zip(*(row for _, _, row in self.offsets))))
        columns |= {"source_line": [number for number, _, _ in self.offsets], "source_format": [format for _, format, _ in self.offsets]}
        return columns_table(columns, len(self.offsets), schemas.OFFSETS, given)

    def _topics(self, given: dict) -> pa.Table:
        columns = dict(zip(TopicRow._fields, zip(*(row for _, row in self.topics)))) | {"source_line": [number for number, _ in self.topics]}
        return columns_table(columns, len(self.topics), schemas.TOPICS, given | {"source_format": FORMAT})


def _text(line: bytes) -> str:
    return line[: 4 * _MAX_TEXT].decode("utf-8", "replace")[:_MAX_TEXT].removesuffix("\r")
