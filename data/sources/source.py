"""Source: the interface of a module that reads one kind of file."""

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
"""A file, or the name and the content of one."""


def distinct_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, numbered where another file of the same input has it."""
    number, distinct = 1, name
    while distinct in taken:
        number += 1
        distinct = f"{name} ({number})"
    return distinct


class NamedColumns(NamedTuple):
    """`names`: column of OFFSETS and the name of its cell in the header, as `labels` gives it.

    `header`: the cells of the only header that is meant; its other columns are not used. None:
    every header; its other columns are guessed. `topic`: of tables without a column for it.
    """

    names: tuple[tuple[str, str], ...]
    header: tuple[str, ...] | None = None
    topic: str | None = None


@dataclass(frozen=True)
class Context:
    """Where a piece of text starts, and the text before it.

    Parameters
    ----------
    first_line : int
        Number of the first line, from 1.
    header : bytes
        The last header line before it, as it stood; empty when there is none. With the line below
        where that one names a consumer.
    group_id : str or None
        The group of listings that name none, as the caller says.
    taken_at : datetime or None
        With time zone; for rows that carry no time of their own.
    cluster : str or None
        For rows that name none.
    named_columns : tuple of NamedColumns
        Columns of tables in text that a person names.
    numbers : str or None
        How tables in text write numbers, a name of `separated.values.STYLES`, where a person chose
        one.
    zone : tzinfo or None
        Of times that name none; None: UTC, with a remark.
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
        """The topic of tables that have no column for it, as the caller says."""
        return next((named.topic for named in self.named_columns if named.topic), None)


START = Context()


class Source(Protocol):
    """A module of `data/sources`; `NAME` is its name as a Spark data source."""

    NAME: str

    def recognises(self, head: bytes, file: str) -> bool:
        """Return whether a file that starts with `head` is of this kind."""
        ...

    def parse(self, data: bytes, file: str, context: Context = START) -> ParsedTables:
        """Parse text in UTF-8: every line becomes a row, a note, or is rejected with a reason."""
        ...


# Context: what the lines of a byte range need to know of everything that precedes them.


# Lines that give no row: notes and rejected lines, on their way into tables.


@dataclass
class OtherLines:
    """A source's lines besides rows, in the order of the input; `formats`: the recognised formats,
    for people.
    """

    rejected: list[dict] = field(default_factory=list)
    notes: list[dict] = field(default_factory=list)
    note_count: int = 0
    formats: dict[str, None] = field(default_factory=dict)

    def note(self, number: int, line: bytes, format: str | None, kind: str) -> None:
        """Count a note and keep its text."""
        self.note_count += 1
        self.notes.append(
            {"source_line": number, "source_format": format, "text": _text(line), "reason": kind}
        )

    def remark(
        self, code: str, group_id: str | None, count: int, line: int, detail: str = ""
    ) -> None:
        """Keep a remark about a group; its line also counts as a row, a note or rejected."""
        kind = remark_kind(code, count, group_id)
        self.notes.append(
            {"source_line": line, "source_format": None, "text": detail, "reason": kind}
        )

    def reject(self, number: int, line: bytes, format: str | None, reason: str) -> None:
        """Keep a line that is neither row nor note."""
        self.rejected.append(
            {"source_line": number, "source_format": format, "text": _text(line), "reason": reason}
        )

    def parsed(self, file: str) -> ParsedTables:
        """Return these lines as tables without rows."""
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


# Columns of a table that a person names, because its header does not say what they are.


def labels(header: Sequence[str]) -> list[str]:
    """Return a distinct name for each cell of a header, whatever the case: `lag (3)` for one of
    several equal names, `column 5` for an empty name.
    """
    times = Counter(cell.casefold() for cell in header)
    return [
        cell if cell and times[cell.casefold()] == 1 else _label(cell, place, times)
        for place, cell in enumerate(header, 1)
    ]


def names_for(header: tuple[str, ...], named_columns: Sequence[NamedColumns]) -> NamedColumns:
    """Return the names for this header, else those for every header, else none."""
    own = [names for names in named_columns if names.header == header]
    every = [names for names in named_columns if names.header is None and names.names]
    return next(iter(own or every), NamedColumns(()))


def _label(cell: str, place: int, taken: Container[str]) -> str:
    label = f"{cell} ({place})" if cell else f"column {place}"
    while label.casefold() in taken:
        label += f" ({place})"
    return label
