"""Replay of many groups' histories: REPLAY in the lake, a file for each group, written by the tasks of Spark."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.history.change_store import store_history
from evenkeel.data.lake.history.history import History, history_in
from evenkeel.data.lake.history.instants import Instants, last_instants, no_group
from evenkeel.data.lake.place import Place
from evenkeel.data.pipeline.ingest.on_spark import freeze_imports, numbers
from evenkeel.data.pipeline.spark.faults import named_errors
from evenkeel.data.scenarios.history.replayed_history import replayed

_TASKS_A_CORE = 16
"""So many at most: groups that take long would else leave cores idle at the end."""


class Range(NamedTuple):
    """Which snapshots of which cluster; without `since` those of the last 24 hours that there are."""

    cluster: str | None
    since: datetime | None = None
    until: datetime | None = None


class Replayed(NamedTuple):
    """One group: its file in the lake, how many snapshots and owner cells it has, or why it could not be replayed."""

    group_id: str
    file: str | None
    snapshots: int
    cells: int
    problem: str | None


def replay_groups(spark: SparkSession, lake: Place, groups: Sequence[str], over: Range, assignors: Sequence[str] = ()) -> list[Replayed]:
    """Replay each group and store its REPLAY; return what was stored, in the order of the groups.

    Raises
    ------
    SnapshotError
        When Spark fails.
    """
    names, job = list(groups), uuid4().hex

    def made(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        freeze_imports()
        for number in numbers(batches):
            one = _replayed_group(job, lake, names[number], over, assignors)
            yield pa.RecordBatch.from_pylist([one._asdict() | {"number": number}], schema=_ANSWER)

    tasks = min(len(names), _TASKS_A_CORE * spark.sparkContext.defaultParallelism)
    frame = spark.range(0, len(names), 1, tasks).mapInArrow(made, _COLUMNS)
    with named_errors([f"history of {name}" for name in names[:1]], lake):
        rows = frame.toArrow().sort_by("number").drop_columns("number").to_pylist()
    return [Replayed(**row) for row in rows]


_ANSWER = pa.schema(
    [
        ("number", pa.int64()),
        ("group_id", pa.string()),
        ("file", pa.string()),
        ("snapshots", pa.int64()),
        ("cells", pa.int64()),
        ("problem", pa.string()),
    ]
)
_COLUMNS = "number long, group_id string, file string, snapshots long, cells long, problem string"


@lru_cache(maxsize=1)
def _instants(job: str, lake: Place, over: Range) -> Instants:
    """Return the snapshots of a cluster, read once in each worker of a job: thousands of slots take longer than a small group."""
    return last_instants(lake, *over)


def _history(job: str, lake: Place, group_id: str, over: Range) -> History:
    # Of files each group has times of its own.
    found = last_instants(lake, *over, group_id) if over.cluster is None else _instants(job, lake, over)
    history = history_in(lake, group_id, found, over.cluster)
    if not history.series.is_there.any():
        raise no_group(lake, group_id, last_instants(lake, *over) if over.cluster is None else found)
    return history


def _replayed_group(job: str, lake: Place, group_id: str, over: Range, assignors: Sequence[str]) -> Replayed:
    try:
        table = replayed(lake, _history(job, lake, group_id, over), assignors)
        if not table.num_rows:
            return Replayed(group_id, None, 0, 0, f"no snapshot names the members of {group_id!r} in this range")
        cells = pc.sum(pc.multiply(pc.list_value_length(table["assignor"]), table["partition_count"])).as_py()
        return Replayed(group_id, store_history(lake, "REPLAY", table, over.cluster, group_id), table.num_rows, cells, None)
    except SnapshotError as error:
        return Replayed(group_id, None, 0, 0, str(error))
