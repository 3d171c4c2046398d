"""The rows of a day's slots as one Parquet file for each range of groups of a table, in memory for some slots at a time."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.day import COLUMN, SCHEMAS, coded_names, coded_schema, slots_of
from evenkeel.data.lake.slots.day_file import DayFile
from evenkeel.data.lake.slots.group_ranges import Range, first_groups
from evenkeel.data.tables import schemas
from evenkeel.data.tables.arrow import names

_AT_ONCE = 16
_GROUP = "group_id"
_ONE_AT_A_TIME = {"batch_readahead": 1, "fragment_readahead": 1, "use_threads": False}
"""Parts of a file: the default reads the whole file ahead while the writer works."""


class Day(NamedTuple):
    """Slots that become one batch: each has files of its own, or its rows are in those of `joint`, batches of hours or of the same day."""

    slots: Sequence[Manifest]
    joint: Sequence[Manifest] = ()

    @property
    def names(self) -> list[str]:
        """The tables that have rows."""
        return [name for name in SCHEMAS if any(slot.tables.get(name) for slot in self.slots)]

    def slots_with(self, name: str) -> list[Manifest]:
        """Return the slots with rows of a table."""
        return [slot for slot in self.slots if slot.tables.get(name)]


def first_groups_of(lake: Place, name: str, one: Day) -> tuple[str, ...]:
    """Return the name from which each file of a table is to have groups, as the rows of an hour or a slot tell."""
    slots = one.slots_with(name)
    if _GROUP not in SCHEMAS[name].names or not slots:
        return ("",)
    sample = max(one.joint, key=lambda joint: len(joint.slots)) if one.joint else slots[len(slots) // 2]
    files = sample.tables.get(name, ())
    # A batch may be of slots without rows of this table.
    rows = ds.dataset(list(files), schema=pa.schema([(_GROUP, pa.string())]), format="parquet", filesystem=lake.filesystem())
    counted: Counter[str] = Counter()
    for part in rows.to_batches(**_ONE_AT_A_TIME) if files else ():
        counted.update({row["values"]: row["counts"] for row in part[_GROUP].drop_null().value_counts().to_pylist()})
    sampled = sum(bool(slot.tables.get(name)) for slot in slots_of(sample))
    return first_groups(counted, len(slots) / max(sampled, 1))


def write_rows(lake: Place, name: str, one: Day, groups: Range, key: str, look: Callable[[], None]) -> None:
    """Write the rows of some groups of a table, each with its slot.

    `look` is called again and again, and what it raises ends this without a file.
    """
    lake.write_parts(key, _parquet(_looking(_rows(lake, name, one, groups), look), SCHEMAS[name]))
    # A collector goes on beside this, with what is left of memory.
    pa.default_memory_pool().release_unused()


def _looking(tables: Iterable[pa.Table], look: Callable[[], None]) -> Iterator[pa.Table]:
    for table in tables:
        look()
        yield table


def _rows(lake: Place, name: str, one: Day, groups: Range) -> Iterator[pa.Table]:
    left = {slot.batch: slot for slot in one.slots_with(name)}
    for joint in one.joint:
        kept = [slot.batch for slot in joint.slots if left.pop(slot.batch, None)]
        if kept:
            yield from _rows_of_joint(lake, name, joint, kept, groups)
    own = list(left.values())
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for start in range(0, len(own), _AT_ONCE):
            yield from threads.map(partial(_rows_of_slot, lake, name, groups), own[start : start + _AT_ONCE])


def _rows_of_joint(lake: Place, name: str, joint: Manifest, kept: list[str], groups: Range) -> Iterator[pa.Table]:
    """Yield the rows of these slots of a batch that holds several."""
    # Of a column that is dictionary-encoded a dataset looks up nothing.
    schema = coded_schema(SCHEMAS[name], plain=(_GROUP, COLUMN))
    form = ds.ParquetFileFormat(dictionary_columns=coded_names(schema))
    wanted = pc.field(COLUMN).isin(pa.array(kept)) & _in_range(groups)
    rows = ds.dataset(list(joint.tables[name]), schema=schema, format=form, filesystem=lake.filesystem())
    for part in rows.to_batches(filter=wanted, **_ONE_AT_A_TIME):
        yield pa.Table.from_batches([part])


def _in_range(groups: Range) -> pc.Expression:
    if groups == Range("", None):
        return pc.scalar(True)
    group = pc.field(_GROUP)
    return group.is_null() | (group >= groups.first) if groups.end is None else (group >= groups.first) & (group < groups.end)


def _rows_of_slot(lake: Place, name: str, groups: Range, slot: Manifest) -> pa.Table:
    schema = coded_schema(schemas.STORED[name])
    rows = pa.concat_tables(
        pq.read_table(pa.BufferReader(lake.read(file)), schema=schema, read_dictionary=coded_names(schema)) for file in slot.tables[name]
    )
    if groups != Range("", None):
        group = names(rows[_GROUP])
        rows = rows.filter(pa.array(np.array([*map(groups.has, group.name), groups.has(None)])[group.code]))
    of_slot = pa.DictionaryArray.from_arrays(pa.array([0] * rows.num_rows, pa.int32()), [slot.batch])
    return rows.append_column(COLUMN, of_slot)


def _parquet(tables: Iterable[pa.Table], schema: pa.Schema) -> Iterator[bytes]:
    written = _Written()
    with DayFile(written, schema) as file:
        for table in tables:
            file.add(table)
            yield written.taken()
    yield written.taken()


class _Written:
    """A file whose bytes are taken away while it is written."""

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
        """Return the bytes since the last call."""
        parts, self._parts = self._parts, []
        return b"".join(parts)
