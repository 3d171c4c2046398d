"""The transforms over what the tasks wrote: LAG, MEMBER_LOAD and GROUP_LOAD as files of the lake."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession

from evenkeel.data.lake.place import Place
from evenkeel.data.lake.writing import SCHEMAS, Done, files_of, members_tell_owners, read_parts, results_of, write_part
from evenkeel.data.pipeline.ingest.on_spark import numbers
from evenkeel.data.pipeline.ingest.owner import with_owner
from evenkeel.data.pipeline.spark.schema import spark_schema
from evenkeel.data.tables.load import GROUP, load_by_group, load_by_member, shares_of_members, shares_of_partitions

SMALL_ROWS = 200_000
"""Up to here tables go through the driver: a job of Spark takes longer. Also about the rows of a task of Spark."""

_Batches = Iterator[pa.RecordBatch]


@dataclass(frozen=True)
class Through:
    """How tables come from the lake into Spark and back: through the driver where they are small, else file by file in Spark's tasks."""

    spark: SparkSession
    lake: Place
    batch: str

    def read(self, name: str, files: Sequence[str], is_small: bool) -> DataFrame:
        """Return a table of the lake."""
        schema, lake = spark_schema(SCHEMAS[name]), self.lake
        if is_small:
            return self.spark.createDataFrame(read_parts(name, files, self.lake), schema)

        def rows(batches: _Batches) -> _Batches:
            for number in numbers(batches):
                yield from read_parts(name, [files[number]], lake).to_batches()

        return self.spark.range(0, len(files), 1, len(files)).mapInArrow(rows, schema)

    def write(self, name: str, frame: DataFrame, is_small: bool) -> tuple[str, ...]:
        """Store a table and return its files."""
        frame, lake, batch = frame.select(*SCHEMAS[name].names), self.lake, self.batch
        if is_small:
            return (write_part(name, frame.toArrow(), lake, batch),)

        def files(batches: _Batches) -> _Batches:
            rows = list(batches)
            if rows:
                file = write_part(name, pa.Table.from_batches(rows), lake, batch)
                yield pa.RecordBatch.from_pylist([{"task": TaskContext.get().partitionId(), "file": file}])

        return tuple(row.file for row in sorted(frame.mapInArrow(files, "task long, file string").collect()))


def write_results(spark: SparkSession, lake: Place, batch: str, done: Sequence[Done]) -> dict[str, tuple[str, ...]]:
    """Run the transforms and return the files of each result; what is small is made here, as in one process."""
    through, is_told = Through(spark, lake, batch), members_tell_owners(done)
    lag_rows, member_rows, share_rows = (_row_count(done, name) for name in ("LAG", "MEMBERS", "SHARES"))
    if (lag_rows + member_rows if is_told else share_rows) <= SMALL_ROWS:
        return results_of(lake, batch, done)
    members, lag, shares = (files_of(done, name) for name in ("MEMBERS", "LAG", "SHARES"))
    if not is_told:
        return {"LAG": lag} | _large_loads(through, through.read("SHARES", shares, is_small=False), share_rows)
    lag_is_small, members_are_small = lag_rows <= SMALL_ROWS, member_rows <= SMALL_ROWS
    owned = with_owner(through.read("LAG", lag, lag_is_small), through.read("MEMBERS", members, members_are_small))
    lag = through.write("LAG", owned, lag_is_small)
    of_partitions = _in_parts(through.read("LAG", lag, lag_is_small), shares_of_partitions, "LAG", "SHARES")
    of_members = _in_parts(through.read("MEMBERS", members, members_are_small), shares_of_members, "MEMBERS", "SHARES")
    return {"LAG": lag} | _large_loads(through, of_partitions.unionByName(of_members), lag_rows + member_rows)


def _large_loads(through: Through, shares: DataFrame, row_count: int) -> dict[str, tuple[str, ...]]:
    """Every task has whole groups, of about `SMALL_ROWS` rows."""
    task_count = row_count // SMALL_ROWS + 1
    by_member = _in_parts(shares.repartition(task_count, *GROUP), load_by_member, "SHARES", "MEMBER_LOAD")
    load = through.write("MEMBER_LOAD", by_member, is_small=False)
    members = through.read("MEMBER_LOAD", load, is_small=False)
    by_group = _in_parts(members.repartition(task_count, *GROUP), load_by_group, "MEMBER_LOAD", "GROUP_LOAD")
    return {"MEMBER_LOAD": load, "GROUP_LOAD": through.write("GROUP_LOAD", by_group, is_small=False)}


def _in_parts(frame: DataFrame, transform: Callable[[pa.Table], pa.Table], name: str, result: str) -> DataFrame:
    """Return the result of a transform that each task of Spark makes of all its rows."""
    schema = SCHEMAS[name]

    def transformed(batches: _Batches) -> _Batches:
        rows = [batch.select(schema.names).cast(schema) for batch in batches]
        yield from transform(pa.Table.from_batches(rows, schema)).to_batches()

    return frame.mapInArrow(transformed, spark_schema(SCHEMAS[result]))


def _row_count(done: Sequence[Done], table: str) -> int:
    return sum(answer.row_counts.get(table, 0) for answer in done)
