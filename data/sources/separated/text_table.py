"""Any table in text with a header: CSV, TSV, semicolons. Names of columns are recognised by their synonyms."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from evenkeel.data.sources.parsing.context import START, Context
from evenkeel.data.sources.parsing.numbers import Unreadable
from evenkeel.data.sources.parsing.other_lines import OtherLines
from evenkeel.data.sources.separated.header import TableHeader, header_in, require_columns
from evenkeel.data.sources.separated.line import row_or_note
from evenkeel.data.sources.separated.plain_lines import plain_columns
from evenkeel.data.sources.separated.styles import styles_of
from evenkeel.data.tables import schemas
from evenkeel.data.tables.columns_table import columns_table
from evenkeel.data.tables.notes import header_kind
from evenkeel.data.tables.parsed import Parsed, joined

NAME = "evenkeel-delimited"


def recognises(head: bytes, file: str) -> bool:
    """Tell whether a file starts with a row of names between commas, semicolons or tabs.

    One of the names must be known, or all lines below must have as many cells.
    """
    # The head of a file may end in the middle of its last line.
    lines = [line for line in head.split(b"\n")[:-1] or [head] if line.strip()]
    layout = header_in(lines)
    if layout is None:
        return False
    below = lines[layout.line :]
    return bool(layout.mapping) or all(line.count(layout.separator.encode()) == len(layout.cells) - 1 for line in below) and bool(below)


def parse(data: bytes, file: str, context: Context = START) -> Parsed:
    """Parse a table, or a piece of one whose header is in the context: every line becomes a row, a note, or is rejected with a reason.

    Raises
    ------
    SnapshotError
        When no column is the topic or the partition.
    """
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    layout = header_in([context.header] if context.header else lines, context.first_line, context.named_columns)
    header_count = 0 if context.header else layout.line - context.first_line + 1 if layout else 0
    require_columns(layout, file, context.named_columns)
    header = lines[header_count - 1] if header_count else b""
    return _parsed(lines[header_count:], header, header_count, layout, file, context)


def _parsed(lines: Sequence[bytes], header: bytes, header_count: int, layout: TableHeader, file: str, context: Context) -> Parsed:
    first_line = context.first_line + header_count
    about = {
        "taken_at": context.taken_at,
        "group_id": context.group_id,
        "cluster": context.cluster,
        "source_file": file,
        "source_format": layout.format,
    }
    other, rows = OtherLines(note_count=header_count - 1 if header_count else 0, formats={layout.format: None}), []
    if header_count:
        other.note(layout.line, header, layout.format, header_kind(layout.not_used()))
    columns, plain = plain_columns(lines, layout)
    places = np.setdiff1d(np.arange(len(lines)), plain, assume_unique=True).tolist()
    layout = replace(layout, styles=styles_of(columns, (lines[place] for place in places), layout, context.numbers))
    for place in places:
        try:
            row = row_or_note(lines[place], layout)
        except Unreadable as reason:
            other.reject(first_line + place, lines[place], layout.format, str(reason))
            continue
        other.note_count += row is None
        rows += [] if row is None else [about | row | {"source_line": first_line + place}]
    offsets = columns_table(_filled(columns, about) | {"source_line": plain + first_line}, len(plain), schemas.OFFSETS, about)
    exact = pa.Table.from_pylist([row for row in rows if "topic" in row], schemas.OFFSETS)
    members = pa.Table.from_pylist([row for row in rows if "topic" not in row], schemas.MEMBERS)
    in_order = pa.concat_tables([offsets, exact]).sort_by("source_line") if exact.num_rows else offsets
    row_count = len(plain) + len(rows)
    found = Parsed(in_order, members, schemas.TOPICS.empty_table(), schemas.REJECTED.empty_table(), row_count, row_count, 0)
    return joined([other.parsed(file), found])


def _filled(columns: Mapping[str, pa.Array], about: Mapping[str, Any]) -> dict[str, pa.Array]:
    """Fill in what the caller says where a row is empty."""
    return {name: array if about.get(name) is None else array.fill_null(about[name]) for name, array in columns.items()}
