"""Verdicts of all groups of a cluster: tables GROUP_VERDICT and MEMBER_VERDICT, whole groups in each task of Spark."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

import pyarrow as pa
from pyspark.sql import SparkSession

from evenkeel.data.lake.history.change_store import store_history
from evenkeel.data.lake.history.instants import Instants, groups_of, led_instants
from evenkeel.data.lake.history.recent import group_verdicts
from evenkeel.data.lake.history.verdict_ages import with_older_since
from evenkeel.data.lake.place import Place
from evenkeel.data.pipeline.ingest.on_spark import freeze_imports, numbers
from evenkeel.data.pipeline.spark.faults import named_errors
from evenkeel.data.tables import schemas
from evenkeel.data.tables.verdicts import VerdictTables

GROUPS_A_TASK = 200

_CELLS = 1_600_000
"""Partitions times slots that a task looks at together: fewer groups would be read from parts of a day's files that have others too."""

_TABLES = ("GROUP_VERDICT", "MEMBER_VERDICT")


class Span(NamedTuple):
    """Between which moments; None: the last 24 hours, until now."""

    since: datetime | None = None
    until: datetime | None = None


def write_verdicts(spark: SparkSession, lake: Place, cluster: str | None, span: Span = Span()) -> VerdictTables:
    """Look at all groups of a cluster, or of files, store both tables in the lake and return them.

    Raises
    ------
    SnapshotError
        When Spark fails, or the lake.
    """
    found = led_instants(lake, cluster, *span)
    names = groups_of(lake, found)
    some = [names[start : start + GROUPS_A_TASK] for start in range(0, len(names), GROUPS_A_TASK)]

    def made(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        freeze_imports()
        for number in numbers(batches):
            tables = _verdicts(lake, found, cluster, some[number], span)
            yield pa.RecordBatch.from_pydict({"name": _TABLES, "rows": [_packed(table) for table in tables]})

    with named_errors([f"cluster {cluster}"], lake):
        rows = spark.range(0, len(some), 1, max(len(some), 1)).mapInArrow(made, "name string, rows binary").collect()
    whole = VerdictTables(*(_joined(name, [bytes(row.rows) for row in rows if row.name == name]) for name in _TABLES))
    whole = whole._replace(groups=with_older_since(lake, cluster, whole.groups, found))
    for name, table in zip(_TABLES, whole, strict=True):
        store_history(lake, name, table, cluster)
    return whole


def _verdicts(lake: Place, found: Instants, cluster: str | None, groups: Sequence[str], span: Span) -> VerdictTables:
    if cluster is not None:
        return group_verdicts(lake, found, cluster, groups, _CELLS)
    # Files show each group at times of its own.
    alone = [group_verdicts(lake, led_instants(lake, None, *span, group), None, [group]) for group in groups]
    return VerdictTables(*(pa.concat_tables(tables) for tables in zip(*alone, strict=True)))


def _packed(table: pa.Table) -> bytes:
    with pa.BufferOutputStream() as sink:
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
        return sink.getvalue().to_pybytes()


def _joined(name: str, parts: list[bytes]) -> pa.Table:
    tables = [pa.ipc.open_stream(part).read_all() for part in parts]
    return pa.concat_tables([schemas.HISTORY[name].empty_table(), *tables]).sort_by("group_id")
