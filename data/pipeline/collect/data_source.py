"""A live cluster as a Spark data source, batch and streaming.

`spark.readStream.format("evenkeel-cluster").option("cluster", "production").option("every", "30")`
"""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.types import StructType

from evenkeel.data import clock
from evenkeel.data.errors import SnapshotError
from evenkeel.data.pipeline.collect.groups_to_read import GroupsToRead, planned
from evenkeel.data.pipeline.collect.stream import ClusterStream
from evenkeel.data.pipeline.spark.schema import spark_schema
from evenkeel.data.tables import schemas
from evenkeel.data.tables.parsed import tables_of

NAME = "evenkeel-cluster"


class ClusterSource(DataSource):
    """The source and its options.

    `cluster`: a name of the configuration. `table`: OFFSETS, MEMBERS, TOPICS, REJECTED, or READINGS, which a stream gives. `groups`: names,
    one a line (default all). `every`: seconds of a stream's time slot, from 1. `configuration`: path of the file, for workers that cannot
    know it.
    """

    @classmethod
    def name(cls) -> str:
        return NAME

    def schema(self) -> StructType:
        return spark_schema(self._schema)

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
        groups = self.options.get("groups")
        return {
            "cluster": self.options["cluster"],
            "groups": tuple(groups.split("\n")) if groups else (),
            "configuration": self.options.get("configuration"),
        }


class _Batch(DataSourceReader):
    def __init__(self, table: str, schema: pa.Schema, cluster: str, groups: tuple[str, ...], configuration: str | None):
        self._table, self._schema, self._cluster, self._groups, self._configuration = table, schema, cluster, groups, configuration

    def partitions(self) -> list[InputPartition]:
        return [InputPartition(one) for one in planned(self._cluster, self._groups, clock.now(), configuration=self._configuration)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        groups: GroupsToRead = partition.value
        if self._table == "READINGS":
            return iter(groups.readings().to_batches())
        return iter(tables_of(groups.parsed())[self._table].cast(self._schema).to_batches())
