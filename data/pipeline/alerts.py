"""Back-test of alert rules on Spark. A group is never divided among tasks."""

from collections.abc import Iterator, Sequence

import msgspec
import pyarrow as pa
from pyspark.sql import SparkSession

from evenkeel.data.alerts.backtest import BackTest, by_rules
from evenkeel.data.configuration.alert_rules import AlertRule
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes.stored import StoredSnapshots
from evenkeel.data.pipeline.faults import named_errors
from evenkeel.data.pipeline.ingest.on_spark import freeze_imports, numbers

_MOST_GROUPS = 20
_CELLS = 4_000_000
"""Most partitions times slots in a task. The task reads all its groups together, so it reads a
day's file once. The task needs a gigabyte of memory.
"""


def back_tests_on_spark(
    spark: SparkSession,
    stored: StoredSnapshots,
    groups: Sequence[str],
    rules: Sequence[AlertRule],
    settings: FindingSettings,
    limit: int | None,
) -> list[BackTest]:
    """Return the messages that each rule would have sent for each group.

    Raises
    ------
    SnapshotError
        If Spark or the lake fails.
    """
    some = _tasks(stored, groups)

    def answers(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        freeze_imports()
        for number in numbers(batches):
            every = [
                answer
                for group, evidence in stored.evidence_of(some[number], _CELLS)
                for answer in by_rules(rules, group, evidence, settings, stored.cluster, limit)
            ]
            yield pa.RecordBatch.from_pydict({"answer": [msgspec.json.encode(every)]})

    with named_errors([f"cluster {stored.cluster}"], stored.lake):
        rows = (
            spark.range(0, len(some), 1, max(len(some), 1))
            .mapInArrow(answers, "answer binary")
            .collect()
        )
    return [
        answer for row in rows for answer in msgspec.json.decode(row.answer, type=list[BackTest])
    ]


def _tasks(stored: StoredSnapshots, groups: Sequence[str]) -> list[list[str]]:
    """Divide the groups among tasks, in the order of `groups`. The groups of a task have at most
    `_CELLS` cells: partitions of the last slot, times slots. A group with more cells is alone in
    its task.
    """
    tasks: list[list[str]] = []
    partition_count, room = stored.partition_count(), 0
    for group in groups:
        cells = stored.slot_count * (1 + (partition_count.get(group) or 0))
        if cells > room or len(tasks[-1]) == _MOST_GROUPS:
            tasks.append([])
            room = _CELLS
        tasks[-1].append(group)
        room -= cells
    return tasks
