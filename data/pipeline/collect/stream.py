"""A live cluster as a stream of READINGS, one micro-batch for each time slot."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition

from evenkeel.data import clock
from evenkeel.data.pipeline.collect.groups_to_read import GroupsToRead, planned
from evenkeel.data.pipeline.collect.slots import Slots


class ClusterStream(DataSourceStreamReader):
    """An offset is the time slot up to which everything is planned. A micro-batch reads the newest slot; slots that it skips are a gap."""

    def __init__(self, every: int, cluster: str, groups: tuple[str, ...], configuration: str | None):
        self._slots, self._cluster, self._groups, self._configuration = Slots(every, int(clock.seconds())), cluster, groups, configuration

    def initialOffset(self) -> dict[str, int]:
        return {"slot": self._slots.at(clock.seconds()) - self._slots.every}

    def latestOffset(self) -> dict[str, int]:
        return {"slot": self._slots.at(clock.seconds())}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[InputPartition]:
        now = clock.seconds()
        gaps = [GroupsToRead(self._cluster, end["slot"], gap=gap) for gap in self._slots.gaps(start["slot"], end["slot"], now)]
        if self._slots.is_over(end["slot"], now):
            return [InputPartition(one) for one in gaps]
        planned_now = planned(self._cluster, self._groups, datetime.fromtimestamp(now, UTC), end["slot"], self._configuration)
        return [InputPartition(one) for one in (*gaps, *planned_now)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return iter(partition.value.readings().to_batches())
