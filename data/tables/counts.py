"""What became of the lines of each file, also of files that are parsed and settled together."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.tables.parsed import KEYED, Parsed, tables_of
from evenkeel.data.tables.repeats.settled import settled

_LINE = pa.schema([("source_file", pa.string()), ("source_line", pa.int64())])


class Counts(msgspec.Struct, frozen=True):
    """Lines of an input: lines = rows + notes + rejected. Encoded, it is the closing line of `evenkeel ingest --json`."""

    lines: int = 0
    rows: int = 0
    notes: int = 0
    rejected: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.lines + other.lines, self.rows + other.rows, self.notes + other.notes, self.rejected + other.rejected)


def settled_and_counted(
    parsed: Parsed,
    line_counts: Mapping[str, int],
    text_of: Callable[[str, int], str | None],
    keys: Mapping[str, np.ndarray] = MappingProxyType({}),
) -> tuple[Parsed, dict[str, Counts]]:
    """Return the rows without repeats, and the counts of each file; `line_counts`: lines of each file, `keys`: as in `settled`."""
    rest, new_notes = settled(parsed, text_of, keys)
    if rest.rejected.num_rows > parsed.rejected.num_rows:
        rest = replace(rest, rejected=in_order(rest.rejected, list(line_counts)))
    if new_notes:
        rest = replace(rest, notes=in_order(rest.notes, list(line_counts)))
    if len(line_counts) == 1:
        return rest, dict.fromkeys(line_counts, counts_of(rest))
    speaking, rejected = lines_by_file(parsed), rows_by_file(rest.rejected)
    # A line that is rejected now gave rows before; a line that only fills the row of another still counts as a row.
    speaking.subtract(rejected - rows_by_file(parsed.rejected))
    speaking.subtract(new_notes)
    return rest, {
        file: Counts(lines, speaking[file], lines - speaking[file] - rejected[file], rejected[file]) for file, lines in line_counts.items()
    }


def counts_of(parsed: Parsed) -> Counts:
    """Count the lines of what was parsed."""
    return Counts(parsed.line_count, parsed.row_count, parsed.note_count, parsed.rejected.num_rows)


def in_order(table: pa.Table, files: Sequence[str]) -> pa.Table:
    """Return rows in the order of files and lines."""
    places = pa.table({"file": pc.index_in(table["source_file"], value_set=pa.array(files, pa.string())), "line": table["source_line"]})
    return table.take(pc.sort_indices(places, sort_keys=[("file", "ascending"), ("line", "ascending")]))


def lines_by_file(parsed: Parsed) -> Counter[str]:
    """Count the lines that gave rows."""
    lines = pa.concat_tables(tables_of(parsed)[name].select(_LINE.names).cast(_LINE) for name in KEYED)
    return rows_by_file(lines.group_by(_LINE.names).aggregate([]))


def rows_by_file(table: pa.Table) -> Counter[str]:
    """Count rows by `source_file`."""
    return Counter({count["values"]: count["counts"] for count in table["source_file"].value_counts().to_pylist()})
