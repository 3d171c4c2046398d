"""The rows of a day's slots as one Parquet file a table, in memory for some slots at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from data.lake.manifest import Manifest
from data.lake.place import Place
from data.lake.slots.day import COLUMN, SCHEMAS
from data.lake.writing import parquet_styles
from data.tables import schemas

_AT_ONCE = 16
_SORTED_ROWS = 250_000
"""Rows of following slots that are sorted by group: a group's day and a slot's groups are both found in few of the parts."""

_PART_ROWS = 32_768


class Day(NamedTuple):
    """Slots that become one batch: each has files of its own, or its rows are in those of `before`, a batch of the same day."""

    slots: Sequence[Manifest]
    before: Manifest | None = None

    @property
    def names(self) -> list[str]:
        """The tables that have rows."""
        return [name for name in SCHEMAS if any(slot.tables.get(name) for slot in self.slots)]


def write_table_of_day(lake: Place, name: str, one: Day, key: str, look: Callable[[], None] = lambda: None) -> None:
    """Write the rows of a table, each with its slot; `look` is called again and again, and what it raises ends this without a file."""
    lake.write_parts(key, _parquet(_sorted_parts(_looking(_rows(lake, name, one), look)), SCHEMAS[name]))


def _looking(tables: Iterable[pa.Table], look: Callable[[], None]) -> Iterator[pa.Table]:
    for table in tables:
        look()
        yield table


def _rows(lake: Place, name: str, one: Day) -> Iterator[pa.Table]:
    in_before = {slot.batch for slot in one.before.slots} if one.before else set()
    kept = pa.array([slot.batch for slot in one.slots if slot.batch in in_before and slot.tables.get(name)], pa.string())
    if one.before and len(kept):
        files = one.before.tables[name]
        rows = ds.dataset(list(files), schema=SCHEMAS[name], format="parquet", filesystem=lake.filesystem())
        # Read ahead by one part: the default holds dozens.
        for part in rows.to_batches(filter=pc.field(COLUMN).isin(kept), batch_readahead=1, fragment_readahead=1):
            yield pa.Table.from_batches([part])
    own = [slot for slot in one.slots if slot.batch not in in_before and slot.tables.get(name)]
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for start in range(0, len(own), _AT_ONCE):
            yield from threads.map(partial(_rows_of_slot, lake, name), own[start : start + _AT_ONCE])


def _rows_of_slot(lake: Place, name: str, slot: Manifest) -> pa.Table:
    schema = schemas.STORED[name]
    rows = pa.concat_tables(pq.read_table(pa.BufferReader(lake.read(file)), schema=schema) for file in slot.tables[name])
    return rows.append_column(SCHEMAS[name].field(COLUMN), pa.array([slot.batch] * rows.num_rows, pa.string()))


def _sorted_parts(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    held, count = [], 0
    for table in tables:
        held.append(table)
        count += table.num_rows
        if count >= _SORTED_ROWS:
            yield _by_group(held)
            held, count = [], 0
    if count:
        yield _by_group(held)


def _by_group(tables: list[pa.Table]) -> pa.Table:
    """Sort by group and slot; rows of both equal keep their order."""
    rows = pa.concat_tables(tables)
    columns = [name for name in ("group_id", COLUMN) if name in rows.column_names]
    return rows.take(pc.sort_indices(rows, sort_keys=[(name, "ascending") for name in columns]))


def _parquet(tables: Iterable[pa.Table], schema: pa.Schema) -> Iterator[bytes]:
    file = _Written()
    with pq.ParquetWriter(file, schema, **parquet_styles(schema, ("group_id", COLUMN))) as writer:
        for table in tables:
            writer.write_table(table, _PART_ROWS)
            yield file.taken()
    yield file.taken()


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
