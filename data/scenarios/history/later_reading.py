"""Readings of one group from several uploads become one upload: all rows, each with the time of its reading."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data import clock
from evenkeel.data.lake import manifest, store
from evenkeel.data.lake.import_folder import private_place
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.run import running
from evenkeel.data.lake.writing import write_part
from evenkeel.data.sources.reading import distinct_name
from evenkeel.data.tables import schemas
from evenkeel.data.tables.counts import Counts
from evenkeel.data.tables.schemas import TIME

_FILES = ("source_file", "unnamed_in")


class Reading(NamedTuple):
    """An upload, and what becomes of the times in its rows: from the time that they carry, None for none, to another.

    `name`: of its group where its listing names none.
    """

    batch: str
    times: Mapping[datetime | None, datetime] = MappingProxyType({})
    name: str | None = None


def put_together(lake: Place, readings: Sequence[Reading], uploaded_at: Sequence[datetime] = ()) -> str:
    """Store the rows of several uploads as one and return its random id. `uploaded_at`: those of the times that are of an upload alone.

    A listing of topics holds at every time where no other lists the same topic.

    Raises
    ------
    SnapshotError
        When an upload is gone, or the lake cannot be written.
    """
    batch, found = secrets.token_urlsafe(16), [store.batch(lake, one.batch) for one in readings]
    files = _file_names(found)
    with private_place(lake, batch) as home, running(home, batch):
        tables = {}
        for name in schemas.STORED:
            rows = pa.concat_tables(_rows(lake, name, *one) for one in zip(readings, files, strict=True))
            rows = _lasting(rows) if name == "TOPICS" else rows
            tables[name] = (write_part(name, rows, home, batch),) if rows.num_rows else ()
        manifest.publish(home, _manifest(batch, found, files, tables, uploaded_at))
    return batch


def _file_names(found: Sequence[Manifest]) -> list[dict[str, str]]:
    """Return a name of its own for each file of each upload."""
    taken: list[str] = []
    result = []
    for one in found:
        result.append({source.name: distinct_name(source.name, taken) for source in one.sources})
        taken += result[-1].values()
    return result


def _manifest(
    batch: str, found: Sequence[Manifest], files: Sequence[Mapping[str, str]], tables: dict, uploaded_at: Sequence[datetime]
) -> Manifest:
    sources: list[SourceFile] = []
    for one, names in zip(found, files, strict=True):
        sources += [msgspec.structs.replace(source, name=names[source.name]) for source in one.sources]
    return Manifest(
        batch=batch,
        ingested_at=clock.now(),
        formats=tuple(dict.fromkeys(name for one in found for name in one.formats)),
        sources=tuple(sources),
        counts=sum((source.counts for source in sources), Counts()),
        tables=tables,
        uploaded_at=tuple(sorted(uploaded_at)),
    )


def _rows(lake: Place, name: str, reading: Reading, files: Mapping[str, str]) -> pa.Table:
    rows = store.table(lake, reading.batch, name)
    if reading.name is not None and "group_id" in rows.column_names:
        rows = _set(rows, "group_id", pc.fill_null(rows["group_id"], reading.name))
        rows = _set(rows, "unnamed_in", pa.nulls(rows.num_rows, pa.string())) if "unnamed_in" in rows.column_names else rows
    for column in set(_FILES) & set(rows.column_names):
        rows = _set(rows, column, pa.array([file and files[file] for file in rows[column].to_pylist()], pa.string()))
    if "taken_at" in rows.column_names:
        told = pa.array([reading.times.get(time, time) for time in rows["taken_at"].to_pylist()], TIME)
        rows = _set(rows, "taken_at", told)
    return rows


def _lasting(topics: pa.Table) -> pa.Table:
    """Take the time from topics that are listed at one time alone."""
    times = topics.select(["topic", "taken_at"]).group_by("topic").aggregate([("taken_at", "count_distinct")])
    once = times.filter(pc.less_equal(times["taken_at_count_distinct"], 1))["topic"]
    is_once = pc.is_in(topics["topic"], value_set=once.combine_chunks())
    return _set(topics, "taken_at", pc.if_else(is_once, pa.scalar(None, TIME), topics["taken_at"]))


def _set(rows: pa.Table, column: str, values: pa.Array | pa.ChunkedArray) -> pa.Table:
    return rows.set_column(rows.schema.get_field_index(column), rows.schema.field(column), values)
