"""Settlement: lines that share row keys with lines of other tasks, put side by side: repeats are judged as if one task had read them all.

Lines are dealt into buckets by group, so that one machine can hold a bucket.
"""

import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from data.lake.scratch import left
from data.lake.writing import Done, write
from data.pipeline.ingest.shared_keys import are_in, read_keys
from data.tables import schemas
from data.tables.arrow import names
from data.tables.counts import rows_by_file, settled_and_counted
from data.tables.parsed import EMPTY, KEYED, Parsed, tables_of

LINES = pa.schema([("source_file", pa.string()), ("source_line", pa.int64()), ("text", pa.string())])
"""What a task leaves beside the rows: one row for each line."""

_LINE_BITS = 40
_UNIT = {"OFFSETS": "group_id", "MEMBERS": "group_id", "TOPICS": "topic"}


@dataclass(frozen=True)
class Settling:
    """`folder` has the shared keys of each table, and a folder for each of `bucket_count` buckets, where tasks leave lines."""

    folder: Path
    bucket_count: int

    def keys_file(self, table: str) -> Path:
        """Return where the shared keys of a table are, ascending."""
        return self.folder / f"{table}.shared"


@dataclass(frozen=True)
class Settlement:
    """Settles one bucket and writes the rows that stay; `place` comes after those of the tasks."""

    place: int
    bucket: int
    settling: Settling
    lake: Path
    batch: str

    def run(self) -> Done:
        """Judge repeats over the lines of all tasks, in the order of the input."""
        pa.set_cpu_count(1)
        lines = self._left("LINES", LINES)
        tables = {name.lower(): self._left(name, schemas.TABLES[name]) for name in KEYED}
        parsed = replace(EMPTY, **tables, line_count=lines.num_rows, row_count=lines.num_rows)
        texts = cache(lambda: {(line["source_file"], line["source_line"]): line["text"] for line in lines.to_pylist()})
        return write(
            *settled_and_counted(parsed, rows_by_file(lines), lambda file, line: texts()[file, line]),
            self.place,
            self.lake,
            self.batch,
            self.settling.folder,
        )

    def _left(self, name: str, schema: pa.Schema) -> pa.Table:
        files = left(self.settling.folder / str(self.bucket), name)
        return pa.concat_tables([schema.empty_table(), *(pq.read_table(file, schema=schema) for file in files)])


def leave_to_settlement(
    parsed: Parsed, keys: Mapping[str, np.ndarray], settling: Settling, place: int, text_of: Callable[[str, int], str]
) -> tuple[Parsed, Counter[str]]:
    """Put aside every line with a shared key, and lines that share a key with such a line.

    Return the rest, and how many lines of each file are put aside. `keys`: `row_keys`.
    """
    tables = {name: tables_of(parsed)[name] for name in KEYED}
    files = [file for table in tables.values() for file in table["source_file"].unique().to_pylist()]
    numbers = {name: _line_numbers(table, files) for name, table in tables.items()}
    left = _connected(keys, numbers, settling)
    is_left = {name: are_in(number, left) for name, number in numbers.items()}
    rest = {name.lower(): table.filter(~is_left[name]) for name, table in tables.items()}
    tables = {name: table.filter(is_left[name]) for name, table in tables.items()}
    place_of = {name: np.searchsorted(left, number[is_left[name]]) for name, number in numbers.items()}
    lines = _lines(left, files, text_of)
    _deal(tables | {"LINES": lines}, place_of | {"LINES": np.arange(left.size)}, settling, place)
    return replace(parsed, **rest, line_count=parsed.line_count - left.size, row_count=parsed.row_count - left.size), rows_by_file(lines)


def _line_numbers(table: pa.Table, files: list[str]) -> np.ndarray:
    """Return one number for file and line of every row."""
    file = pc.index_in(table["source_file"].cast(pa.string()), value_set=pa.array(files, pa.string())).to_numpy().astype(np.int64)
    return (file << _LINE_BITS) + table["source_line"].to_numpy()


def _connected(keys: Mapping[str, np.ndarray], lines: dict[str, np.ndarray], settling: Settling) -> np.ndarray:
    """Return the lines that reach a shared key over keys and lines, ascending.

    A line of a listing has one row: the loop runs twice. A line of a document has many.
    """
    reached = {name: read_keys(settling.keys_file(name)) for name in KEYED}
    found = np.empty(0, np.int64)
    while True:
        grown = np.unique(np.concatenate([lines[name][are_in(keys[name], reached[name])] for name in KEYED]))
        if grown.size == found.size:
            return found
        found = grown
        reached = {name: np.unique(keys[name][are_in(lines[name], found)]) for name in KEYED}


def _lines(left: np.ndarray, files: list[str], text_of: Callable[[str, int], str]) -> pa.Table:
    named = [(files[number >> _LINE_BITS], number & (1 << _LINE_BITS) - 1) for number in left.tolist()]
    return pa.Table.from_pylist(
        [{"source_file": file, "source_line": line, "text": text_of(file, line)} for file, line in named], schema=LINES
    )


def _deal(tables: dict[str, pa.Table], place_of: dict[str, np.ndarray], settling: Settling, place: int) -> None:
    """Write the rows of each bucket. All rows of a line are in one: that of its group, or else of its topic."""
    bucket_of = np.zeros(tables["LINES"].num_rows, dtype=np.int64)
    for name in reversed(KEYED):
        unit = names(tables[name][_UNIT[name]])
        bucket_of[place_of[name]] = np.array(
            [*(zlib.crc32(one.encode("utf-8", "surrogatepass")) % settling.bucket_count for one in unit.name), 0]
        )[unit.code]
    for bucket in np.unique(bucket_of).tolist():
        folder = settling.folder / str(bucket)
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in tables.items():
            pq.write_table(table.filter(bucket_of[place_of[name]] == bucket), folder / f"{place:06d}.{name}", compression="lz4")
