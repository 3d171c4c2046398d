"""Day file: the rows of many slots in one Parquet file, so that a group's day and a slot's groups are both found in few of its parts."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from evenkeel.data.lake.slots.day import COLUMN
from evenkeel.data.lake.writing import parquet_styles
from evenkeel.data.tables.arrow import names

_RUN_SLOTS = 120
"""Slots that are sorted by group together, an hour of 30 s each: whoever asks for one of them reads them all."""

_RUN_BYTES = 128_000_000
"""Less slots where they would take more memory than this."""

_PART_ROWS = 8_192
"""A part has whole groups of a run where they fit: whoever asks for one of them reads them all."""

_MOST_ROWS = 32_768
"""Of a part of one group."""

_GROUP = "group_id"


class DayFile:
    """A Parquet file while rows are added to it; each row has its slot in the column `batch`. Close it: the last rows are written then."""

    def __init__(self, file: BinaryIO | Path, schema: pa.Schema):
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
        """Add rows of one slot or of several that follow, text dictionary-encoded or not."""
        coded = pa.table([_coded(rows[field.name], field.type) for field in self._schema], names=self._schema.names)
        slots = set(names(coded[COLUMN]).name)
        if self._held and (len(self._slots | slots) > _RUN_SLOTS or self._bytes >= _RUN_BYTES):
            self._write_run()
        self._held.append(coded)
        self._slots |= slots
        self._bytes += coded.nbytes

    def close(self) -> None:
        """Write what is held, and the end of the file."""
        if self._held:
            self._write_run()
        self._writer.close()

    def _write_run(self) -> None:
        rows = pa.concat_tables(self._held).unify_dictionaries().combine_chunks()
        self._held, self._slots, self._bytes = [], set(), 0
        place = {name: _place(rows[name]) for name in (COLUMN, _GROUP) if name in rows.column_names}
        # By group, then by slot; rows of both equal keep their order.
        order = np.lexsort(list(place.values()))
        group = place[_GROUP][order] if _GROUP in place else np.zeros(rows.num_rows)
        for part in _parts(group):
            # A part would get the names of the whole run.
            self._writer.write_table(rows.take(order[part]).cast(self._schema), _MOST_ROWS)


def _coded(column: pa.ChunkedArray, type: pa.DataType) -> pa.ChunkedArray:
    return column.dictionary_encode() if type == pa.string() and not pa.types.is_dictionary(column.type) else column


def _place(column: pa.ChunkedArray) -> np.ndarray:
    """Return the place of each row's name among all names; null is behind them."""
    found = names(column)
    place = np.empty(len(found.name) + 1, dtype=np.int64)
    place[np.argsort(np.array(found.name, dtype=object), kind="stable")] = np.arange(len(found.name))
    place[-1] = len(found.name)
    return place[found.code]


def _parts(group: np.ndarray) -> Iterator[slice]:
    """Yield slices of sorted rows that end where a group ends, as long as possible; a group that is longer has a slice of its own."""
    start = end = 0
    for following in [*(np.flatnonzero(np.diff(group)) + 1).tolist(), group.size]:
        if following - start > _PART_ROWS and end > start:
            yield slice(start, end)
            start = end
        end = following
    yield slice(start, end)
