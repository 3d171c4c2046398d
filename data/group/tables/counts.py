"""Count an input's lines by file, and remove repeated rows, even if they are in different files."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.arrow import integers, names, of_documents
from evenkeel.data.group.tables.parsed import (
    KEYED,
    REPEAT,
    ParsedTables,
    columns_table,
    remark_kind,
    tables_of,
)
from evenkeel.data.group.tables.repeats import RepeatedRows, merged, repeated_rows

_LINE = pa.schema([("source_file", "string"), ("source_line", "int64")])


class Counts(msgspec.Struct, frozen=True):
    """The lines of an input: lines = rows + notes + rejected.

    As JSON, they are the last line of `evenkeel ingest --json`.
    """

    lines: int = 0
    rows: int = 0
    notes: int = 0
    rejected: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.lines + other.lines,
            self.rows + other.rows,
            self.notes + other.notes,
            self.rejected + other.rejected,
        )


def settled_and_counted(
    parsed: ParsedTables,
    line_counts: Mapping[str, int],
    text_of: Callable[[str, int], str | None],
    keys: Mapping[str, np.ndarray] = MappingProxyType({}),
) -> tuple[ParsedTables, dict[str, Counts]]:
    """Return the rows without repeats, and the counts of each file.

    `line_counts`: lines of each file. `text_of`, `keys`: as in `settled`.
    """
    rest, new_notes = settled(parsed, text_of, keys)
    if rest.rejected.num_rows > parsed.rejected.num_rows:
        rest = replace(rest, rejected=in_order(rest.rejected, list(line_counts)))
    if new_notes:
        rest = replace(rest, notes=in_order(rest.notes, list(line_counts)))
    if len(line_counts) == 1:
        return rest, dict.fromkeys(line_counts, counts_of(rest))
    speaking, rejected = lines_by_file(parsed), rows_by_file(rest.rejected)
    # A line that is rejected here was counted as a row before. A line that only adds values to an
    # earlier row still counts as a row.
    speaking.subtract(rejected - rows_by_file(parsed.rejected))
    speaking.subtract(new_notes)
    return rest, {
        file: Counts(lines, speaking[file], lines - speaking[file] - rejected[file], rejected[file])
        for file, lines in line_counts.items()
    }


def counts_of(parsed: ParsedTables) -> Counts:
    """Count the lines of parsed tables."""
    return Counts(parsed.line_count, parsed.row_count, parsed.note_count, parsed.rejected.num_rows)


def in_order(table: pa.Table, files: Sequence[str]) -> pa.Table:
    """Return the rows sorted by file, in the order of `files`, and by line."""
    places = pa.table(
        {
            "file": pc.index_in(table["source_file"], value_set=pa.array(files, "string")),
            "line": table["source_line"],
        }
    )
    return table.take(
        pc.sort_indices(places, sort_keys=[("file", "ascending"), ("line", "ascending")])
    )


def lines_by_file(parsed: ParsedTables) -> Counter[str]:
    """Return by file the number of lines from which a row was read."""
    lines = pa.concat_tables(
        tables_of(parsed)[name].select(_LINE.names).cast(_LINE) for name in KEYED
    )
    return rows_by_file(lines.group_by(_LINE.names).aggregate([]))


def rows_by_file(table: pa.Table) -> Counter[str]:
    """Return the number of rows by `source_file`."""
    return Counter(
        {
            count["values"]: count["counts"]
            for count in table["source_file"].value_counts().to_pylist()
        }
    )


# Each partition, member and topic has one row. A repeated row becomes a note; new values are added
# to the first row; a contradicting row rejects its line.


# An int64 has 40 bits for the line and 23 bits for the file.
_LINE_BITS = 40
_LONGEST_VALUE = 80
_MOST_TEXTS = 1_000


def without_repeats(
    parsed: ParsedTables, text_of: Callable[[str, int], str | None] = lambda file, line: None
) -> ParsedTables:
    """Return the rows without repeats.

    A line that repeats a row of an earlier line becomes a note. If the line has new values, it
    still counts as a row, and the values are added to the first row. If the line contradicts an
    earlier line, the line and all its rows are rejected. `text_of` returns the text of a line by
    file and number.
    """
    return settled(parsed, text_of)[0]


def settled(
    parsed: ParsedTables,
    text_of: Callable[[str, int], str | None],
    keys: Mapping[str, np.ndarray] = MappingProxyType({}),
) -> tuple[ParsedTables, Counter[str]]:
    """Return the rows as `without_repeats`, and by file how many lines became notes.

    `keys`: the `row_keys` of tables, if already known.
    """
    tables = {name: tables_of(parsed)[name] for name in KEYED}
    repeated = {
        name: repeated_rows(table, name, _comparable(table, name), keys.get(name))
        for name, table in tables.items()
    }
    if not any(rows.row.size for rows in repeated.values()):
        return parsed, Counter()
    line, files = _line_numbers(tables)
    reasons = _reasons(tables, repeated, line)
    rejected = np.sort(np.fromiter(reasons, np.int64, len(reasons)))
    kept_rows, speaking, touched = {}, [rejected], []
    for name, rows in repeated.items():
        speaks = _comparable(tables[name], name)
        tables[name], kept_rows[name], speaks[rows.row] = merged(
            tables[name], rows, ~_is_in(line[name][rows.row], rejected)
        )
        speaking.append(line[name][speaks])
        touched.append(line[name][rows.row])
    silent = np.sort(np.concatenate(touched))
    silent = silent[~_is_in(silent, np.sort(np.concatenate(speaking)))]
    notes = silent[np.flatnonzero(np.diff(silent, prepend=-1))]
    gone = np.sort(np.concatenate([rejected, notes]))
    rest = replace(
        parsed,
        **{
            name.lower(): table.filter(kept_rows[name] & ~_is_in(line[name], gone))
            for name, table in tables.items()
        },
        rejected=pa.concat_tables([parsed.rejected, _rejected(reasons.values(), text_of)]),
        notes=pa.concat_tables(
            [parsed.notes, _repeats(notes, files, text_of), _of_conflicts(reasons.values())]
        ),
        row_count=parsed.row_count - gone.size,
        note_count=parsed.note_count + notes.size,
    )
    return rest, Counter(files[number] for number in (notes >> _LINE_BITS).tolist())


def _comparable(table: pa.Table, name: str) -> np.ndarray:
    """Return whether each row may repeat another row, bool.

    The topics of a document are valid only in this document, so they repeat nothing.
    """
    return (
        ~of_documents(table["source_format"])
        if name == "TOPICS"
        else np.ones(table.num_rows, dtype=bool)
    )


def _is_in(numbers: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return whether each number is in `wanted`, which is sorted.

    `np.isin` uses a hash table, which takes 20 times as long on line numbers.
    """
    place = np.minimum(np.searchsorted(wanted, numbers), len(wanted) - 1)
    return wanted[place] == numbers if len(wanted) else np.zeros(len(numbers), dtype=bool)


def _line_numbers(tables: Mapping[str, pa.Table]) -> tuple[dict[str, np.ndarray], list[str]]:
    """Return for each row a number that stands for its file and line, and the list of files."""
    files: dict[str, int] = {}
    numbers = {}
    for name, table in tables.items():
        file = names(table["source_file"])
        number = np.array(
            [files.setdefault(file_name, len(files)) for file_name in file.name], dtype=np.int64
        )
        numbers[name] = (number[file.code] << _LINE_BITS) + integers(table["source_line"])
    return numbers, list(files)


def _reasons(
    tables: Mapping[str, pa.Table],
    repeated: Mapping[str, RepeatedRows],
    line: Mapping[str, np.ndarray],
) -> dict[int, dict[str, Any]]:
    """Return the lines that contradict an earlier line, as rows of REJECTED, by line number.

    The earlier line must not be rejected itself.
    """
    reasons: dict[int, dict[str, Any]] = {}
    # Repeated until nothing new is rejected: all rows of a rejected line are removed, so another
    # row may become the first row of a partition or member.
    while True:
        rejected = np.sort(np.fromiter(reasons, np.int64, len(reasons)))
        reasons_by_number: dict[int, dict[str, Any]] = {}
        for name, rows in repeated.items():
            lines = line[name][rows.row]
            conflicting, column, against = rows.conflicts(~_is_in(lines, rejected))
            new = lines[conflicting]
            for number, reason in zip(
                new.tolist(),
                _conflicts(tables[name], rows, conflicting, column, against),
                strict=True,
            ):
                reasons_by_number.setdefault(number, reason)
        if not reasons_by_number:
            return reasons
        reasons |= reasons_by_number


def _conflicts(
    table: pa.Table,
    rows: RepeatedRows,
    conflicting: np.ndarray,
    column: np.ndarray,
    against: np.ndarray,
) -> list[dict[str, Any]]:
    here, there = (table.take(rows.row[which]) for which in (conflicting, against))
    columns = ["source_format", "source_file", "source_line", "group_id"]
    sources = here.select([name for name in columns if name in here.column_names]).to_pylist()
    first_sources = zip(
        there["source_file"].to_pylist(), there["source_line"].to_pylist(), strict=True
    )
    for number, name in enumerate(rows.codes):
        for place in np.flatnonzero(column == number).tolist():
            value, expected = _shown(here[name][place].as_py()), _shown(there[name][place].as_py())
            sources[place]["reason"] = f"{name} is {value}, expected {expected}"
            if "partition" in here.column_names:
                sources[place]["code"] = _CODES.get(name)
    for source, (file, line) in zip(sources, first_sources, strict=True):
        source["reason"] += f" as in line {line}" + (
            "" if file == source["source_file"] else f" of {file}"
        )
    return sources


_FIGURES = ("committed_offset", "end_offset", "begin_offset", "listed_lag")
_CODES = dict.fromkeys(_FIGURES, "conflicting_rows") | {"member_id": "contested"}
"""Code of the remark about a partition with several values, by column."""


def _of_conflicts(reasons: Iterable[dict[str, Any]]) -> pa.Table:
    """Return one note for each contradicting line, with the line's place in the file.

    The place is needed because Spark's tasks split a file at any line.
    """
    notes = [
        {
            "source_file": row["source_file"],
            "source_line": row["source_line"],
            "text": "",
            "reason": remark_kind(row["code"], 1, row["group_id"]),
        }
        for row in reasons
        if row.get("code")
    ]
    return pa.Table.from_pylist(notes, schema=schemas.NOTES)


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    shown = f"{value:,}" if isinstance(value, int) else repr(value)
    return shown if len(shown) <= _LONGEST_VALUE else f"{shown[:_LONGEST_VALUE]}…"


def _repeats(
    notes: np.ndarray, files: list[str], text_of: Callable[[str, int], str | None]
) -> pa.Table:
    """Return repeated lines as rows of NOTES; only the first `_MOST_TEXTS` rows have the text."""
    file, line = notes >> _LINE_BITS, notes & (1 << _LINE_BITS) - 1
    texts = [
        text_of(files[number], place)
        for number, place in zip(
            file[:_MOST_TEXTS].tolist(), line[:_MOST_TEXTS].tolist(), strict=True
        )
    ]
    columns = {
        "source_file": pa.array(files, "string").take(pa.array(file)),
        "source_line": pa.array(line),
        "text": pa.array(texts + [None] * (len(notes) - len(texts)), "string"),
        "reason": pa.repeat(pa.scalar(REPEAT), len(notes)),
    }
    return columns_table(columns, len(notes), schemas.NOTES, {})


def _rejected(
    reasons: Iterable[dict[str, Any]], text_of: Callable[[str, int], str | None]
) -> pa.Table:
    rows = [
        reason | {"text": text_of(reason["source_file"], reason["source_line"])}
        for reason in reasons
    ]
    return pa.Table.from_pylist(rows, schema=schemas.REJECTED)
