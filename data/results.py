"""The transforms over what the tasks wrote: LAG, MEMBER_LOAD and GROUP_LOAD as files of the lake."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from data import schemas
from data.manifest import sync
from data.transforms.load import load_by_group, load_by_member, load_by_share, members_of
from data.transforms.owner import with_owner
from data.writing import SCHEMAS, Done, files_of, write_table

SMALL_ROWS = 200_000
"""Up to here tables go through the driver: listing files, reading and committing them takes Spark longer than such a table."""


@dataclass(frozen=True)
class Through:
    """How tables come from the lake into Spark and back: through the driver where they are small, else file by file in Spark's tasks."""

    spark: SparkSession
    lake: Path
    batch: str

    def read(self, name: str, files: Sequence[str]) -> DataFrame:
        """Return a table of the lake."""
        schema = SCHEMAS[name]
        if self.is_small(files):
            table = pa.concat_tables([schema.empty_table(), *(pq.read_table(self.lake / file, schema=schema) for file in files)])
            return self.spark.createDataFrame(table, schemas.spark_schema(schema))
        return self.spark.read.schema(schemas.spark_schema(schema)).parquet(*(str(self.lake / file) for file in files))

    def write(self, name: str, frame: DataFrame, is_small: bool) -> tuple[str, ...]:
        """Store a table and return its files."""
        frame, folder = frame.select(*SCHEMAS[name].names), self.lake / name / self.batch
        if is_small:
            return self.store(name, frame.toArrow())
        frame.write.mode("append").parquet(str(folder))
        files = sorted(folder.glob("part-*.parquet"))
        for file in files:
            sync(file)
        return tuple(str(file.relative_to(self.lake)) for file in files)

    def store(self, name: str, table: pa.Table) -> tuple[str, ...]:
        """Store a small table, without the columns that its schema does not have, and return its file."""
        schema, file = SCHEMAS[name], f"{name}/{self.batch}/0.parquet"
        write_table(table.select(schema.names).cast(schema), schema, self.lake / file)
        return (file,)

    def is_small(self, files: Sequence[str]) -> bool:
        """Tell whether files have few rows together."""
        return sum(pq.read_metadata(self.lake / file).num_rows for file in files) <= SMALL_ROWS


def write_results(spark: SparkSession, lake: Path, batch: str, done: Sequence[Done]) -> dict[str, tuple[str, ...]]:
    """Run the transforms and return the files of each result."""
    through = Through(spark, lake, batch)
    member_files, lag, shares = (files_of(done, name) for name in ("MEMBERS", "LAG", "SHARES"))
    members = through.read("MEMBERS", member_files)
    if _members_tell_owners(done):
        lag = through.write("LAG", with_owner(through.read("LAG", lag), members), through.is_small(lag))
        by_member = load_by_member(through.read("LAG", lag), members)
    else:
        by_member = load_by_share(through.read("SHARES", shares), members)
    load, groups = _written(through, by_member, through.is_small([*shares, *member_files]))
    return {"LAG": lag, "MEMBER_LOAD": load, "GROUP_LOAD": groups}


def _written(through: Through, by_member: DataFrame, is_small: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Write MEMBER_LOAD and GROUP_LOAD; small ones come from Spark together, because asking it takes longer than the sums."""
    if is_small:
        groups = load_by_group(by_member).toArrow()
        return through.store("MEMBER_LOAD", members_of(groups)), through.store("GROUP_LOAD", groups)
    load = through.write("MEMBER_LOAD", by_member, is_small)
    return load, through.write("GROUP_LOAD", load_by_group(through.read("MEMBER_LOAD", load)), through.is_small(load))


def _members_tell_owners(done: Sequence[Done]) -> bool:
    return any(answer.owner_is_null for answer in done) and any(answer.has_claims for answer in done)
