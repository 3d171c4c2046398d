"""Rows of a day's slots in Parquet files. A file contains the rows of one table for a range of
groups. Only a few slots are in memory at a time.

The files are sorted so that few row groups are read for one group of a day, or for one slot.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.arrow import names
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import (
    COLUMN,
    SCHEMAS,
    Range,
    coded_names,
    coded_schema,
    first_groups,
    slots_of,
)
from evenkeel.data.lake.writing import parquet_styles

_AT_ONCE = 16
_GROUP = "group_id"
_ONE_AT_A_TIME = {"batch_readahead": 1, "fragment_readahead": 1, "use_threads": False}
"""Row groups are read one at a time. By default the whole file is read into memory while the writer
works.
"""


class Day(NamedTuple):
    """Slots that become one batch. Some slots have their own files. The rows of the other slots are
    in files of `joint`: batches that cover an hour or the same day.
    """

    slots: Sequence[Manifest]
    joint: Sequence[Manifest] = ()

    @property
    def names(self) -> list[str]:
        """Tables that have rows."""
        return [name for name in SCHEMAS if any(slot.tables.get(name) for slot in self.slots)]

    def slots_with(self, name: str) -> list[Manifest]:
        """Return the slots with rows of a table."""
        return [slot for slot in self.slots if slot.tables.get(name)]


def first_groups_of(lake: Place, name: str, day: Day) -> tuple[str, ...]:
    """Return the first group name of each file of a table. To make files of similar size, each
    group's rows are counted in a sample: one batch or one slot.
    """
    slots = day.slots_with(name)
    if _GROUP not in SCHEMAS[name].names or not slots:
        return ("",)
    sample = (
        max(day.joint, key=lambda joint: len(joint.slots)) if day.joint else slots[len(slots) // 2]
    )
    files = sample.tables.get(name, ())
    # The slots of a batch may have no rows of this table.
    rows = ds.dataset(
        list(files),
        schema=pa.schema([(_GROUP, "string")]),
        format="parquet",
        filesystem=lake.filesystem(),
    )
    counted: Counter[str] = Counter()
    for part in rows.to_batches(**_ONE_AT_A_TIME) if files else ():
        counted.update(
            {
                row["values"]: row["counts"]
                for row in part[_GROUP].drop_null().value_counts().to_pylist()
            }
        )
    sampled = sum(bool(slot.tables.get(name)) for slot in slots_of(sample))
    return first_groups(counted, len(slots) / max(sampled, 1))


def write_rows(
    lake: Place, name: str, day: Day, groups: Range, key: str, look: Callable[[], None]
) -> None:
    """Write the rows of a table for a range of groups. The column `batch` has the slot of each row.

    `look` is called repeatedly. If it raises an error, the file is not created.
    """
    lake.write_parts(key, _parquet(_looking(_rows(lake, name, day, groups), look), SCHEMAS[name]))
    # A collector in the same process needs the memory.
    pa.default_memory_pool().release_unused()


def _looking(tables: Iterable[pa.Table], look: Callable[[], None]) -> Iterator[pa.Table]:
    for table in tables:
        look()
        yield table


def _rows(lake: Place, name: str, day: Day, groups: Range) -> Iterator[pa.Table]:
    left = {slot.batch: slot for slot in day.slots_with(name)}
    for joint in day.joint:
        kept_slots = [slot.batch for slot in joint.slots if left.pop(slot.batch, None)]
        if kept_slots:
            yield from _rows_of_joint(lake, name, joint, kept_slots, groups)
    own = list(left.values())
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for start in range(0, len(own), _AT_ONCE):
            yield from threads.map(
                partial(_rows_of_slot, lake, name, groups), own[start : start + _AT_ONCE]
            )


def _rows_of_joint(
    lake: Place, name: str, joint: Manifest, slot_names: list[str], groups: Range
) -> Iterator[pa.Table]:
    # Dictionary-encoded columns cannot be filtered by statistics, so filtered columns are plain.
    schema = coded_schema(SCHEMAS[name], plain=(_GROUP, COLUMN))
    form = ds.ParquetFileFormat(dictionary_columns=coded_names(schema))
    wanted = pc.field(COLUMN).isin(pa.array(slot_names)) & _in_range(groups)
    rows = ds.dataset(
        list(joint.tables[name]), schema=schema, format=form, filesystem=lake.filesystem()
    )
    for part in rows.to_batches(filter=wanted, **_ONE_AT_A_TIME):
        yield pa.Table.from_batches([part])


def _in_range(groups: Range) -> pc.Expression:
    if groups == Range("", None):
        return pc.scalar(True)
    group = pc.field(_GROUP)
    return (
        group.is_null() | (group >= groups.first)
        if groups.end is None
        else (group >= groups.first) & (group < groups.end)
    )


def _rows_of_slot(lake: Place, name: str, groups: Range, slot: Manifest) -> pa.Table:
    schema = coded_schema(schemas.STORED[name])
    rows = pa.concat_tables(
        pq.read_table(
            pa.BufferReader(lake.read(file)), schema=schema, read_dictionary=coded_names(schema)
        )
        for file in slot.tables[name]
    )
    if groups != Range("", None):
        group = names(rows[_GROUP])
        rows = rows.filter(
            pa.array(np.array([*map(groups.has, group.name), groups.has(None)])[group.code])
        )
    of_slot = pa.DictionaryArray.from_arrays(pa.array([0] * rows.num_rows, "int32"), [slot.batch])
    return rows.append_column(COLUMN, of_slot)


def _parquet(tables: Iterable[pa.Table], schema: pa.Schema) -> Iterator[bytes]:
    written = _StreamedFile()
    with DayFile(written, schema) as file:
        for table in tables:
            file.add(table)
            yield written.taken()
    yield written.taken()


class _StreamedFile:
    """A file that is written and read at the same time: `taken` returns the new bytes."""

    closed = False

    def __init__(self):
        self._parts: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self._size += len(data)
        return len(data)

    def tell(self) -> int:
        return self._size

    def flush(self) -> None:
        pass

    def taken(self) -> bytes:
        """Return the bytes written since the last call."""
        parts, self._parts = self._parts, []
        return b"".join(parts)


# Day file: the rows of many slots in one Parquet file. It is sorted so that few row groups are read
# for one group of a day, or for one slot.


_RUN_SLOTS = 120
"""Most slots of a run: an hour of 30 s slots. The rows of a run are sorted by group. A reader of
one slot reads the whole run.
"""

_RUN_BYTES = 128_000_000
"""A run has fewer slots if its rows take more memory."""

_PART_ROWS = 8_192
"""Most rows of a part with several groups. A reader of one group reads the whole part."""

_MOST_ROWS = 32_768
"""Most rows of a row group."""


class DayFile:
    """A Parquet file to which rows are added. The column `batch` has each row's slot. `close`
    writes the last rows.
    """

    def __init__(self, file: BinaryIO | Path | _StreamedFile, schema: pa.Schema):
        self._schema = schema
        self._writer = pq.ParquetWriter(file, schema, **parquet_styles(schema, (_GROUP, COLUMN)))
        self._held: list[pa.Table] = []
        self._slots: set[str] = set()
        self._bytes = 0

    def __enter__(self) -> "DayFile":
        return self

    def __exit__(self, kind: type | None, *error: object) -> None:
        if kind is None:
            self.close()

    def add(self, rows: pa.Table) -> None:
        """Add rows of one slot or of consecutive slots. Text may be dictionary-encoded."""
        coded = pa.table(
            [_coded(rows[field.name], field.type) for field in self._schema],
            names=self._schema.names,
        )
        slots = set(names(coded[COLUMN]).name)
        if self._held and (len(self._slots | slots) > _RUN_SLOTS or self._bytes >= _RUN_BYTES):
            self._write_run()
        self._held.append(coded)
        self._slots |= slots
        self._bytes += coded.nbytes

    def close(self) -> None:
        """Write the remaining rows and the end of the file."""
        if self._held:
            self._write_run()
        self._writer.close()

    def _write_run(self) -> None:
        rows = pa.concat_tables(self._held).unify_dictionaries().combine_chunks()
        self._held, self._slots, self._bytes = [], set(), 0
        place = {name: _place(rows[name]) for name in (COLUMN, _GROUP) if name in rows.column_names}
        # By group, then by slot. Rows with the same group and slot remain in order.
        order = np.lexsort(list(place.values()))
        group = place[_GROUP][order] if _GROUP in place else np.zeros(rows.num_rows)
        for part in _parts(group):
            # Plain text, because each part would store the dictionary of the whole run.
            self._writer.write_table(rows.take(order[part]).cast(self._schema), _MOST_ROWS)


def _coded(column: pa.ChunkedArray, type: pa.DataType) -> pa.ChunkedArray:
    return (
        column.dictionary_encode()
        if type == pa.string() and not pa.types.is_dictionary(column.type)
        else column
    )


def _place(column: pa.ChunkedArray) -> np.ndarray:
    """Return the alphabetical position of each row's name among all names. Null is last."""
    dictionary = names(column)
    place = np.empty(len(dictionary.name) + 1, dtype=np.int64)
    place[np.argsort(np.array(dictionary.name, dtype=object), kind="stable")] = np.arange(
        len(dictionary.name)
    )
    place[-1] = len(dictionary.name)
    return place[dictionary.code]


def _parts(group: np.ndarray) -> Iterator[slice]:
    """Divide rows that are sorted by group into slices, at the limits of groups. A slice has at
    most `_PART_ROWS` rows, or one group with more rows.
    """
    start = end = 0
    for following in [*(np.flatnonzero(np.diff(group)) + 1).tolist(), group.size]:
        if following - start > _PART_ROWS and end > start:
            yield slice(start, end)
            start = end
        end = following
    yield slice(start, end)
