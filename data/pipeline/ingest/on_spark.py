"""Runs the tasks of an ingest on Spark."""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from data.lake.writing import Done
from data.pipeline.ingest.repeats.cells import SCHEMA, Cell, applied, batch_of, cells_of
from data.pipeline.spark.schema import spark_schema


@dataclass(frozen=True)
class SparkShuffle:
    """`data.pipeline.ingest.repeats.cells.Shuffle`, on a session."""

    session: SparkSession

    def each(self, count: int, function: Callable[[int], Iterable[Cell]]) -> DataFrame:
        """Call a function in a task of its own for every number below `count`."""

        def made(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            freeze_imports()
            for number in numbers(batches):
                yield batch_of(function(number))

        return self.session.range(0, count, 1, count).mapInArrow(made, spark_schema(SCHEMA))

    def together(self, cells: DataFrame, column: str, count: int, function: Callable[[Sequence[Cell]], Iterable[Cell]]) -> DataFrame:
        """Call a function once for the cells of every `place` or `bucket` that have data; `count`: tasks. Answers pass."""

        def made(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            freeze_imports()
            yield from applied(cells_of(batches), column, function)

        return cells.repartition(count, column).mapInArrow(made, spark_schema(SCHEMA))

    @contextmanager
    def kept(self, cells: DataFrame) -> Iterator[DataFrame]:
        """Keep the cells once they are made: of a lost executor Spark makes them again."""
        try:
            yield cells.persist()
        finally:
            cells.unpersist()

    def with_data(self, cells: DataFrame) -> DataFrame:
        """Return the cells without the answers."""
        return cells.where("data IS NOT NULL")

    def answers(self, cells: DataFrame) -> tuple[list[Done], int]:
        """Return the answers, and the bytes of all data."""
        rows = cells.select("done", F.length("data").alias("size")).collect()
        return [msgspec.json.decode(row.done, type=Done) for row in rows if row.done], sum(row["size"] or 0 for row in rows)


def numbers(batches: Iterator[pa.RecordBatch]) -> Iterator[int]:
    """Yield what `spark.range` sends to a worker."""
    for batch in batches:
        yield from batch["id"].to_pylist()


def freeze_imports() -> None:
    """Keep the garbage collector off the imports: a worker of Spark collects after every task, 40 ms over all that it has imported."""
    gc.freeze()
