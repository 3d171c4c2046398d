"""The transforms over what the tasks wrote: LAG, MEMBER_LOAD and GROUP_LOAD as files of the lake."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from data.lake.loads import parts_of, read_whole, write_loads, write_whole
from data.lake.writing import SCHEMAS, Done, files_of
from data.pipeline.ingest.owner import with_owner
from data.pipeline.spark.schema import spark_schema
from data.tables.transforms.group_key import GROUP
from data.tables.transforms.load import load_by_group, load_by_member
from data.tables.transforms.shares import shares_of_members, shares_of_partitions

SMALL_ROWS = 200_000
"""Up to here tables go through the driver: Spark takes longer to list, read and commit files. Also about the rows of a task of Spark."""


@dataclass(frozen=True)
class Through:
    """How tables come from the lake into Spark and back: through the driver where they are small, else file by file in Spark's tasks."""

    spark: SparkSession
    lake: Path
    batch: str

    def table(self, name: str, files: Sequence[str]) -> pa.Table:
        """Return a small table of the lake."""
        return read_whole(name, files, self.lake)

    def read(self, name: str, files: Sequence[str]) -> DataFrame:
        """Return a table of the lake."""
        schema = spark_schema(SCHEMAS[name])
        if self.is_small(files):
            return self.spark.createDataFrame(self.table(name, files), schema)
        return self.spark.read.schema(schema).parquet(*(str(self.lake / file) for file in files))

    def write(self, name: str, frame: DataFrame, is_small: bool) -> tuple[str, ...]:
        """Store a table and return its files."""
        frame = frame.select(*SCHEMAS[name].names)
        if is_small:
            return write_whole(name, frame.toArrow(), self.lake, self.batch)
        frame.write.mode("append").parquet(str(self.lake / name / self.batch))
        return parts_of(name, self.lake, self.batch)

    def is_small(self, files: Iterable[str]) -> bool:
        """Tell whether files have few rows together."""
        return self.row_count(files) <= SMALL_ROWS

    def row_count(self, files: Iterable[str]) -> int:
        """Return how many rows files have together."""
        return sum(pq.read_metadata(self.lake / file).num_rows for file in files)


def write_results(spark: SparkSession, lake: Path, batch: str, done: Sequence[Done]) -> dict[str, tuple[str, ...]]:
    """Run the transforms and return the files of each result."""
    through = Through(spark, lake, batch)
    members, lag, shares = (files_of(done, name) for name in ("MEMBERS", "LAG", "SHARES"))
    if not _members_tell_owners(done):
        is_small = through.is_small(shares)
        loads = (
            write_loads(through.table("SHARES", shares), lake, batch)
            if is_small
            else _large_loads(through, through.read("SHARES", shares), shares)
        )
        return {"LAG": lag} | loads
    lag = through.write("LAG", with_owner(through.read("LAG", lag), through.read("MEMBERS", members)), through.is_small(lag))
    if through.is_small([*lag, *members]):
        of_partitions, of_members = shares_of_partitions(through.table("LAG", lag)), shares_of_members(through.table("MEMBERS", members))
        return {"LAG": lag} | write_loads(pa.concat_tables([of_partitions, of_members]), lake, batch)
    of_partitions = _in_parts(through.read("LAG", lag), shares_of_partitions, "LAG", "SHARES")
    of_members = _in_parts(through.read("MEMBERS", members), shares_of_members, "MEMBERS", "SHARES")
    return {"LAG": lag} | _large_loads(through, of_partitions.unionByName(of_members), [*lag, *members])


def _large_loads(through: Through, shares: DataFrame, files: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Every task has whole groups, of about `SMALL_ROWS` rows of `files`."""
    task_count = through.row_count(files) // SMALL_ROWS + 1
    by_member = _in_parts(shares.repartition(task_count, *GROUP), load_by_member, "SHARES", "MEMBER_LOAD")
    load = through.write("MEMBER_LOAD", by_member, is_small=False)
    by_group = _in_parts(through.read("MEMBER_LOAD", load).repartition(task_count, *GROUP), load_by_group, "MEMBER_LOAD", "GROUP_LOAD")
    return {"MEMBER_LOAD": load, "GROUP_LOAD": through.write("GROUP_LOAD", by_group, is_small=False)}


def _in_parts(frame: DataFrame, transform: Callable[[pa.Table], pa.Table], name: str, result: str) -> DataFrame:
    """Return the result of a transform that each task of Spark makes of all its rows."""
    schema = SCHEMAS[name]

    def transformed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = [batch.select(schema.names).cast(schema) for batch in batches]
        yield from transform(pa.Table.from_batches(rows, schema)).to_batches()

    return frame.mapInArrow(transformed, spark_schema(SCHEMAS[result]))


def _members_tell_owners(done: Sequence[Done]) -> bool:
    """Tell whether owners must be looked up in MEMBERS."""
    is_told = any(answer.owner_is_null for answer in done) and any(answer.has_claims for answer in done)
    return is_told and not all(answer.is_of_documents for answer in done)
