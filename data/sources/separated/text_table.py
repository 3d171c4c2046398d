"""Any table in text with a header: CSV, TSV, semicolons. Names of columns are recognised by their
synonyms.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.parsed import Parsed, columns_table, header_kind, joined, rows_table
from evenkeel.data.sources.numbers import MAX_PARTITION, Unreadable
from evenkeel.data.sources.separated import values
from evenkeel.data.sources.separated.header import NEEDED, TableHeader, header_in, require_columns
from evenkeel.data.sources.separated.values import (
    NUMBERS,
    PLAIN,
    STYLES,
    Style,
    assignor_of,
    proven_styles,
    state_of,
    style_of,
)
from evenkeel.data.sources.source import START, Context, OtherLines
from evenkeel.data.sources.synonyms import columns_of
from evenkeel.data.text.formats import counted

NAME = "evenkeel-delimited"


def recognises(head: bytes, file: str) -> bool:
    """Return whether a file starts with a row of names between commas, semicolons or tabs.

    One of the names must be known, or all lines below must have as many cells and no name be a
    number or a value such as `offset=0`.
    """
    # The head of a file may end in the middle of its last line.
    lines = [line for line in head.split(b"\n")[:-1] or [head] if line.strip()]
    layout = header_in(lines)
    if layout is None:
        return False
    if not layout.mapping and any(cell.isdigit() or "=" in cell for cell in layout.cells):
        return False
    below = lines[layout.line :]
    return (
        bool(layout.mapping)
        or all(line.count(layout.separator.encode()) == len(layout.cells) - 1 for line in below)
        and bool(below)
    )


def parse(data: bytes, file: str, context: Context = START) -> Parsed:
    """Parse a table, or a piece of one whose header is in the context: every line becomes a row, a
    note, or is rejected with a reason.

    Raises
    ------
    SnapshotError
        If no column is the topic or the partition.
    """
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    layout = header_in(
        [context.header] if context.header else lines, context.first_line, context.named_columns
    )
    header_count = 0 if context.header else layout.line - context.first_line + 1 if layout else 0
    guess = {} if layout is None or context.named_columns else layout.likely
    if layout and guess and _is_proven(lines[header_count:], layout, guess):
        said = layout.option_for()
        layout = replace(layout, mapping={**layout.mapping, **guess})
        parsed = _read(lines, header_count, layout, file, context)
        return _remarked(parsed, "guessed_columns", parsed.offsets["group_id"], said)
    return _read(lines, header_count, layout, file, context)


def _read(
    lines: Sequence[bytes],
    header_count: int,
    layout: TableHeader | None,
    file: str,
    context: Context,
) -> Parsed:
    require_columns(layout, file, context.named_columns)
    header = lines[header_count - 1] if header_count else b""
    return _parsed(lines[header_count:], header, header_count, layout, file, context)


_FIGURES = ("committed_offset", "end_offset", "listed_lag")
_MOST_TIMES = 1_000
_LEAST_ROWS = 2


def _is_proven(lines: Sequence[bytes], layout: TableHeader, guess: Mapping[str, int]) -> bool:
    """Return whether guessed columns are right: in all rows with three figures the lag is end less
    commit, one lag is above 0, and every partition is a number.
    """
    mapping = {**layout.mapping, **guess}
    if not mapping.keys() >= {*NEEDED, *_FIGURES}:
        return False
    columns, plain = plain_columns(lines, replace(layout, mapping=mapping))
    committed, end, lag = (columns[name] for name in _FIGURES)
    differences = pc.subtract(pc.subtract(end, committed), lag).drop_null()
    filled = sum(bool(line.strip()) for line in lines)
    return bool(
        len(differences) >= _LEAST_ROWS
        and len(plain) == filled
        and not pc.any(pc.not_equal(differences, 0)).as_py()
        and pc.max(lag).as_py() > 0
    )


def _remarked(parsed: Parsed, code: str, groups: pa.ChunkedArray, detail: str = "") -> Parsed:
    """Return the table with a remark for each group; `groups`: of the rows that it is about."""
    if not len(groups):
        return parsed
    other, line = OtherLines(), parsed.offsets["source_line"][0].as_py()
    for row in groups.value_counts().to_pylist()[:_MOST_GROUPS]:
        other.remark(code, row["values"], row["counts"], line, detail)
    file = parsed.offsets["source_file"][0].as_py()
    notes = pa.concat_tables([parsed.notes, replace(other, note_count=0).parsed(file).notes])
    return replace(parsed, notes=notes)


_MOST_GROUPS = 1_000
"""Groups that one remark is made about."""


def _parsed(
    lines: Sequence[bytes],
    header: bytes,
    header_count: int,
    layout: TableHeader,
    file: str,
    context: Context,
) -> Parsed:
    first_line = context.first_line + header_count
    about = {
        "taken_at": context.taken_at,
        "group_id": context.group_id,
        "cluster": context.cluster,
        "source_file": file,
        "source_format": layout.format,
    }
    other, rows = (
        OtherLines(
            note_count=header_count - 1 if header_count else 0, formats={layout.format: None}
        ),
        [],
    )
    if header_count:
        other.note(layout.line, header, layout.format, header_kind(layout.not_used()))
    layout = replace(layout, zone=context.zone)
    columns, plain = plain_columns(lines, layout)
    places = np.setdiff1d(np.arange(len(lines)), plain, assume_unique=True).tolist()
    layout = replace(
        layout,
        styles=styles_of(columns, (lines[place] for place in places), layout, context.numbers),
    )
    for place in places:
        try:
            row = row_or_note(lines[place], layout)
        except Unreadable as reason:
            other.reject(first_line + place, lines[place], layout.format, str(reason))
            continue
        other.note_count += row is None
        rows += [] if row is None else [about | row | {"source_line": first_line + place}]
    offsets = columns_table(
        _filled(columns, about) | {"source_line": plain + first_line},
        len(plain),
        schemas.OFFSETS,
        about,
    )
    exact = pa.Table.from_pylist([row for row in rows if "topic" in row], schemas.OFFSETS)
    members = pa.Table.from_pylist([row for row in rows if "topic" not in row], schemas.MEMBERS)
    in_order = (
        pa.concat_tables([offsets, exact]).sort_by("source_line") if exact.num_rows else offsets
    )
    heads = _heads(in_order, lines, first_line, layout, about)
    named = _with_members(in_order)
    guessed = pc.and_(pc.is_null(in_order["member_id"]), pc.is_valid(named["member_id"]))
    unnamed, in_order = named.filter(guessed), named
    members = pa.concat_tables([members, rows_table(heads, schemas.MEMBERS, {})])
    row_count = len(plain) + len(rows)
    parsed = Parsed(
        in_order,
        members,
        schemas.TOPICS.empty_table(),
        schemas.REJECTED.empty_table(),
        row_count,
        row_count,
        0,
    )
    parsed = joined([other.parsed(file), parsed])
    if unnamed.num_rows:
        of_members = unnamed.group_by(["group_id", "member_id"]).aggregate([])
        parsed = _remarked(parsed, "guessed_member_ids", of_members["group_id"])
    if context.zone is None and _assumes_zone(lines, layout):
        parsed = _remarked(parsed, "zone_assumed", in_order["group_id"])
    return parsed


def _assumes_zone(lines: Sequence[bytes], layout: TableHeader) -> bool:
    """Return whether one of the first times of a table names no zone."""
    place = layout.mapping.get("taken_at")
    if place is None:
        return False
    some = islice(_rows(lines, layout), _MOST_TIMES)
    times = (row[place] for row in some if not values.is_missing(row[place]))
    return any(map(values.names_no_zone, times))


def _filled(columns: Mapping[str, pa.Array], about: Mapping[str, Any]) -> dict[str, pa.Array]:
    """Fill empty cells with the caller's values."""
    return {
        name: array if about.get(name) is None else array.fill_null(about[name])
        for name, array in columns.items()
    }


def _with_members(offsets: pa.Table) -> pa.Table:
    """Name each member: by its id, else by its instance, else by client and host."""
    client, host = offsets["client_id"], offsets["host"]
    ids = pc.coalesce(
        offsets["member_id"], offsets["instance_id"], pc.binary_join_element_wise(client, host, "@")
    )
    place = offsets.schema.get_field_index("member_id")
    return offsets.set_column(place, offsets.schema.field("member_id"), pc.coalesce(ids, client))


def _heads(
    offsets: pa.Table,
    lines: Sequence[bytes],
    first_line: int,
    layout: TableHeader,
    about: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """Return state and assignor of each group, from its first row, if the header has them."""
    places = columns_of(layout.cells)
    columns = [column for column in _ABOUT_GROUPS if column in places]
    if not columns or not offsets.num_rows:
        return []
    first = offsets.group_by("group_id", use_threads=False).aggregate([("source_line", "min")])
    heads = []
    for row in first.to_pylist():
        cells = cells_of(lines[row["source_line_min"] - first_line], layout)
        by_column = {column: _ABOUT_GROUPS[column](cells[places[column]]) for column in columns}
        head = {"group_id": row["group_id"], "source_line": row["source_line_min"]}
        heads += [dict(about) | head | by_column] if any(by_column.values()) else []
    return heads


_ABOUT_GROUPS = {"group_state": state_of, "assignor": assignor_of}

# One line under a header: a row, a note, or rejected with a reason. The exact path; `columns` is
# the fast one beside it.


MAX_LINE_BYTES = 1 << 20
"""Longer lines are rejected unread."""


def row_or_note(line: bytes, layout: TableHeader) -> dict[str, Any] | None:
    """Return the columns of OFFSETS in a line, of MEMBERS for a member without topic and partition;
    None for an empty line.

    Raises
    ------
    Unreadable
        If it is neither.
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


# Many lines at once: the rows whose cells are plain, as Arrow columns. Other lines are left to
# `line.py`.


_ODD = (b'"', b"\r", b"\x00", "\ufeff".encode())
_MAX_PLAIN_BYTES = 100_000
# 18 digits always fit int64.
_PLAIN_NUMBER = "^-?[0-9]{1,18}$"


def plain_columns(
    lines: Sequence[bytes], layout: TableHeader
) -> tuple[dict[str, pa.Array], np.ndarray]:
    """Return the columns of OFFSETS of the plain lines, and which lines those are, int64
    ascending.
    """
    separator, count = layout.separator.encode(), len(layout.cells) - 1
    regular = [
        number
        for number, line in enumerate(lines)
        if line.count(separator) == count
        and len(line) < _MAX_PLAIN_BYTES
        and not any(mark in line for mark in _ODD)
    ]
    try:
        cells = _cells(b"\n".join([lines[number] for number in regular]), layout)
    except pa.ArrowInvalid:
        # Some line is no UTF-8: the exact path says which.
        regular, cells = [], _cells(b"", layout)
    columns = {
        column: _column(column, cells[str(place)], layout.zone)
        for column, place in layout.mapping.items()
    }
    plain = np.logical_and.reduce([is_plain for _, is_plain in columns.values()])
    return {
        column: array.filter(pa.array(plain)) for column, (array, _) in columns.items()
    }, np.array(regular, dtype=np.int64)[plain]


def _cells(text: bytes, layout: TableHeader) -> pa.Table:
    """Cut lines into text columns, named by their place; raises ArrowInvalid for bytes that are not
    UTF-8.
    """
    places = [str(place) for place in range(len(layout.cells))]
    if not text:
        return pa.table([pa.array([], pa.string())] * len(places), names=places)
    return pyarrow.csv.read_csv(
        pa.BufferReader(text),
        read_options=pyarrow.csv.ReadOptions(column_names=places, block_size=1 << 24),
        # pyarrow drops empty lines by default, and the rows behind one would lose their line.
        parse_options=pyarrow.csv.ParseOptions(
            delimiter=layout.separator,
            quote_char=False,
            escape_char=False,
            ignore_empty_lines=False,
        ),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(places, pa.string()),
            include_columns=[str(place) for place in {*layout.mapping.values()}],
        ),
    )


def _column(
    column: str, cells: pa.ChunkedArray, zone: tzinfo | None
) -> tuple[pa.Array, np.ndarray]:
    """Return a column's values and which of them are plain."""
    text = pc.utf8_trim(cells.combine_chunks(), values.BLANKS)
    if column in values.NUMBERS:
        return _numbers(column, text)
    encoded = text.dictionary_encode()
    named = [_named(column, cell, zone) for cell in encoded.dictionary.to_pylist()]
    known, plain = (
        [value for value, _ in named],
        np.array([is_plain for _, is_plain in named], dtype=bool),
    )
    return pa.array(known, schemas.OFFSETS.field(column).type).take(encoded.indices), plain[
        encoded.indices.to_numpy()
    ]


def _named(column: str, cell: str, zone: tzinfo | None):
    try:
        is_time = column == "taken_at"
        value = values.time(cell, column, zone) if is_time else values.name(cell)
    except Unreadable:
        return None, False
    return value, not (column == "topic" and value is None)


def _numbers(column: str, text: pa.Array) -> tuple[pa.Array, np.ndarray]:
    is_number = pc.match_substring_regex(text, _PLAIN_NUMBER)
    number = pc.cast(pc.if_else(is_number, text, None), pa.int64())
    if column == "partition":
        plain = pc.and_(pc.greater_equal(number, 0), pc.less_equal(number, MAX_PARTITION))
        return pc.cast(pc.if_else(plain, number, None), pa.int32()), plain.fill_null(
            False
        ).to_numpy(zero_copy_only=False)
    missing = pc.is_in(pc.utf8_lower(text), pa.array(sorted(values.MISSING)))
    if column == "listed_lag":
        return number, pc.or_(is_number, missing).to_numpy(zero_copy_only=False)
    in_range = pc.greater_equal(number, -1).fill_null(False)
    return pc.if_else(pc.equal(number, -1), None, number), pc.or_(in_range, missing).to_numpy(
        zero_copy_only=False
    )


# How each column of a table writes its numbers, found over the whole table.


_COUNTED = tuple(column for column in NUMBERS if column != "partition")


def styles_of(
    plain: Mapping[str, pa.Array], others: Iterable[bytes], layout: TableHeader, given: str | None
) -> dict[str, Style | None]:
    """Return the style of each column with numbers, None if it is unknown.

    `plain`: the numbers without marks; `others`: the other lines; `given`: a style that a person
    chose.
    """
    columns = [column for column in _COUNTED if column in layout.mapping]
    if given:
        return dict.fromkeys(columns, STYLES[given])
    rows = list(_rows(others, layout))
    styles = {
        column: style_of((cells[layout.mapping[column]] for cells in rows), _longest(plain[column]))
        for column in columns
    }
    named = [{column: cells[layout.mapping[column]] for column in columns} for cells in rows]
    return dict(proven_styles(named, styles))


def _rows(lines: Iterable[bytes], layout: TableHeader) -> Iterator[list[str]]:
    for line in lines:
        try:
            cells = cells_of(line, layout)
        except Unreadable:
            continue
        if len(cells) == len(layout.cells):
            yield cells


def _longest(numbers: pa.Array) -> int:
    return pc.max(pc.abs(numbers)).as_py() or 0
