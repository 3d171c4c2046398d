"""The transforms over what the tasks wrote: LAG, MEMBER_LOAD and GROUP_LOAD as files of the lake."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from data import schemas
from data.lag_files import write_lag_files
from data.manifest import sync
from data.transforms.group import with_unnamed
from data.transforms.lag import with_lag
from data.transforms.load import load_by_group, load_by_member, load_by_share
from data.transforms.owner import with_owner
from data.writing import Done, files_of, write_table

SMALL_ROWS = 20_000
"""Up to here tables go through the driver: listing files, reading and committing them takes Spark longer than such a table."""

SMALL_LOADS = 200_000
"""The same for MEMBER_LOAD, of which little comes back."""

_SCHEMAS = schemas.STORED | {"SHARES": schemas.SHARES}


@dataclass(frozen=True)
class Through:
    """How tables come from the lake into Spark and back: through the driver (`is_small`), or file by file in Spark's tasks."""

    spark: SparkSession
    lake: Path
    batch: str
    is_small: bool

    def read(self, name: str, files: Sequence[str]) -> DataFrame:
        """Return a table of the lake."""
        schema = _SCHEMAS[name]
        if self.is_small or not files:
            table = pa.concat_tables([schema.empty_table(), *(pq.read_table(self.lake / file, schema=schema) for file in files)])
            return self.spark.createDataFrame(table, schemas.spark_schema(schema))
        return self.spark.read.schema(schemas.spark_schema(schema)).parquet(*(str(self.lake / file) for file in files))

    def write(self, name: str, frame: DataFrame) -> tuple[str, ...]:
        """Store a table and return its files."""
        schema, folder = _SCHEMAS[name], self.lake / name / self.batch
        frame = frame.select(*schema.names)
        if self.is_small:
            write_table(frame.toArrow().cast(schema), schema, folder / "0.parquet")
            return (f"{name}/{self.batch}/0.parquet",)
        frame.write.parquet(str(folder))
        files = sorted(folder.glob("part-*.parquet"))
        for file in files:
            sync(file)
        return tuple(str(file.relative_to(self.lake)) for file in files)


def write_results(spark: SparkSession, lake: Path, batch: str, done: Sequence[Done], scratch: Path) -> dict[str, tuple[str, ...]]:
    """Run the transforms and return the files of each result."""
    through = Through(spark, lake, batch, sum(answer.offset_count for answer in done) <= SMALL_ROWS)
    offset_files = files_of(done, "OFFSETS")
    members = through.read("MEMBERS", files_of(done, "MEMBERS"))
    if through.is_small or _members_tell_owners(done):
        offsets = with_unnamed(through.read("OFFSETS", offset_files))
        lag = through.write("LAG", with_lag(with_owner(offsets, members) if _members_tell_owners(done) else offsets))
        by_member = load_by_member(through.read("LAG", lag), members)
    else:
        lag, shares = write_lag_files(spark, lake, batch, offset_files, scratch)
        by_member = load_by_share(through.read("SHARES", shares), members)
    load = through.write("MEMBER_LOAD", by_member)
    through = replace(through, is_small=sum(pq.read_metadata(lake / file).num_rows for file in load) <= SMALL_LOADS)
    groups = through.write("GROUP_LOAD", load_by_group(through.read("MEMBER_LOAD", load)))
    return {"LAG": lag, "MEMBER_LOAD": load, "GROUP_LOAD": groups}


def _members_tell_owners(done: Sequence[Done]) -> bool:
    return any(answer.owner_is_null for answer in done) and any(answer.has_claims for answer in done)
