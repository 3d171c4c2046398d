"""The interface of a source: a module that reads one kind of file."""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import NamedTuple, Protocol

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.parsed import EMPTY, ParsedTables, remark_kind, rows_table
from evenkeel.data.group.tables.schemas import MAX_TEXT

Readable = Path | tuple[str, bytes]
"""A path, or (name, content) of a file."""


def distinct_name(name: str, taken: Iterable[str]) -> str:
    """Return a name for a file. If another file of the input has this name, a number is added."""
    number, distinct = 1, name
    while distinct in taken:
        number += 1
        distinct = f"{name} ({number})"
    return distinct


class NamedColumns(NamedTuple):
    """Columns that a person named. `names`: pairs (column of OFFSETS, name of its header cell as
    `labels` returns it).

    `header`: the cells of the only header that the names are for; its other columns are not used.
    If `header` is None, the names are for every header, and other columns are guessed. `topic`: the
    topic of a table without a topic column.
    """

    names: tuple[tuple[str, str], ...]
    header: tuple[str, ...] | None = None
    topic: str | None = None


@dataclass(frozen=True)
class Context:
    """The position of a piece of text, and facts from outside the piece.

    Parameters
    ----------
    first_line : int
        Number of the piece's first line, from 1.
    header : bytes
        The last header line before the piece, unchanged; empty if there is none. If a consumer's
        tasks are on separate lines, `header` includes the consumer's line.
    group_id : str or None
        The caller's group id for listings without a group id.
    taken_at : datetime or None
        Time for rows without a time, with a time zone.
    cluster : str or None
        Cluster of rows without a cluster.
    named_columns : tuple of NamedColumns
        Columns of text tables that a person named.
    numbers : str or None
        The person's choice of number style in text tables, a name in `separated.values.STYLES`.
    zone : tzinfo or None
        Time zone of times without a zone. None means UTC, with a remark.
    """

    first_line: int = 1
    header: bytes = b""
    group_id: str | None = None
    taken_at: datetime | None = None
    cluster: str | None = None
    named_columns: tuple[NamedColumns, ...] = ()
    numbers: str | None = None
    zone: tzinfo | None = None

    @property
    def topic(self) -> str | None:
        """The caller's topic for tables without a topic column."""
        return next((named.topic for named in self.named_columns if named.topic), None)


START = Context()


class Source(Protocol):
    """A module of `data/sources`. `NAME`: its name as a Spark data source."""

    NAME: str

    def recognises(self, head: bytes, file: str) -> bool:
        """Return whether a file that starts with `head` is of the source's kind."""
        ...

    def parse(self, data: bytes, file: str, context: Context = START) -> ParsedTables:
        """Parse UTF-8 text. Each line becomes a row, a note, or a rejected line with a reason."""
        ...


# Lines that are not rows: notes and rejected lines, collected for tables.


@dataclass
class OtherLines:
    """A source's lines that are not rows, in input order. `formats`: names of recognised formats,
    for people.
    """

    rejected: list[dict] = field(default_factory=list)
    notes: list[dict] = field(default_factory=list)
    note_count: int = 0
    formats: dict[str, None] = field(default_factory=dict)

    def note(self, number: int, line: bytes, format: str | None, kind: str) -> None:
        """Add a note."""
        self.note_count += 1
        self.notes.append(
            {"source_line": number, "source_format": format, "text": _text(line), "reason": kind}
        )

    def remark(
        self, code: str, group_id: str | None, count: int, line: int, detail: str = ""
    ) -> None:
        """Add a remark about a group. It does not change the counts of lines: `line` is already
        counted, as a row, as a note or as a rejected line.
        """
        kind = remark_kind(code, count, group_id)
        self.notes.append(
            {"source_line": line, "source_format": None, "text": detail, "reason": kind}
        )

    def reject(self, number: int, line: bytes, format: str | None, reason: str) -> None:
        """Add a rejected line."""
        self.rejected.append(
            {"source_line": number, "source_format": format, "text": _text(line), "reason": reason}
        )

    def parsed(self, file: str) -> ParsedTables:
        """Return tables that contain only these lines."""
        return replace(
            EMPTY,
            rejected=rows_table(self.rejected, schemas.REJECTED, {"source_file": file}),
            notes=rows_table(self.notes, schemas.NOTES, {"source_file": file}),
            line_count=self.note_count + len(self.rejected),
            note_count=self.note_count,
            formats=tuple(self.formats),
        )


def _text(line: bytes) -> str:
    # A character takes at most four bytes in UTF-8.
    return line[: 4 * MAX_TEXT].decode("utf-8", "replace")[:MAX_TEXT].removesuffix("\r")


# Columns that a person names because the table's header is unknown.


def labels(header: Sequence[str]) -> list[str]:
    """Return a name for each cell of a header, so that no two names are equal if case is ignored.
    Equal names get their column number, `lag (3)`; an empty name becomes `column 5`.
    """
    times = Counter(cell.casefold() for cell in header)
    return [
        cell if cell and times[cell.casefold()] == 1 else _label(cell, place, times)
        for place, cell in enumerate(header, 1)
    ]


def names_for(header: tuple[str, ...], named_columns: Sequence[NamedColumns]) -> NamedColumns:
    """Return the names for this header, else the names for all headers, else no names."""
    own = [names for names in named_columns if names.header == header]
    every = [names for names in named_columns if names.header is None and names.names]
    return next(iter(own or every), NamedColumns(()))


def _label(cell: str, place: int, taken: Container[str]) -> str:
    label = f"{cell} ({place})" if cell else f"column {place}"
    while label.casefold() in taken:
        label += f" ({place})"
    return label
