"""A walk over lines in order; a header changes the meaning of the lines below it."""

from collections.abc import Iterable
from dataclasses import replace

from evenkeel.data.sources.console.exact.lines import row_or_note
from evenkeel.data.sources.console.exact.printed_rows import PrintedRows
from evenkeel.data.sources.console.exact.streams.consumer_line import ConsumerRow
from evenkeel.data.sources.console.headers.header import Layout, header_of
from evenkeel.data.sources.console.time_line import time_of
from evenkeel.data.sources.parsing.numbers import Unreadable
from evenkeel.data.tables.notes import HEADER, kind_of

_BLANK = b" \t\r|+-=:"
"""Blank lines and rules of pasted tables: they are only counted."""


def layout_above(header: bytes, group_id: str | None) -> Layout | None:
    """Return the layout that the header of a `Context` announces."""
    line, _, consumer = header.partition(b"\n")
    return walk([(0, consumer)], header_of(line), group_id, PrintedRows()) if consumer else header_of(line)


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
