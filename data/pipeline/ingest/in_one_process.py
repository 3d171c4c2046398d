"""A batch that this process reads, settles and stores by itself: the tasks of an ingest one after the other, without Spark.

one = stored_here(inputs, lake)
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

import pyarrow as pa

from evenkeel.data.errors import PlaceError
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.service import in_words
from evenkeel.data.lake.writing import Done, results_of
from evenkeel.data.pipeline.ingest.batch import Results, batch_by
from evenkeel.data.pipeline.ingest.files.inputs import Input
from evenkeel.data.pipeline.ingest.passes import done_by
from evenkeel.data.pipeline.ingest.repeats.cells import SCHEMA, Cell, applied, batch_of, cells_of, parted
from evenkeel.data.pipeline.ingest.task import Task
from evenkeel.data.sources.reading import read
from evenkeel.data.sources.source import START, Context
from evenkeel.data.tables.lag import with_lag

_EXAMPLE = (
    b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\ng t 0 1 2 1 - - -\ng t 0 1 2 1 - - -\n"
    b"GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT\ng a-1 /h a 1 t(0)\n"
)


def stored_here(inputs: Sequence[Input], lake: Place, context: Context = START, batch: str | None = None) -> Manifest:
    """Bring files into the lake as one batch; returns and raises as `batch_by`."""
    return batch_by(_Here(), inputs, lake, context, batch)


def prepare() -> None:
    """Read a few lines, so that what is loaded and compiled at the first use is there before a process is forked."""
    import_module("obstore.store")
    with_lag(read([("example", _EXAMPLE)]).offsets)


class ShuffleHere:
    """The shuffle of an ingest without Spark: the same cells reach the same functions. Cells are an Arrow table."""

    def each(self, count: int, function: Callable[[int], Iterable[Cell]]) -> pa.Table:
        """Call a function for every number below `count`."""
        return pa.Table.from_batches(map(batch_of, map(function, range(count))), SCHEMA)

    def together(self, cells: pa.Table, count: int, function: Callable[[Sequence[Cell]], Iterable[Cell]]) -> pa.Table:
        """Call a function once for the cells of every bucket. Answers pass."""
        return pa.Table.from_batches(applied(cells_of(cells.to_batches()), function), SCHEMA)

    def collected(self, cells: pa.Table) -> tuple[list[Done], list[Cell]]:
        """Return the answers, and the other cells."""
        return parted(cells_of(cells.to_batches()))


class _Here:
    def run(self, tasks: Sequence[Task]) -> tuple[list[Done], Callable[[], Results]]:
        done = done_by(ShuffleHere(), tasks)
        return done, lambda: results_of(tasks[0].lake, tasks[0].batch, done)

    @contextmanager
    def named_errors(self, names: Sequence[str], lake: Place) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            where = error.filename if error.errno and error.filename else f"lake {lake}"
            raise PlaceError(where, os.strerror(error.errno) if error.errno else in_words(error)) from error
