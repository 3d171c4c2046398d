"""Cells: what the tasks of an ingest hand to each other through Spark's shuffle, and their answers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
import pyarrow as pa

from evenkeel.data.lake.writing import Done

SCHEMA = pa.schema([("place", pa.int32()), ("bucket", pa.int32()), ("data", pa.binary())])


class Cell(NamedTuple):
    """`place`: of the task, in the order of the input. `bucket`: what belongs together; None: `data` is the answer of the task, as JSON."""

    place: int
    bucket: int | None
    data: bytes


def answered(done: Done) -> Cell:
    """Return the answer of a task."""
    return Cell(done.place, None, msgspec.json.encode(done))


def parted(cells: Iterable[Cell]) -> tuple[list[Done], list[Cell]]:
    """Return the answers among cells, and the other cells."""
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


def applied(cells: Iterable[Cell], function: Callable[[Sequence[Cell]], Iterable[Cell]]) -> Iterator[pa.RecordBatch]:
    """Yield the answers among cells, and what a function makes of the others of each bucket."""
    buckets: dict[int | None, list[Cell]] = {}
    for cell in cells:
        buckets.setdefault(cell.bucket, []).append(cell)
    yield batch_of(buckets.pop(None, ()))
    yield from (batch_of(function(bucket)) for bucket in buckets.values())
