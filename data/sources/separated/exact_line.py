"""Decides whether a line of a table is a row, a note, or rejected with a reason. This is the exact
path; `plain_lines` is the fast path.
"""

import csv
from collections.abc import Iterable, Iterator
from typing import Any

from evenkeel.data.sources.numbers import Unreadable
from evenkeel.data.sources.separated import values
from evenkeel.data.sources.separated.header import NEEDED, TableHeader
from evenkeel.data.sources.separated.values import PLAIN
from evenkeel.data.text.formats import counted

MAX_LINE_BYTES = 1 << 20
"""Longer lines are rejected unread."""


def row_or_note(line: bytes, layout: TableHeader) -> dict[str, Any] | None:
    """Return the columns of OFFSETS in a line. Return the columns of MEMBERS if the line has a
    member but no topic and partition. Return None if all cells are empty.

    Raises
    ------
    Unreadable
        If the line is not a row.
    """
    cells = cells_of(line, layout)
    if not any(cells):
        return None
    if len(cells) != len(layout.cells):
        raise Unreadable(
            f"{counted(len(cells), 'cell')}, expected {len(layout.cells)} as in the header of line"
            f" {layout.line}"
        )
    row = {
        column: _value(cells[place], column, place, layout)
        for column, place in layout.mapping.items()
    }
    row = {column: value for column, value in row.items() if value is not None}
    if "member_id" in row and not row.keys() & {*NEEDED}:
        return {column: value for column, value in row.items() if column not in values.NUMBERS} | {
            "owned": [],
            "partition_count": 0,
        }
    for column in NEEDED:
        if column not in row:
            place = layout.mapping[column]
            raise Unreadable(f"{layout.cells[place]} is {cells[place][:80]!r}, expected a {column}")
    return row


def rows_in(lines: Iterable[bytes], layout: TableHeader) -> Iterator[list[str]]:
    """Yield the cells of each line that has as many cells as the header."""
    for line in lines:
        try:
            cells = cells_of(line, layout)
        except Unreadable:
            continue
        if len(cells) == len(layout.cells):
            yield cells


def cells_of(line: bytes, layout: TableHeader) -> list[str]:
    """Return the cells of a line.

    Raises
    ------
    Unreadable
        If the line is too long, not UTF-8, or has unbalanced quotes.
    """
    if len(line) > MAX_LINE_BYTES:
        raise Unreadable(f"line of {len(line):,} bytes, expected at most {MAX_LINE_BYTES:,}")
    try:
        text = line.removesuffix(b"\r").decode()
        return [
            cell.strip(values.BLANKS)
            for cell in next(
                csv.reader([text], delimiter=layout.separator, skipinitialspace=True, strict=True),
                [],
            )
        ]
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"byte 0x{line[error.start]:02x} at position {error.start + 1}, expected UTF-8"
        ) from error
    except csv.Error as error:
        raise Unreadable(
            f"unbalanced quotes ({error}), expected every cell to end in its line"
        ) from error


def _value(cell: str, column: str, place: int, layout: TableHeader) -> Any:
    title = layout.cells[place]
    if column == "taken_at":
        return values.time(cell, title, layout.zone)
    if column in values.NUMBERS:
        return values.number(cell, column, title, layout.styles.get(column, PLAIN))
    return values.name(cell)
