"""Each input format as a Spark data source: `spark.read.format("evenkeel-listing").option("table",
"MEMBERS").load(PATH)`.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    InputPartition,
)
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from evenkeel.data import clock
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.parsed import tables_of
from evenkeel.data.pipeline.ingest.inputs import Input, inputs_of
from evenkeel.data.pipeline.ingest.parts import FilePart, HashedFile, bundled, file_parts
from evenkeel.data.pipeline.snapshots import READINGS, GroupsToRead, Slots, planned
from evenkeel.data.sources.detection import SOURCES
from evenkeel.data.sources.source import Context, Source


def register(spark: SparkSession) -> None:
    """Register every input format in a session, as a data source with the format's `NAME`.

    Options: `table` (OFFSETS, MEMBERS, TOPICS, TASKS, CONSUMERS or REJECTED; default OFFSETS),
    `group_id` for listings without group names, `taken_at` in ISO form. PATH is a file or a folder.
    Repeated rows are not removed; only an ingest removes them. For the options of a live cluster,
    see `ClusterSource`.
    """
    for source in SOURCES:
        spark.dataSource.register(type(source.NAME, (_TableSource,), {"source": source}))
    spark.dataSource.register(ClusterSource)


class _TableSource(DataSource):
    source: Source

    @classmethod
    def name(cls) -> str:
        return cls.source.NAME

    @property
    def table(self) -> str:
        table = self.options.get("table", "OFFSETS")
        if table not in schemas.TABLES:
            raise SnapshotError(
                f"option table is {table!r}, expected one of {', '.join(schemas.TABLES)}"
            )
        return table

    def schema(self) -> StructType:
        return from_arrow_schema(schemas.TABLES[self.table])

    def reader(self, schema: StructType) -> DataSourceReader:
        return _Reader(self.source, self.table, dict(self.options))


class _Reader(DataSourceReader):
    def __init__(self, source: Source, table: str, options: dict[str, str]):
        self._source, self._table, self._options = source, table, options

    def partitions(self) -> list[InputPartition]:
        taken_at = self._options.get("taken_at")
        context = Context(
            group_id=self._options.get("group_id"),
            taken_at=datetime.fromisoformat(taken_at) if taken_at else None,
        )
        parts = [
            part
            for file in inputs_of([self._options["path"]])
            for part in self._parts(file, context)
        ]
        return [InputPartition(bundle) for bundle in bundled(parts)]

    def _parts(self, source_file: Input, context: Context) -> list[FilePart]:
        with source_file.place.opened(source_file.key) as file, ThreadPoolExecutor(1) as thread:
            return file_parts(source_file, self._source, HashedFile(file, thread), context)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        for part in partition.value:
            yield from tables_of(part.parsed(part.text(part.read())))[self._table].to_batches()


# A live cluster as a data source for batches and streams:
# `spark.readStream.format("evenkeel-cluster").option("cluster", "production").option("every",
# "30")`


NAME = "evenkeel-cluster"


class ClusterSource(DataSource):
    """The data source of a live cluster, and its options.

    `cluster`: a name in the configuration. `table`: OFFSETS, MEMBERS, TOPICS, REJECTED or READINGS;
    a stream always has READINGS. `groups`: group names, one a line (default: all). `every`: length
    of a stream's time slot in seconds, at least 1. `configuration`: path of the configuration file,
    for workers whose environment does not name the file.
    """

    @classmethod
    def name(cls) -> str:
        return NAME

    def schema(self) -> StructType:
        return from_arrow_schema(self._schema)

    def reader(self, schema: StructType) -> DataSourceReader:
        return _Batch(self._table, self._schema, **self._wanted)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        return ClusterStream(int(self.options.get("every", 30)), **self._wanted)

    @property
    def _table(self) -> str:
        return self.options.get("table", "READINGS")

    @property
    def _schema(self) -> pa.Schema:
        known = schemas.TABLES | {"READINGS": READINGS}
        if self._table not in known:
            raise SnapshotError(
                f"option table is {self._table!r}, expected one of {', '.join(known)}"
            )
        return known[self._table]

    @property
    def _wanted(self) -> dict[str, Any]:
        groups = self.options.get("groups")
        return {
            "cluster": self.options["cluster"],
            "groups": tuple(groups.split("\n")) if groups else (),
            "configuration": self.options.get("configuration"),
        }


class _Batch(DataSourceReader):
    def __init__(
        self,
        table: str,
        schema: pa.Schema,
        cluster: str,
        groups: tuple[str, ...],
        configuration: str | None,
    ):
        self._table, self._schema, self._cluster, self._groups, self._configuration = (
            table,
            schema,
            cluster,
            groups,
            configuration,
        )

    def partitions(self) -> list[InputPartition]:
        return [
            InputPartition(part)
            for part in planned(
                self._cluster, self._groups, clock.now(), configuration=self._configuration
            )
        ]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        groups: GroupsToRead = partition.value
        if self._table == "READINGS":
            return iter(groups.readings().to_batches())
        return iter(tables_of(groups.parsed())[self._table].cast(self._schema).to_batches())


# A live cluster as a stream of READINGS. Each time slot is a micro-batch.


class ClusterStream(DataSourceStreamReader):
    """The stream of a live cluster. Spark's offset in the stream is a slot. A micro-batch reads the
    newest slot; slots that were skipped become a gap.
    """

    def __init__(
        self, every: int, cluster: str, groups: tuple[str, ...], configuration: str | None
    ):
        self._slots, self._cluster, self._groups, self._configuration = (
            Slots(every, int(clock.seconds())),
            cluster,
            groups,
            configuration,
        )

    def initialOffset(self) -> dict[str, int]:
        return {"slot": self._slots.at(clock.seconds()) - self._slots.every}

    def latestOffset(self) -> dict[str, int]:
        return {"slot": self._slots.at(clock.seconds())}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[InputPartition]:
        now = clock.seconds()
        gaps = [
            GroupsToRead(self._cluster, end["slot"], gap=gap)
            for gap in self._slots.gaps(start["slot"], end["slot"], now)
        ]
        if self._slots.is_over(end["slot"], now):
            return [InputPartition(gap) for gap in gaps]
        planned_now = planned(
            self._cluster,
            self._groups,
            datetime.fromtimestamp(now, UTC),
            end["slot"],
            self._configuration,
        )
        return [InputPartition(gap) for gap in (*gaps, *planned_now)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return iter(partition.value.readings().to_batches())
