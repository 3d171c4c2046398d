"""Each source as a Spark data source: `spark.read.format("evenkeel-listing").option("table", "MEMBERS").load(PATH)`."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from evenkeel.data.errors import SnapshotError
from evenkeel.data.pipeline.collect.data_source import ClusterSource
from evenkeel.data.pipeline.ingest.files.file_part import FilePart
from evenkeel.data.pipeline.ingest.files.hashed_file import HashedFile
from evenkeel.data.pipeline.ingest.files.inputs import Input, inputs_of
from evenkeel.data.pipeline.ingest.files.plan import bundled, file_parts
from evenkeel.data.pipeline.spark.schema import spark_schema
from evenkeel.data.sources.detection import SOURCES
from evenkeel.data.sources.source import Context, Source
from evenkeel.data.tables import schemas
from evenkeel.data.tables.parsed import tables_of


def register(spark: SparkSession) -> None:
    """Make every source known to a session, under its NAME.

    Options: `table` (OFFSETS, MEMBERS, TOPICS, TASKS, CONSUMERS or REJECTED; default OFFSETS), `group_id` for listings that name no group,
    `taken_at` in ISO form. PATH is a file or a folder.
    Rows come as parsed: repeats are settled by an ingest, not here. A live cluster has options of its own: `ClusterSource`.
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
            raise SnapshotError(f"option table is {table!r}, expected one of {', '.join(schemas.TABLES)}")
        return table

    def schema(self) -> StructType:
        return spark_schema(schemas.TABLES[self.table])

    def reader(self, schema: StructType) -> DataSourceReader:
        return _Reader(self.source, self.table, dict(self.options))


class _Reader(DataSourceReader):
    def __init__(self, source: Source, table: str, options: dict[str, str]):
        self._source, self._table, self._options = source, table, options

    def partitions(self) -> list[InputPartition]:
        taken_at = self._options.get("taken_at")
        context = Context(group_id=self._options.get("group_id"), taken_at=taken_at and datetime.fromisoformat(taken_at))
        parts = [part for one in inputs_of([self._options["path"]]) for part in self._parts(one, context)]
        return [InputPartition(bundle) for bundle in bundled(parts)]

    def _parts(self, one: Input, context: Context) -> list[FilePart]:
        with one.place.opened(one.key) as file, ThreadPoolExecutor(1) as thread:
            return file_parts(one, self._source, HashedFile(file, thread), context)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        for part in partition.value:
            yield from tables_of(part.parsed(part.text(part.read())))[self._table].to_batches()
