"""Repeats between tasks: equal rows that different tasks have read. Row keys show which rows are
equal. The repeats are then counted as if one task had read all rows.
"""

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.arrow import names
from evenkeel.data.group.tables.counts import rows_by_file, settled_and_counted
from evenkeel.data.group.tables.parsed import EMPTY, KEYED, ParsedTables, tables_of
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.writing import Done, write

SCHEMA = pa.schema([("place", "int32"), ("bucket", "int32"), ("data", pa.binary())])


class Cell(NamedTuple):
    """A piece of data that a task returns. `place`: position of the task's input among all inputs.
    `bucket`: cells with the same bucket are processed together. If `bucket` is None, `data` is the
    answer of the task, as JSON.
    """

    place: int
    bucket: int | None
    data: bytes


def answered(done: Done) -> Cell:
    """Return a cell with the answer of a task."""
    return Cell(done.place, None, msgspec.json.encode(done))


def parted(cells: Iterable[Cell]) -> tuple[list[Done], list[Cell]]:
    """Return the answers, and the cells that are not answers."""
    cells = list(cells)
    answers = [msgspec.json.decode(cell.data, type=Done) for cell in cells if cell.bucket is None]
    return answers, [cell for cell in cells if cell.bucket is not None]


def batch_of(cells: Iterable[Cell]) -> pa.RecordBatch:
    """Return cells as rows of `SCHEMA`."""
    return pa.RecordBatch.from_pylist([cell._asdict() for cell in cells], SCHEMA)


def cells_of(batches: Iterable[pa.RecordBatch]) -> Iterator[Cell]:
    """Yield the rows of batches as cells."""
    for batch in batches:
        yield from (Cell(**row) for row in batch.to_pylist())


def applied(
    cells: Iterable[Cell], function: Callable[[Sequence[Cell]], Iterable[Cell]]
) -> Iterator[pa.RecordBatch]:
    """Yield the cells with an answer. Then call `function` with the cells of each bucket, and yield
    its result.
    """
    buckets: dict[int | None, list[Cell]] = {}
    for cell in cells:
        buckets.setdefault(cell.bucket, []).append(cell)
    yield batch_of(buckets.pop(None, ()))
    yield from (batch_of(function(bucket)) for bucket in buckets.values())


# Row keys of an ingest. Each task yields its keys, and learns which keys other tasks have too.


BUCKET_BITS = 2**22
"""Number of key ranges in a bucket. One bit for each range marks shared keys. So a bucket takes 0.5
MB in the driver, for any number of keys.
"""


class _SharedKeys(msgspec.Struct):
    """The keys of a bucket that several tasks have. `places`: the tasks that have one of the keys.
    `bits`: one bit for each range of keys, 1 if one of the keys is in the range.
    """

    places: list[int]
    bits: bytes


@dataclass(frozen=True)
class SharedKeys:
    """The row keys that several tasks have. `places`: the tasks that have one of these keys.
    `bits`: one bit for each range of keys, 1 if one of these keys is in the range.

    If the bit of a range is 1, all keys of the range are treated as shared.
    """

    places: list[int]
    bits: bytes
    bucket_count: int

    def has(self, keys: np.ndarray) -> np.ndarray:
        """Return for each key whether it is treated as shared, bool."""
        ranges = _ranges(keys, self.bucket_count)
        return (np.frombuffer(self.bits, np.uint8)[ranges >> 3] >> (ranges & 7) & 1).astype(bool)


def key_cells(keys: Mapping[str, np.ndarray], place: int, bucket_count: int) -> Iterator[Cell]:
    """Yield the `row_keys` of all tables without duplicates, one cell for each bucket. A bucket is
    a range of keys.

    The keys of two different rows may be equal by chance. This is rare, and does no harm:
    settlement compares the rows.
    """
    # Not np.unique: its hash table takes 20 times as long for such keys.
    in_order = np.sort(np.concatenate([*keys.values()]))
    distinct = in_order[np.diff(in_order, prepend=~in_order[:1]) != 0]
    begins = np.searchsorted(
        _ranges(distinct, bucket_count), np.arange(1, bucket_count) * BUCKET_BITS
    )
    yield from (
        Cell(place, bucket, some.tobytes())
        for bucket, some in enumerate(np.split(distinct, begins))
        if some.size
    )


def found_shared(bucket_count: int, cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield a cell with the shared keys of a bucket. `cells`: the keys of each task in this
    bucket.
    """
    keys = [np.frombuffer(cell.data, np.uint64) for cell in cells]
    in_order = np.sort(np.concatenate(keys))
    shared = in_order[1:][in_order[1:] == in_order[:-1]]
    if shared.size:
        bits = np.zeros(BUCKET_BITS, bool)
        bits[_ranges(shared, bucket_count) % BUCKET_BITS] = True
        places = [
            cell.place for cell, some in zip(cells, keys, strict=True) if are_in(shared, some).any()
        ]
        yield Cell(
            places[0],
            cells[0].bucket,
            msgspec.msgpack.encode(
                _SharedKeys(places, np.packbits(bits, bitorder="little").tobytes())
            ),
        )


def all_shared(cells: Iterable[Cell], bucket_count: int) -> SharedKeys:
    """Return the shared keys of all buckets."""
    by_bucket = {cell.bucket: msgspec.msgpack.decode(cell.data, type=_SharedKeys) for cell in cells}
    none = _SharedKeys([], bytes(BUCKET_BITS // 8))
    bits = b"".join(by_bucket.get(bucket, none).bits for bucket in range(bucket_count))
    return SharedKeys(
        sorted({place for bucket in by_bucket.values() for place in bucket.places}),
        bits,
        bucket_count,
    )


def are_in(keys: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return for each key whether it is in `wanted`, bool. `wanted` must be ascending."""
    if not wanted.size:
        return np.zeros(keys.size, dtype=bool)
    return wanted[np.minimum(np.searchsorted(wanted, keys), wanted.size - 1)] == keys


def _ranges(keys: np.ndarray, bucket_count: int) -> np.ndarray:
    """Return the number of the range in which each key is. A bucket has `BUCKET_BITS` ranges."""
    return (keys // np.uint64(2**64 // (bucket_count * BUCKET_BITS) + 1)).astype(np.int64)


# Settlement: lines that share row keys with lines of other tasks are brought together. Repeats are
# judged as if one task had read all lines. Lines are split into buckets by group, so that a bucket
# fits into the memory of one machine.


_LINES = pa.schema([("source_file", "string"), ("source_line", "int64"), ("text", "string")])
_SCHEMAS = {name: schemas.TABLES[name] for name in KEYED} | {"LINES": _LINES}
"""Lines of a task for settlement: their rows, and a row of LINES for each line."""

_LINE_BITS = 40
_UNIT = {
    "OFFSETS": "group_id",
    "MEMBERS": "group_id",
    "TOPICS": "topic",
    "TASKS": "group_id",
    "CONSUMERS": "group_id",
}


def settled_lines(cells: Sequence[Cell], place: int, lake: Place, batch: str) -> Done:
    """Find repeats among the lines of a bucket, in the order of the input. Write the other rows.

    `place`: position of this answer; it must be larger than the `place` of each task.
    """
    pa.set_cpu_count(1)
    parts = [_unpacked(cell.data) for cell in sorted(cells)]
    tables = {name: pa.concat_tables(part[name] for part in parts) for name in _SCHEMAS}
    lines = tables.pop("LINES")
    rows = {name.lower(): table for name, table in tables.items()}
    parsed = replace(EMPTY, **rows, line_count=lines.num_rows, row_count=lines.num_rows)
    texts = cache(
        lambda: {
            (line["source_file"], line["source_line"]): line["text"] for line in lines.to_pylist()
        }
    )
    return write(
        *settled_and_counted(parsed, rows_by_file(lines), lambda file, line: texts()[file, line]),
        place,
        lake,
        batch,
    )


def leave_to_settlement(
    parsed: ParsedTables,
    keys: Mapping[str, np.ndarray],
    shared: SharedKeys,
    place: int,
    bucket_count: int,
    text_of: Callable[[str, int], str],
) -> tuple[ParsedTables, Counter[str], list[Cell]]:
    """Remove every line with a shared key. Also remove every line that has a key in common with a
    removed line.

    `keys`: `row_keys` of the tables. `shared`: row keys that other tasks have too.

    Returns
    -------
    ParsedTables
        The remaining rows.
    Counter
        Number of removed lines in each file.
    list of Cell
        The removed lines, by bucket.
    """
    tables = {name: tables_of(parsed)[name] for name in KEYED}
    files = [
        file for table in tables.values() for file in table["source_file"].unique().to_pylist()
    ]
    numbers = {name: _line_numbers(table, files) for name, table in tables.items()}
    left = _connected(keys, numbers, shared)
    is_left = {name: are_in(number, left) for name, number in numbers.items()}
    rest = {name.lower(): table.filter(~is_left[name]) for name, table in tables.items()}
    tables = {name: table.filter(is_left[name]) for name, table in tables.items()}
    place_of = {
        name: np.searchsorted(left, number[is_left[name]]) for name, number in numbers.items()
    }
    lines = _lines(left, files, text_of)
    cells = list(
        _dealt(
            tables | {"LINES": lines},
            place_of | {"LINES": np.arange(left.size)},
            place,
            bucket_count,
        )
    )
    parsed = replace(
        parsed,
        **rest,
        line_count=parsed.line_count - left.size,
        row_count=parsed.row_count - left.size,
    )
    return parsed, rows_by_file(lines), cells


def _line_numbers(table: pa.Table, files: list[str]) -> np.ndarray:
    """Return a number for each row. Rows of the same line of the same file have the same number."""
    file = (
        pc.index_in(table["source_file"].cast(pa.string()), value_set=pa.array(files, pa.string()))
        .to_numpy()
        .astype(np.int64)
    )
    return (file << _LINE_BITS) + table["source_line"].to_numpy()


def _connected(
    keys: Mapping[str, np.ndarray], lines: dict[str, np.ndarray], shared: SharedKeys
) -> np.ndarray:
    """Return the lines with a shared key, and every line that has a key in common with a returned
    line, ascending.

    In a listing, a line has one row, so the loop runs once. In a document, a line has many rows.
    """
    is_reached = {name: shared.has(keys[name]) for name in KEYED}
    connected = np.empty(0, np.int64)
    while True:
        grown = np.unique(np.concatenate([lines[name][is_reached[name]] for name in KEYED]))
        if grown.size == connected.size:
            return connected
        connected = grown
        reached = {name: np.unique(keys[name][are_in(lines[name], connected)]) for name in KEYED}
        is_reached = {name: are_in(keys[name], reached[name]) for name in KEYED}


def _lines(left: np.ndarray, files: list[str], text_of: Callable[[str, int], str]) -> pa.Table:
    named = [
        (files[number >> _LINE_BITS], number & (1 << _LINE_BITS) - 1) for number in left.tolist()
    ]
    return pa.Table.from_pylist(
        [
            {"source_file": file, "source_line": line, "text": text_of(file, line)}
            for file, line in named
        ],
        schema=_LINES,
    )


def _dealt(
    tables: dict[str, pa.Table], place_of: dict[str, np.ndarray], place: int, bucket_count: int
) -> Iterator[Cell]:
    """Yield a cell for each bucket. All rows of a line are in the same bucket: the bucket of the
    line's group. A line without a group is in the bucket of its topic.
    """
    bucket_of = np.zeros(tables["LINES"].num_rows, dtype=np.int64)
    for name in reversed(KEYED):
        unit = names(tables[name][_UNIT[name]])
        bucket_of[place_of[name]] = np.array(
            [
                *(
                    zlib.crc32(value.encode("utf-8", "surrogatepass")) % bucket_count
                    for value in unit.name
                ),
                0,
            ]
        )[unit.code]
    for bucket in np.unique(bucket_of).tolist():
        yield Cell(
            place,
            bucket,
            _packed(
                {
                    name: table.filter(bucket_of[place_of[name]] == bucket)
                    for name, table in tables.items()
                }
            ),
        )


def _packed(tables: Mapping[str, pa.Table]) -> bytes:
    sink = pa.BufferOutputStream()
    for name, schema in _SCHEMAS.items():
        with pa.ipc.new_stream(
            sink, schema, options=pa.ipc.IpcWriteOptions(compression="lz4")
        ) as stream:
            stream.write_table(tables[name].cast(schema))
    return sink.getvalue().to_pybytes()


def _unpacked(data: bytes) -> dict[str, pa.Table]:
    source = pa.BufferReader(data)
    return {name: pa.ipc.open_stream(source).read_all() for name in _SCHEMAS}
