"""The shuffle of an ingest in this process, without Spark: the same cells reach the same functions."""

from contextlib import contextmanager

import msgspec

from data.lake.writing import Done
from data.pipeline.ingest.cells import batch_of, cells_of, grouped


class ShuffleHere:
    """`data.pipeline.ingest.cells.Shuffle`; cells are an Arrow batch."""

    def each(self, count, function):
        return batch_of(cell for number in range(count) for cell in function(number))

    def together(self, cells, column, count, function):
        with_data = [cell for cell in cells_of([cells]) if cell.data is not None]
        return batch_of(cell for group in grouped(reversed(with_data), column) for cell in function(group))

    @contextmanager
    def kept(self, cells):
        yield cells

    def done(self, cells):
        return [msgspec.json.decode(cell.done, type=Done) for cell in cells_of([cells]) if cell.done is not None]

    def data_bytes(self, cells):
        return sum(len(cell.data) for cell in cells_of([cells]) if cell.data is not None)
