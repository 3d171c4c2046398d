"""Runs the tasks of an ingest on Spark."""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from evenkeel.data.lake.writing import Done
from evenkeel.data.pipeline.ingest.repeats.cells import SCHEMA, Cell, applied, batch_of, cells_of, parted
from evenkeel.data.pipeline.spark.schema import spark_schema


@dataclass(frozen=True)
class SparkShuffle:
    """Runs functions in tasks of a session, and brings cells together between them; nothing runs before it is collected."""

    session: SparkSession

    def each(self, count: int, function: Callable[[int], Iterable[Cell]]) -> DataFrame:
        """Call a function in a task of its own for every number below `count`."""

        def made(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            freeze_imports()
            for number in numbers(batches):
                yield batch_of(function(number))

        return self.session.range(0, count, 1, count).mapInArrow(made, spark_schema(SCHEMA))

    def together(self, cells: DataFrame, count: int, function: Callable[[Sequence[Cell]], Iterable[Cell]]) -> DataFrame:
        """Call a function once for the cells of every bucket, in any order; `count`: tasks. Answers pass."""

        def made(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            freeze_imports()
            yield from applied(cells_of(batches), function)

        return cells.repartition(count, "bucket").mapInArrow(made, spark_schema(SCHEMA))

    def collected(self, cells: DataFrame) -> tuple[list[Done], list[Cell]]:
        """Return the answers, and the other cells."""
        # Not collect(): it pickles every row, which takes twice the processor time for megabytes of keys.
        return parted(cells_of(cells.toArrow().to_batches()))


def numbers(batches: Iterator[pa.RecordBatch]) -> Iterator[int]:
    """Yield what `spark.range` sends to a worker."""
    for batch in batches:
        yield from batch["id"].to_pylist()


def freeze_imports() -> None:
    """Keep the garbage collector off the imports: a worker of Spark collects after every task, 40 ms over all that it has imported."""
    gc.freeze()
