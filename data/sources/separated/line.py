"""One line under a header: a row, a note, or rejected with a reason. The exact path; `columns` is the fast one beside it."""

import csv
from typing import Any

from evenkeel.data.sources.parsing.numbers import Unreadable
from evenkeel.data.sources.separated import values
from evenkeel.data.sources.separated.header import NEEDED, TableHeader
from evenkeel.data.sources.separated.numerals import PLAIN, Style
from evenkeel.data.words.lists import counted

MAX_LINE_BYTES = 1 << 20
"""Longer lines are rejected unread."""


def row_or_note(line: bytes, layout: TableHeader) -> dict[str, Any] | None:
    """Return the columns of OFFSETS in a line, of MEMBERS for a member without topic and partition; None for an empty line.

    Raises
    ------
    Unreadable
        When it is neither.
    """
    cells = cells_of(line, layout)
    if not any(cells):
        return None
    if len(cells) != len(layout.cells):
        raise Unreadable(f"{counted(len(cells), 'cell')}, expected {len(layout.cells)} as in the header of line {layout.line}")
    row = {
        column: _value(cells[place], column, layout.cells[place], layout.styles.get(column, PLAIN))
        for column, place in layout.mapping.items()
    }
    row = {column: value for column, value in row.items() if value is not None}
    if "member_id" in row and not row.keys() & {*NEEDED}:
        return {column: value for column, value in row.items() if column not in values.NUMBERS} | {"owned": [], "partition_count": 0}
    for column in NEEDED:
        if column not in row:
            place = layout.mapping[column]
            raise Unreadable(f"{layout.cells[place]} is {cells[place][:80]!r}, expected a {column}")
    return row


def cells_of(line: bytes, layout: TableHeader) -> list[str]:
    """Return the cells of a line.

    Raises
    ------
    Unreadable
        For a line that is too long, no UTF-8, or quoted wrongly.
    """
    if len(line) > MAX_LINE_BYTES:
        raise Unreadable(f"line of {len(line):,} bytes, expected at most {MAX_LINE_BYTES:,}")
    try:
        text = line.removesuffix(b"\r").decode()
        return [cell.strip(values.BLANKS) for cell in next(csv.reader([text], delimiter=layout.separator, strict=True), [])]
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte 0x{line[error.start]:02x} at position {error.start + 1}, expected UTF-8") from error
    except csv.Error as error:
        raise Unreadable(f"unbalanced quotes ({error}), expected every cell to end in its line") from error


def _value(cell: str, column: str, title: str, style: Style | None) -> Any:
    if column == "taken_at":
        return values.time(cell, title)
    if column in values.NUMBERS:
        return values.number(cell, column, title, style)
    return values.name(cell)
