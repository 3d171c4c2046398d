"""One group of the tables TASKS and CONSUMERS becomes a streams document."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from evenkeel.data.columns.applications.printouts import Rows, from_printouts
from evenkeel.data.columns.group_rows import GroupKey, at_instant, instant_of, of_group
from evenkeel.data.document import STREAMS_FORMAT, Application
from evenkeel.data.document.application import Process, StreamsConsumer, Task
from evenkeel.data.tables.arrow import as_datetime, first, names

if TYPE_CHECKING:
    import pyarrow as pa

_RATES = ("restore_rates", "end_offset_rates")


class ApplicationTables(NamedTuple):
    """TASKS, CONSUMERS, MEMBERS and OFFSETS of `data/tables/schemas.py`."""

    tasks: "pa.Table"
    consumers: "pa.Table"
    members: "pa.Table"
    offsets: "pa.Table"


def application_keys(consumers: "pa.Table") -> list[GroupKey]:
    """Return the groups of CONSUMERS in the order of their first rows: those that are Kafka Streams applications."""
    # One thread: with several, pyarrow returns groups in no fixed order.
    distinct = consumers.select(["group_id", "source_file"]).group_by(["group_id", "source_file"], use_threads=False).aggregate([])
    keys = (GroupKey(row["group_id"], None if row["group_id"] is not None else row["source_file"]) for row in distinct.to_pylist())
    return list(dict.fromkeys(keys))


def application_from_tables(
    tables: ApplicationTables, group_id: str | None, source_file: str | None = None, at: datetime | None = None
) -> Application | None:
    """Return one group as a streams document, at its latest instant or at the instant `at`; None where it is no application.

    A streams document comes back as it was. Of printouts, `assumed` names what they do not say and the document needs.
    """
    key = GroupKey(group_id, source_file)
    tables = ApplicationTables(*(of_group(table, key) for table in tables))
    instant = instant_of([tables.consumers, tables.members, tables.offsets], at)
    tables = ApplicationTables(*(at_instant(table, instant) for table in tables))
    if not tables.consumers.num_rows:
        return None
    is_consumer = names(tables.consumers["member_id"]).code >= 0
    rows = _merged(_in_order(tables.consumers.filter(is_consumer), "member_order"))
    document = _document(tables, rows, group_id, None if instant is None else as_datetime(instant))
    is_written = set(tables.consumers["source_format"].unique().to_pylist()) == {STREAMS_FORMAT}
    return document if is_written else from_printouts(document, tables.members, tables.offsets, rows)


def _document(tables: ApplicationTables, rows: Rows, group_id: str | None, taken_at: datetime | None) -> Application:
    """Return what the rows say; `rows`: those of the consumers."""
    consumers = tables.consumers
    settings = first([consumers], "settings")
    return Application(
        format=STREAMS_FORMAT,
        application_id=group_id,
        taken_at=taken_at,
        type=first([consumers], "group_type"),
        assumed=first([consumers], "assumed"),
        settings=None if settings is None else msgspec.json.decode(settings),
        tasks=[_task(row) for row in _in_order(tables.tasks, "task_order")],
        processes=_processes(rows),
        **{column: _by_name(first([consumers], column), "name", "rate") for column in _RATES},
    )


def _in_order(table: "pa.Table", order: str) -> list[dict[str, Any]]:
    """Return rows by their place in a document, those of printouts behind them in the order of the table."""
    return sorted(table.to_pylist(), key=lambda row: np.inf if row[order] is None else row[order])


def _merged(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one row for each consumer; of several rows the first with a value counts."""
    merged: dict[str, dict[str, Any]] = {}
    for row in rows:
        found = merged.setdefault(row["member_id"], {})
        found.update((key, value) for key, value in row.items() if found.get(key) is None)
    return list(merged.values())


def _task(row: Mapping[str, Any]) -> Task:
    columns = ("task_id", "stateful", "end_offset_sum", "source_racks", "changelog_racks")
    held = row["input_partitions"]
    return Task(
        **{column: row[column] for column in columns},
        input_partitions=None if held is None else {one["topic"]: one["partitions"] for one in held},
    )


def _processes(rows: Rows) -> list[Process]:
    by_process: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_process.setdefault(row["process_id"], []).append(row)
    return [_process(consumers) for consumers in by_process.values()]


def _process(rows: Rows) -> Process:
    about = {key: next((row[key] for row in rows if row[key] is not None), None) for key in ("client_id", "host", "rack", "client_tags")}
    tags = _by_name(about.pop("client_tags"), "key", "value")
    return Process(process_id=rows[0]["process_id"], consumers=[_consumer(row) for row in rows], client_tags=tags, **about)


def _consumer(row: Mapping[str, Any]) -> StreamsConsumer:
    sums = _by_name(row["task_offset_sums"], "task_id", "offset_sum")
    return StreamsConsumer(
        member_id=row["member_id"], order=row["list_order"], owned=row["owned"], standby=row["standby"], task_offset_sums=sums
    )


def _by_name(pairs: Iterable[Mapping[str, Any]] | None, key: str, value: str) -> dict[str, Any] | None:
    return None if pairs is None else {pair[key]: pair[value] for pair in pairs}
