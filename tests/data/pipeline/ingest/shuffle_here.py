"""The shuffle of an ingest in this process, without Spark: the same cells reach the same functions."""

from contextlib import contextmanager

import msgspec
import pyarrow as pa

from data.lake.writing import Done
from data.pipeline.ingest.repeats.cells import SCHEMA, applied, batch_of, cells_of


class ShuffleHere:
    """`data.pipeline.ingest.repeats.cells.Shuffle`; cells are an Arrow table."""

    def each(self, count, function):
        return pa.Table.from_batches(map(batch_of, map(function, range(count))), SCHEMA)

    def together(self, cells, column, count, function):
        return pa.Table.from_batches(applied(reversed(list(cells_of(cells.to_batches()))), column, function), SCHEMA)

    @contextmanager
    def kept(self, cells):
        yield cells

    def with_data(self, cells):
        return cells.filter(cells["data"].is_valid())

    def answers(self, cells):
        known = list(cells_of(cells.to_batches()))
        return [msgspec.json.decode(cell.done, type=Done) for cell in known if cell.done], sum(len(cell.data or b"") for cell in known)
