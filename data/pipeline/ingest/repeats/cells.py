"""Cells: what the tasks of an ingest hand to each other through Spark's shuffle, and their answers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol, TypeVar

import pyarrow as pa

from data.lake.writing import Done

SCHEMA = pa.schema([("place", pa.int32()), ("bucket", pa.int32()), ("data", pa.binary()), ("done", pa.binary())])


class Cell(NamedTuple):
    """`place`: of the task, in the order of the input. `bucket`: what belongs together.

    A cell has either `data` for other tasks, or the answer `done`, as JSON.
    """

    place: int
    bucket: int | None = None
    data: bytes | None = None
    done: bytes | None = None


Cells = TypeVar("Cells")


class Shuffle(Protocol[Cells]):
    """Runs functions in tasks, and brings cells together between them; nothing runs before an answer is wanted."""

    def each(self, count: int, function: Callable[[int], Iterable[Cell]]) -> Cells:
        """Call a function in a task of its own for every number below `count`."""
        ...

    def together(self, cells: Cells, column: str, count: int, function: Callable[[Sequence[Cell]], Iterable[Cell]]) -> Cells:
        """Call a function once for the cells of every `place` or `bucket` that have data, in any order; `count`: tasks. Answers pass."""
        ...

    def kept(self, cells: Cells) -> AbstractContextManager[Cells]:
        """Return the cells such that they are made once, while this is open."""
        ...

    def with_data(self, cells: Cells) -> Cells:
        """Return the cells without the answers."""
        ...

    def answers(self, cells: Cells) -> tuple[list[Done], int]:
        """Return the answers, and the bytes of all data."""
        ...


def batch_of(cells: Iterable[Cell]) -> pa.RecordBatch:
    """Return cells as rows of `SCHEMA`."""
    return pa.RecordBatch.from_pylist([cell._asdict() for cell in cells], SCHEMA)


def cells_of(batches: Iterable[pa.RecordBatch]) -> Iterator[Cell]:
    """Yield the rows of batches as cells."""
    for batch in batches:
        yield from (Cell(**row) for row in batch.select(SCHEMA.names).to_pylist())


def applied(cells: Iterable[Cell], column: str, function: Callable[[Sequence[Cell]], Iterable[Cell]]) -> Iterator[pa.RecordBatch]:
    """Yield the answers among cells, and what a function makes of those of each `place` or `bucket`."""
    groups: dict[int, list[Cell]] = {}
    for cell in cells:
        if cell.data is None:
            yield batch_of([cell])
        else:
            groups.setdefault(getattr(cell, column), []).append(cell)
    for group in groups.values():
        yield batch_of(function(group))
