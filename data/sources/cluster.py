"""A live cluster as a Spark data source, batch and streaming: `spark.readStream.format("evenkeel-cluster").option("cluster", "production").option("every", "30")`."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.types import StructType

from data import schemas
from data.errors import SnapshotError
from data.live.portions import Portion, planned
from data.sources.cluster_stream import ClusterStream
from data.writing import tables_of

NAME = "evenkeel-cluster"


class ClusterSource(DataSource):
    """Options: `cluster`, a name of the configuration; `table`: OFFSETS, MEMBERS, TOPICS, REJECTED, or READINGS, which a stream gives; `groups`, names in lines (default all); `every`: seconds
    of a stream's time slot, from 1; `configuration`: path of the file, where a worker cannot know it."""

    @classmethod
    def name(cls) -> str:
        return NAME

    def schema(self) -> StructType:
        return schemas.spark_schema(self._schema)

    def reader(self, schema: StructType) -> DataSourceReader:
        return _Batch(self._table, self._schema, **self._wanted)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        return ClusterStream(int(self.options.get("every", 30)), **self._wanted)

    @property
    def _table(self) -> str:
        return self.options.get("table", "READINGS")

    @property
    def _schema(self) -> pa.Schema:
        known = schemas.TABLES | {"READINGS": schemas.READINGS}
        if self._table not in known:
            raise SnapshotError(f"option table is {self._table!r}, expected one of {', '.join(known)}")
        return known[self._table]

    @property
    def _wanted(self) -> dict[str, Any]:
        if self.options.get("configuration"):
            os.environ["EVENKEEL_CONFIG"] = self.options["configuration"]
        return {"cluster": self.options["cluster"], "groups": tuple((self.options.get("groups") or "").split("\n")) if self.options.get("groups") else ()}


class _Batch(DataSourceReader):
    def __init__(self, table: str, schema: pa.Schema, cluster: str, groups: tuple[str, ...]):
        self._table, self._schema, self._cluster, self._groups = table, schema, cluster, groups

    def partitions(self) -> list[InputPartition]:
        return [InputPartition(one) for one in planned(self._cluster, self._groups, datetime.now(UTC))]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        portion: Portion = partition.value
        if self._table == "READINGS":
            return iter(portion.readings().to_batches())
        return iter(tables_of(portion.parsed())[self._table].cast(self._schema).to_batches())
