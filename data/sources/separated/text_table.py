"""Reads text tables with a header: CSV, TSV, semicolons. Columns are recognised by synonyms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.parsed import (
    ParsedTables,
    columns_table,
    header_kind,
    joined,
    rows_table,
)
from evenkeel.data.sources.numbers import Unreadable
from evenkeel.data.sources.separated import values
from evenkeel.data.sources.separated.exact_line import cells_of, row_or_note, rows_in
from evenkeel.data.sources.separated.header import NEEDED, TableHeader, header_in, require_columns
from evenkeel.data.sources.separated.plain_lines import plain_columns
from evenkeel.data.sources.separated.values import (
    NUMBERS,
    STYLES,
    Style,
    assignor_of,
    proven_styles,
    state_of,
    style_of,
)
from evenkeel.data.sources.source import START, Context, OtherLines
from evenkeel.data.sources.synonyms import columns_of

NAME = "evenkeel-delimited"


def recognises(head: bytes, file: str) -> bool:
    """Return whether a file starts with a header whose names are separated by commas, semicolons or
    tabs.

    At least one name must be known. If none is known, all lines below must have as many cells as
    the header, and no name may be a number or a value such as `offset=0`.
    """
    # The head may end inside a line.
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


def parse(data: bytes, file: str, context: Context = START) -> ParsedTables:
    """Parse a table, or a piece of a table whose header is in the context. Each line becomes a row,
    a note, or a rejected line with a reason.

    Raises
    ------
    SnapshotError
        If the table has no column for topic or partition.
    """
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    layout = header_in(
        [context.header] if context.header else lines, context.first_line, context.named_columns
    )
    header_count = 0
    if layout and not context.header:
        header_count = layout.line - context.first_line + 1
    guess = {} if layout is None or context.named_columns else layout.likely
    if layout and guess and _is_proven(lines[header_count:], layout, guess):
        option = layout.option_for()
        layout = replace(layout, mapping={**layout.mapping, **guess})
        parsed = _read(lines, header_count, layout, file, context)
        return _remarked(parsed, "guessed_columns", parsed.offsets, option)
    return _read(lines, header_count, layout, file, context)


def _read(
    lines: Sequence[bytes],
    header_count: int,
    layout: TableHeader | None,
    file: str,
    context: Context,
) -> ParsedTables:
    require_columns(layout, file, context.named_columns)
    header = lines[header_count - 1] if header_count else b""
    return _parsed(lines[header_count:], header, header_count, layout, file, context)


_FIGURES = ("committed_offset", "end_offset", "listed_lag")
_LEAST_ROWS = 2


def _is_proven(lines: Sequence[bytes], layout: TableHeader, guess: Mapping[str, int]) -> bool:
    """Return whether guessed columns are right: all lines can be read, lag is end less commit in
    all rows with the three figures, and at least one lag is above 0.
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


def _remarked(parsed: ParsedTables, code: str, rows: pa.Table, detail: str = "") -> ParsedTables:
    """Return the tables with a remark for each group in `rows`."""
    if not rows.num_rows:
        return parsed
    other, line = OtherLines(), rows["source_line"][0].as_py()
    for row in rows["group_id"].value_counts().to_pylist()[:_MOST_GROUPS]:
        other.remark(code, row["values"], row["counts"], line, detail)
    file = parsed.offsets["source_file"][0].as_py()
    notes = pa.concat_tables([parsed.notes, replace(other, note_count=0).parsed(file).notes])
    return replace(parsed, notes=notes)


_MOST_GROUPS = 1_000
"""Limit of groups that get the same remark."""


def _parsed(
    lines: Sequence[bytes],
    header: bytes,
    header_count: int,
    layout: TableHeader,
    file: str,
    context: Context,
) -> ParsedTables:
    first_line = context.first_line + header_count
    about = {
        "taken_at": context.taken_at,
        "group_id": context.group_id,
        "cluster": context.cluster,
        "source_file": file,
        "source_format": layout.format,
    }
    other = OtherLines(
        note_count=header_count - 1 if header_count else 0, formats={layout.format: None}
    )
    if header_count:
        other.note(layout.line, header, layout.format, header_kind(layout.not_used()))

    layout = replace(layout, zone=context.zone)
    columns, plain = plain_columns(lines, layout)
    places = np.setdiff1d(np.arange(len(lines)), plain, assume_unique=True).tolist()
    other_lines = (lines[place] for place in places)
    layout = replace(layout, styles=styles_of(columns, other_lines, layout, context.numbers))
    rows = _rows_at(places, lines, first_line, layout, about, other)
    exact = pa.Table.from_pylist([row for row in rows if "topic" in row], schemas.OFFSETS)
    members = pa.Table.from_pylist([row for row in rows if "topic" not in row], schemas.MEMBERS)

    offsets = columns_table(
        _filled(columns, about) | {"source_line": plain + first_line},
        len(plain),
        schemas.OFFSETS,
        about,
    )
    if exact.num_rows:
        offsets = pa.concat_tables([offsets, exact]).sort_by("source_line")
    heads = rows_table(_heads(offsets, lines, first_line, layout, about), schemas.MEMBERS, {})
    named = _with_members(offsets)
    parsed = _joined(
        named, pa.concat_tables([members, heads]), len(plain) + len(rows), other.parsed(file)
    )

    guessed = pc.and_(pc.is_null(offsets["member_id"]), pc.is_valid(named["member_id"]))
    parsed = _with_guessed_members(parsed, named.filter(guessed))
    if context.zone is None:
        is_naive = _without_zone(lines, layout)[named["source_line"].to_numpy() - first_line]
        parsed = _remarked(parsed, "zone_assumed", named.filter(pa.array(is_naive)))
    return parsed


def _rows_at(
    places: Sequence[int],
    lines: Sequence[bytes],
    first_line: int,
    layout: TableHeader,
    about: Mapping[str, Any],
    other: OtherLines,
) -> list[dict[str, Any]]:
    """Read lines one by one and return their rows. Notes and rejected lines are added to
    `other`.
    """
    rows = []
    for place in places:
        try:
            row = row_or_note(lines[place], layout)
        except Unreadable as reason:
            other.reject(first_line + place, lines[place], layout.format, str(reason))
            continue
        if row is None:
            other.note_count += 1
        else:
            rows.append({**about, **row, "source_line": first_line + place})
    return rows


def _joined(
    offsets: pa.Table, members: pa.Table, row_count: int, other: ParsedTables
) -> ParsedTables:
    parsed = ParsedTables(
        offsets,
        members,
        schemas.TOPICS.empty_table(),
        schemas.REJECTED.empty_table(),
        row_count,
        row_count,
        0,
    )
    return joined([other, parsed])


def _with_guessed_members(parsed: ParsedTables, unnamed: pa.Table) -> ParsedTables:
    """Return the tables with remarks about members whose id is guessed."""
    if not unnamed.num_rows:
        return parsed
    of_members = unnamed.group_by(["group_id", "member_id"]).aggregate([("source_line", "min")])
    of_members = of_members.rename_columns({"source_line_min": "source_line"})
    return _remarked(parsed, "guessed_member_ids", of_members)


def _without_zone(lines: Sequence[bytes], layout: TableHeader) -> np.ndarray:
    """Return which lines have a time without a zone, bool."""
    is_naive = np.zeros(len(lines), dtype=bool)
    place, separator = layout.mapping.get("taken_at"), layout.separator.encode()
    if place is None:
        return is_naive
    # Times repeat, and cells_of is slow.
    names_no_zone = cache(lambda cell: values.names_no_zone(cell.decode("utf-8", "replace")))
    for number, line in enumerate(lines):
        cells = line.split(separator)
        if len(cells) != len(layout.cells) or b'"' in line:
            cells = [cell.encode() for row in rows_in([line], layout) for cell in row]
        is_naive[number] = bool(cells) and names_no_zone(cells[place].strip())
    return is_naive


def _filled(columns: Mapping[str, pa.Array], about: Mapping[str, Any]) -> dict[str, pa.Array]:
    """Fill empty cells with the caller's values."""
    return {
        name: array if about.get(name) is None else array.fill_null(about[name])
        for name, array in columns.items()
    }


def _with_members(offsets: pa.Table) -> pa.Table:
    """Fill missing member ids with the instance id, else with client id and host."""
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
    """Return state and assignor of each group from its first row, if the table has these
    columns.
    """
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


# The number style of each column, found from the whole table.


_COUNTED = tuple(column for column in NUMBERS if column != "partition")


def styles_of(
    plain: Mapping[str, pa.Array], others: Iterable[bytes], layout: TableHeader, given: str | None
) -> dict[str, Style | None]:
    """Return the number style of each column, None if unknown.

    `plain`: columns of numbers without marks. `others`: lines that are not in `plain`. `given`: the
    style that a person chose.
    """
    columns = [column for column in _COUNTED if column in layout.mapping]
    if given:
        return dict.fromkeys(columns, STYLES[given])
    rows = list(rows_in(others, layout))
    styles = {}
    for column in columns:
        cells_of_column = [cells[layout.mapping[column]] for cells in rows]
        longest = pc.max(pc.abs(plain[column])).as_py() or 0
        styles[column] = style_of(cells_of_column, longest)
    named = [{column: cells[layout.mapping[column]] for column in columns} for cells in rows]
    return dict(proven_styles(named, styles))
