"""Parsed: what every source gives, its tables and the count of every line, and columns as a table of a schema."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import pyarrow as pa

from evenkeel.data.tables import schemas

KEYED = ("OFFSETS", "MEMBERS", "TOPICS", "TASKS", "CONSUMERS")
"""Tables in which a row can repeat another."""


@dataclass(frozen=True, eq=False)
class Parsed:
    """Tables of `data/tables/schemas.py`, rows in the order of the input, and what became of its lines.

    line_count = row_count + note_count + rejected.num_rows.

    Parameters
    ----------
    row_count : int
        Lines that gave rows; a line counts once however many rows it gives.
    note_count : int
        Blank lines, headers, messages of a tool, repeats of a row.
    formats : tuple of str
        What was recognised, for people, in the order of appearance.
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


EMPTY = Parsed(
    schemas.OFFSETS.empty_table(), schemas.MEMBERS.empty_table(), schemas.TOPICS.empty_table(), schemas.REJECTED.empty_table(), 0, 0, 0
)
"""What an input without lines gives."""


def joined(parts: Iterable[Parsed]) -> Parsed:
    """Return the parts one after another, each format named once."""
    parts = list(parts) or [EMPTY]
    if len(parts) == 1:
        return parts[0]
    return Parsed(
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
    )


def tables_of(parsed: Parsed) -> dict[str, pa.Table]:
    """Return the tables by name."""
    return {name: getattr(parsed, name.lower()) for name in schemas.TABLES}


def encoded(table: pa.Table) -> pa.Table:
    """Encode text columns as dictionaries: comparing, summing and writing then look at each name once."""
    columns = zip(table.column_names, table.columns, strict=True)
    return pa.table({name: column.dictionary_encode() if pa.types.is_string(column.type) else column for name, column in columns})


# Columns, or rows, as a table of a schema.


def columns_table(columns: dict, count: int, schema: pa.Schema, given: dict) -> pa.Table:
    """Return a table of `count` rows: the columns at hand, values that all rows share, null for the rest."""
    if not count:
        return schema.empty_table()
    return pa.Table.from_arrays(
        [_column(columns.get(field.name), count, field.type, given.get(field.name)) for field in schema], schema=schema
    )


def _column(values, count: int, type: pa.DataType, given) -> pa.Array:
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return values
    if values is not None:
        return pa.array(values, type)
    return pa.nulls(count, type) if given is None else pa.repeat(pa.scalar(given, type), count)


def rows_table(rows: list[dict], schema: pa.Schema, given: dict) -> pa.Table:
    """Return rows as such a table."""
    columns = {name: [row.get(name) for row in rows] for name in schema.names if name not in given}
    return columns_table(columns, len(rows), schema, given)
