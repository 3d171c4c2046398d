"""Histories of many groups on Spark: REPLAY, and the verdicts of all groups of a cluster. A group
is never divided among tasks.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.tables import history_schemas
from evenkeel.data.group.tables.verdicts import VerdictTables
from evenkeel.data.lake.history.change_store import store_history
from evenkeel.data.lake.history.history import History, history_in
from evenkeel.data.lake.history.instants import (
    Instants,
    groups_of,
    last_instants,
    led_instants,
    no_group,
)
from evenkeel.data.lake.history.recent import group_verdicts
from evenkeel.data.lake.history.verdict_ages import with_older_since
from evenkeel.data.lake.place import Place
from evenkeel.data.pipeline.faults import named_errors
from evenkeel.data.pipeline.ingest.on_spark import freeze_imports, numbers
from evenkeel.data.scenarios.stored_groups import group_at
from evenkeel.data.timeline.replayed_history import replayed

_TASKS_A_CORE = 16
"""Most tasks for each core. With fewer, larger tasks, slow groups would leave cores idle at the
end.
"""


class Range(NamedTuple):
    """A range of snapshots of a cluster. Without `since`: the last 24 hours."""

    cluster: str | None
    since: datetime | None = None
    until: datetime | None = None


class GroupReplay(NamedTuple):
    """The stored REPLAY of a group: its file, and how many snapshots and owners were computed.
    `problem`: reason why the group could not be replayed, else None.
    """

    group_id: str
    file: str | None
    snapshots: int
    cells: int
    problem: str | None


def replay_groups(
    spark: SparkSession,
    lake: Place,
    groups: Sequence[str],
    over: Range,
    assignors: Sequence[str] = (),
) -> list[GroupReplay]:
    """Replay each group and store its REPLAY. Return the results in the order of the groups.

    Raises
    ------
    SnapshotError
        If Spark fails.
    """
    names, job = list(groups), uuid4().hex

    def made(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        freeze_imports()
        for number in numbers(batches):
            replayed = _replayed_group(job, lake, names[number], over, assignors)
            yield pa.RecordBatch.from_pylist(
                [replayed._asdict() | {"number": number}], schema=_ANSWER
            )

    tasks = min(len(names), _TASKS_A_CORE * spark.sparkContext.defaultParallelism)
    frame = spark.range(0, len(names), 1, tasks).mapInArrow(made, _COLUMNS)
    with named_errors([f"history of {name}" for name in names[:1]], lake):
        rows = frame.toArrow().sort_by("number").drop_columns("number").to_pylist()
    return [GroupReplay(**row) for row in rows]


_ANSWER = pa.schema(
    [
        ("number", "int64"),
        ("group_id", "string"),
        ("file", "string"),
        ("snapshots", "int64"),
        ("cells", "int64"),
        ("problem", "string"),
    ]
)
_COLUMNS = "number long, group_id string, file string, snapshots long, cells long, problem string"


@lru_cache(maxsize=1)
def _instants(job: str, lake: Place, over: Range) -> Instants:
    """Return the snapshots of a cluster. A worker reads them only once for each `job`, because
    reading thousands of slots takes longer than replaying a small group.
    """
    return last_instants(lake, *over)


def _history(job: str, lake: Place, group_id: str, over: Range) -> History:
    # In ingested files, each group has its own times.
    snapshots = (
        last_instants(lake, *over, group_id) if over.cluster is None else _instants(job, lake, over)
    )
    history = history_in(lake, group_id, snapshots, over.cluster)
    if not history.series.is_there.any():
        raise no_group(
            lake, group_id, last_instants(lake, *over) if over.cluster is None else snapshots
        )
    return history


def _replayed_group(
    job: str, lake: Place, group_id: str, over: Range, assignors: Sequence[str]
) -> GroupReplay:
    try:
        history = _history(job, lake, group_id, over)
        table = replayed(lake, history, assignors, _members_of_now(lake, history))
        if not table.num_rows:
            return GroupReplay(
                group_id, None, 0, 0, f"no snapshot names the members of {group_id!r} in this range"
            )
        cells = pc.sum(
            pc.multiply(pc.list_value_length(table["assignor"]), table["partition_count"])
        ).as_py()
        return GroupReplay(
            group_id,
            store_history(lake, "REPLAY", table, over.cluster, group_id),
            table.num_rows,
            cells,
            None,
        )
    except SnapshotError as error:
        return GroupReplay(group_id, None, 0, 0, str(error))


def _members_of_now(lake: Place, history: History) -> ObservedGroup | None:
    """Return the group at the last slot that shows owners. None if all slots show owners, or none
    does.
    """
    series = history.series
    known = np.flatnonzero(series.shows_owners)
    if series.has_owners is None or not known.size:
        return None
    return group_at(lake, history.batch[known[-1]], history.group_id)


# Verdicts of all groups of a cluster: tables GROUP_VERDICT and MEMBER_VERDICT. A group is never
# divided among Spark tasks.


GROUPS_A_TASK = 200

_CELLS = 1_600_000
"""Partitions times slots that a task judges together. With fewer groups, the same row groups of a
day's files would be read several times.
"""

_TABLES = ("GROUP_VERDICT", "MEMBER_VERDICT")


class Span(NamedTuple):
    """A span of time. Without `since`: the last 24 hours. Without `until`: until now."""

    since: datetime | None = None
    until: datetime | None = None


def write_verdicts(
    spark: SparkSession, lake: Place, cluster: str | None, span: Span = Span()
) -> VerdictTables:
    """Compute the verdicts of all groups of a cluster or of ingested files. Store GROUP_VERDICT and
    MEMBER_VERDICT in the lake and return them.

    Raises
    ------
    SnapshotError
        If Spark or the lake fails.
    """
    snapshots = led_instants(lake, cluster, *span)
    names = groups_of(lake, snapshots)
    some = [names[start : start + GROUPS_A_TASK] for start in range(0, len(names), GROUPS_A_TASK)]

    def made(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        freeze_imports()
        for number in numbers(batches):
            tables = _verdicts(lake, snapshots, cluster, some[number], span)
            yield pa.RecordBatch.from_pydict(
                {"name": _TABLES, "rows": [_packed(table) for table in tables]}
            )

    with named_errors([f"cluster {cluster}"], lake):
        rows = (
            spark.range(0, len(some), 1, max(len(some), 1))
            .mapInArrow(made, "name string, rows binary")
            .collect()
        )
    whole = VerdictTables(
        *(_joined(name, [bytes(row.rows) for row in rows if row.name == name]) for name in _TABLES)
    )
    whole = whole._replace(groups=with_older_since(lake, cluster, whole.groups, snapshots))
    for name, table in zip(_TABLES, whole, strict=True):
        store_history(lake, name, table, cluster)
    return whole


def _verdicts(
    lake: Place, snapshots: Instants, cluster: str | None, groups: Sequence[str], span: Span
) -> VerdictTables:
    if cluster is not None:
        return group_verdicts(lake, snapshots, cluster, groups, _CELLS)
    # In ingested files, each group has its own times.
    alone = [
        group_verdicts(lake, led_instants(lake, None, *span, group), None, [group])
        for group in groups
    ]
    return VerdictTables(*(pa.concat_tables(tables) for tables in zip(*alone, strict=True)))


def _packed(table: pa.Table) -> bytes:
    with pa.BufferOutputStream() as sink:
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
        return sink.getvalue().to_pybytes()


def _joined(name: str, parts: list[bytes]) -> pa.Table:
    tables = [pa.ipc.open_stream(part).read_all() for part in parts]
    return pa.concat_tables([history_schemas.HISTORY[name].empty_table(), *tables]).sort_by(
        "group_id"
    )
