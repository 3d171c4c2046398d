"""The result of reading a source: tables, counts of lines, and kinds of notes."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.group.tables import schemas
from evenkeel.data.text.formats import listed

# Kinds of notes, and messages of a tool about a group: it is rebalancing, or it has no members.


HEADER = "header"
MESSAGE = "message of the tool"
ERROR = "error of the tool"
REBALANCING = "the group is rebalancing: its owners are those of a moment"
NO_MEMBERS = "the group has no active members"
REPEAT = "repeats an earlier line"
TIME = "time of the listings below it: "
"""Prefix of a kind: a line has the time of the listings below it. The time follows."""

REMARK = "remark "
"""Prefix of a kind: a remark about a group. Its code, count and group follow."""

_NOT_USED = f"{HEADER}; not used: "
IS_NOT_USED = pc.starts_with(pc.field("reason"), _NOT_USED)
"""Selects the rows of NOTES for `not_used`."""

_MOST_NAMES, _LONGEST_NAME = 12, 60

_GROUP = (
    r"\W*(?:\w+: )?(?:The )?(?:[Cc]onsumer|[Ss]treams|[Ss]hare) group"
    r" ['\u2018\u2019\"\u201c](.*)['\u2019\"\u201d] "
)
_OF_GROUP = {
    REBALANCING: re.compile(rf"{_GROUP}is rebalancing\.?\s*"),
    NO_MEMBERS: re.compile(rf"{_GROUP}has no active members\.?\s*"),
}
_ERROR = re.compile(
    r"\W*(Error|ERROR|FATAL)\b|Caused by: |Exception in thread |.*(Exception|Error)(: |$)"
)


MESSAGES = (NO_MEMBERS, REBALANCING)
"""Kinds of messages about a group."""


_KIND = pc.field("reason")
ASSUMES_ZONE = pc.starts_with(_KIND, TIME) & pc.match_substring(_KIND, "; ")
"""Selects the times in NOTES with an assumed time zone."""

IS_ABOUT_GROUPS = ASSUMES_ZONE | _KIND.isin(MESSAGES) | pc.starts_with(_KIND, REMARK)
"""Selects the rows of NOTES that are shown with a group."""


def kind_of(text: str) -> str:
    """Return the kind of a message in a tool's output."""
    of_group = next((kind for kind, pattern in _OF_GROUP.items() if pattern.fullmatch(text)), None)
    return of_group or (ERROR if _ERROR.match(text) else MESSAGE)


def header_kind(not_used: Sequence[str]) -> str:
    """Return the kind of a note about a header; `not_used`: the header's unused columns."""
    if not not_used:
        return HEADER
    return _NOT_USED + listed((repr(name[:_LONGEST_NAME]) for name in not_used), _MOST_NAMES)


def not_used(notes: pa.Table) -> list[tuple[str, str, str]]:
    """Return the headers in NOTES with unused columns: file, unused columns, text of the header."""
    lines = notes.filter(IS_NOT_USED)
    return [
        (row["source_file"], row["reason"].removeprefix(_NOT_USED), row["text"])
        for row in lines.to_pylist()
    ]


def have_times(notes: pa.Table) -> bool:
    """Return whether a line of NOTES has the time of a listing."""
    return bool(pc.any(pc.starts_with(notes["reason"], TIME)).as_py())


def groups_told(notes: pa.Table, kind: str) -> frozenset[tuple[str, str]]:
    """Return (group, file) of each note of the kind `REBALANCING` or `NO_MEMBERS`."""
    matches = [
        (_OF_GROUP[kind].fullmatch(row["text"]), row["source_file"])
        for row in notes.to_pylist()
        if row["reason"] == kind
    ]
    return frozenset((match[1], file) for match, file in matches if match)


def is_told(
    groups_named: frozenset[tuple[str, str]], group_id: str | None, source_file: str | None
) -> bool:
    """Return whether `groups_named`, a result of `groups_told`, contains a group.

    If the group has no name, all notes in its file are about this group.
    """
    return any(
        group == group_id if group_id is not None else file == source_file
        for group, file in groups_named
    )


def remark_kind(code: str, count: int, group_id: str | None) -> str:
    """Return the kind of a note that contains a remark; the note's text has the remark's detail."""
    return f"{REMARK}{code} {count}" + ("" if group_id is None else f" of {group_id}")


_REMARK = re.compile(rf"{REMARK}(\w+) (\d+)(?: of (.*))?", re.DOTALL)


class Remark(NamedTuple):
    """A source's remark about a group; `detail`: the variable part of its text."""

    code: str
    total: int
    group_id: str | None
    file: str
    line: int
    detail: str


def remarks(notes: pa.Table) -> list[Remark]:
    """Return the remarks in NOTES, in the order of rows."""
    rows = notes.filter(pc.starts_with(notes["reason"], REMARK)).to_pylist()
    matches = [(_REMARK.fullmatch(row["reason"]), row) for row in rows]
    return [
        Remark(
            match[1], int(match[2]), match[3], row["source_file"], row["source_line"], row["text"]
        )
        for match, row in matches
        if match
    ]


# Tables and counts.


KEYED = ("OFFSETS", "MEMBERS", "TOPICS", "TASKS", "CONSUMERS")
"""Tables that may have repeated rows."""


@dataclass(frozen=True, eq=False)
class ParsedTables:
    """The result of a source: the tables of `schemas.py`, and counts of the input's lines.

    Rows have the order of the input.

    line_count = row_count + note_count + rejected.num_rows.

    Parameters
    ----------
    row_count : int
        Lines from which at least one row was read.
    note_count : int
        Blank lines, headers, messages of a tool, and repeated rows.
    formats : tuple of str
        Names of the recognised formats, in order of appearance.
    earlier : Table
        Rows of OFFSETS from earlier readings; their lines count as notes.
    """

    offsets: pa.Table
    members: pa.Table
    topics: pa.Table
    rejected: pa.Table
    line_count: int
    row_count: int
    note_count: int
    formats: tuple[str, ...] = ()
    notes: pa.Table = field(default_factory=schemas.NOTES.empty_table)
    tasks: pa.Table = field(default_factory=schemas.TASKS.empty_table)
    consumers: pa.Table = field(default_factory=schemas.CONSUMERS.empty_table)
    earlier: pa.Table = field(default_factory=schemas.OFFSETS.empty_table)


EMPTY = ParsedTables(
    schemas.OFFSETS.empty_table(),
    schemas.MEMBERS.empty_table(),
    schemas.TOPICS.empty_table(),
    schemas.REJECTED.empty_table(),
    0,
    0,
    0,
)
"""The result of an input without lines."""


def joined(parts: Iterable[ParsedTables]) -> ParsedTables:
    """Join the parts, in order, into one result; each format is listed once."""
    parts = list(parts) or [EMPTY]
    if len(parts) == 1:
        return parts[0]
    return ParsedTables(
        offsets=pa.concat_tables(part.offsets for part in parts),
        members=pa.concat_tables(part.members for part in parts),
        topics=pa.concat_tables(part.topics for part in parts),
        rejected=pa.concat_tables(part.rejected for part in parts),
        line_count=sum(part.line_count for part in parts),
        row_count=sum(part.row_count for part in parts),
        note_count=sum(part.note_count for part in parts),
        formats=tuple(dict.fromkeys(name for part in parts for name in part.formats)),
        notes=pa.concat_tables(part.notes for part in parts),
        tasks=pa.concat_tables(part.tasks for part in parts),
        consumers=pa.concat_tables(part.consumers for part in parts),
        earlier=pa.concat_tables(part.earlier for part in parts),
    )


def tables_of(parsed: ParsedTables) -> dict[str, pa.Table]:
    """Return the tables by name."""
    return {name: getattr(parsed, name.lower()) for name in schemas.TABLES}


def encoded(table: pa.Table) -> pa.Table:
    """Return the table with dictionary-encoded text columns; then each name is processed once."""
    columns = zip(table.column_names, table.columns, strict=True)
    return pa.table(
        {
            name: column.dictionary_encode() if pa.types.is_string(column.type) else column
            for name, column in columns
        }
    )


# Columns or rows become a table with a schema.


def columns_table(columns: dict, count: int, schema: pa.Schema, given: dict) -> pa.Table:
    """Return a table of `count` rows.

    `columns`: arrays by column name. `given`: by column name, one value for all rows. Other columns
    of the schema are null.
    """
    if not count:
        return schema.empty_table()
    return pa.Table.from_arrays(
        [
            _column(columns.get(field.name), count, field.type, given.get(field.name))
            for field in schema
        ],
        schema=schema,
    )


def _column(values, count: int, type: pa.DataType, given) -> pa.Array:
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return values
    if values is not None:
        return pa.array(values, type)
    return pa.nulls(count, type) if given is None else pa.repeat(pa.scalar(given, type), count)


def rows_table(rows: list[dict], schema: pa.Schema, given: dict) -> pa.Table:
    """Return rows as a table of a schema; `given`: by column name, one value for all rows."""
    columns = {name: [row.get(name) for row in rows] for name in schema.names if name not in given}
    return columns_table(columns, len(rows), schema, given)
