"""The shuffle of an ingest in this process, without Spark: the same cells reach the same functions."""

import pyarrow as pa

from evenkeel.data.pipeline.ingest.repeats.cells import SCHEMA, applied, batch_of, cells_of, parted


class ShuffleHere:
    """`data.pipeline.ingest.repeats.cells.Shuffle`; cells are an Arrow table."""

    def each(self, count, function):
        return pa.Table.from_batches(map(batch_of, map(function, range(count))), SCHEMA)

    def together(self, cells, count, function):
        return pa.Table.from_batches(applied(reversed(list(cells_of(cells.to_batches()))), function), SCHEMA)

    def collected(self, cells):
        return parted(cells_of(cells.to_batches()))
