"""Joins a later reading of a group to the open reading, and corrects the times of readings."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.data import clock
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.counts import Counts
from evenkeel.data.group.tables.schemas import TIME
from evenkeel.data.lake import manifest, store
from evenkeel.data.lake.import_folder import private_place
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.run import running
from evenkeel.data.lake.writing import write_part
from evenkeel.data.sources.source import distinct_name
from evenkeel.data.text.formats import listed

_MOST_NAMES = 5


class UploadGroup(NamedTuple):
    """A group of an upload.

    If the listing has no group name, the name of the file identifies the group.
    """

    batch: str
    group_id: str | None
    source_file: str | None = None

    @property
    def name(self) -> str:
        return self.group_id or self.source_file or "unnamed group"


class Times(NamedTuple):
    """The times of the open reading and of the later reading, if a person typed them.

    If None, the reading has the time in its listing, else the time of its upload.
    """

    earlier: datetime | None = None
    later: datetime | None = None


class Reading(NamedTuple):
    """An upload as a part of a history.

    `times`: new time of rows, by the rows' old time; the key None is for rows without a time.
    `name`: name of the group, if the listing does not name its group.
    """

    batch: str
    times: Mapping[datetime | None, datetime] = MappingProxyType({})
    name: str | None = None


class _Upload(NamedTuple):
    """One of two uploads that are joined.

    `times`: times at which the upload lists the group. `uploaded_at`: the time of the upload, if
    the listing has no time; else empty.
    """

    reading: Reading
    times: list[datetime]
    uploaded_at: list[datetime]


def with_later(lake: Place, group: UploadGroup, later: str, times: Times = Times()) -> UploadGroup:
    """Store the open upload and a later upload as one history; return the group in the history.

    Raises
    ------
    SnapshotError
        If the later upload does not contain the group, or is not later.
    """
    group_there = _name_of(lake, group, later)
    name = group.group_id or group_there or group.name
    before = _upload(lake, group.batch, group.group_id, times.earlier, name)
    after = _upload(lake, later, group_there, times.later, name)
    if min(after.times) <= max(before.times):
        raise SnapshotError(
            f"The later listing is of {_time_text(min(after.times))}, expected a time after"
            f" {_time_text(max(before.times))}, the time of the open reading. Correct the wrong"
            " time"
        )
    _require_common_partition(lake, (group.batch, group.group_id), (later, group_there), name)
    known = store.batch(lake, group.batch).uploaded_at
    batch = put_together(
        lake, [before.reading, after.reading], [*known, *before.uploaded_at, *after.uploaded_at]
    )
    return UploadGroup(batch, name)


def with_times(lake: Place, group: UploadGroup, times: Mapping[datetime, datetime]) -> UploadGroup:
    """Store an upload again with other times for its readings; return the group in the new upload.

    Raises
    ------
    SnapshotError
        If two readings would have the same time.
    """
    now = [time for time in store.times(lake, group.batch, group.group_id) if time]
    after = [times.get(time, time) for time in now]
    doubled = next((time for time in after if after.count(time) > 1), None)
    if doubled:
        raise SnapshotError(
            f"Two readings would have the time {_time_text(doubled)}, expected different times"
        )
    known = [
        time for time in store.batch(lake, group.batch).uploaded_at if times.get(time, time) == time
    ]
    return group._replace(batch=put_together(lake, [Reading(group.batch, times)], known))


def with_name(lake: Place, batch: str) -> str:
    """Give the upload's unnamed group the name of its file, and return the id of the new upload.

    A history needs a group name. The upload is returned unchanged if several groups or no groups
    are unnamed, or if the group has only one reading time.
    """
    files = (
        store.groups(lake, batch)
        .filter(pc.field("group_id").is_null())["unnamed_in"]
        .unique()
        .to_pylist()
    )
    if len(files) != 1 or len(set(store.times(lake, batch, None)) - {None}) < 2:
        return batch
    return put_together(lake, [Reading(batch, name=files[0])])


def odd_offsets(series: Series) -> list[str]:
    """Return possible reasons for offsets that fell between the last two readings."""
    if series.slot_count < 2:
        return []
    before, after = (
        {name: getattr(series, name)[row] for name in ("end_offset", "committed_offset")}
        for row in (-2, -1)
    )
    fell = {
        name: (before[name] != UNKNOWN) & (after[name] != UNKNOWN) & (after[name] < before[name])
        for name in before
    }
    known = (before["end_offset"] != UNKNOWN) & (after["end_offset"] != UNKNOWN)
    if known.any() and fell["end_offset"][known].all():
        return [
            "All end offsets are lower than in the previous reading: either the topics were created"
            " again, or the two times are swapped."
        ]
    rewound = fell["committed_offset"] & ~fell["end_offset"]
    words = (
        (
            fell["end_offset"],
            (
                "End offsets fell: the topic was created again, or records were lost. Rates start"
                " again for"
            ),
        ),
        (rewound, "Committed offsets fell: the group was reset (REWIND)"),
    )
    return [f"{sentence}: {_partitions(series, mask)}." for mask, sentence in words if mask.any()]


def _name_of(lake: Place, group: UploadGroup, later: str) -> str | None:
    """Return the group's name in the upload `later`, None if the group has no name there."""
    names = store.groups(lake, later)["group_id"].unique().to_pylist()
    if group.group_id in names:
        return group.group_id
    if names == [None] or (group.group_id is None and len(names) == 1):
        return names[0]
    shown = (
        listed([name or "a group without name" for name in names], _MOST_NAMES)
        if names
        else "no group with offsets"
    )
    raise SnapshotError(f"The later listing shows {shown}, expected {group.name}")


def _upload(
    lake: Place, batch: str, group_id: str | None, time: datetime | None, name: str
) -> _Upload:
    upload, times_there = store.batch(lake, batch), store.times(lake, batch, group_id)
    known_times = [time for time in times_there if time]
    if time is None and None not in times_there:
        return _Upload(Reading(batch, name=name), known_times, [])
    if time is not None and len(times_there) > 1:
        raise SnapshotError(
            f"The listing itself has {len(times_there)} times, expected only one if another time is"
            " given"
        )
    own = time or upload.taken_at or upload.ingested_at
    times = dict.fromkeys([None, *(known_times if time else ())], own)
    return _Upload(
        Reading(batch, times, name),
        [own, *([] if time else known_times)],
        [] if time or upload.taken_at else [own],
    )


def _require_common_partition(
    lake: Place, before: tuple[str, str | None], after: tuple[str, str | None], name: str
) -> None:
    pairs = [_listed(lake, *listings) for listings in (before, after)]
    without = next(
        (word for word, listing in zip(("open", "later"), pairs, strict=True) if not listing), None
    )
    if without:
        raise SnapshotError(
            f"The {without} listing of {name} has no offsets, expected the offsets that"
            " --describe prints"
        )
    if not pairs[0] & pairs[1]:
        first, second = (
            listed(sorted({topic for topic, _ in listing}), _MOST_NAMES) for listing in pairs
        )
        raise SnapshotError(
            f"The later listing of {name} has no partition of the open listing: {second}, expected"
            f" {first}"
        )


def _listed(lake: Place, batch: str, group_id: str | None) -> set[tuple[str, int]]:
    rows = store.table(lake, batch, "OFFSETS", group_id).select(["topic", "partition"])
    return set(zip(rows["topic"].to_pylist(), rows["partition"].to_pylist(), strict=True))


def _partitions(series: Series, mask: np.ndarray) -> str:
    tps: Sequence[int] = np.flatnonzero(mask).tolist()
    return listed(map(series.tp_name, tps), _MOST_NAMES)


def _time_text(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S} UTC"


# Readings of a group from several uploads become one upload. Each row gets the time of its reading.


_FILES = ("source_file", "unnamed_in")


def put_together(
    lake: Place, readings: Sequence[Reading], uploaded_at: Sequence[datetime] = ()
) -> str:
    """Store the rows of several uploads as one upload, and return its random id.

    `uploaded_at`: times of uploads, for rows without a time in their listing. If a topic is listed
    at one time only, its row is valid at all times.

    Raises
    ------
    SnapshotError
        If an upload no longer exists, or the lake cannot be written.
    """
    batch, uploads = (
        secrets.token_urlsafe(16),
        [store.batch(lake, reading.batch) for reading in readings],
    )
    files = _file_names(uploads)
    with private_place(lake, batch) as home, running(home, batch):
        tables = {}
        for name in schemas.STORED:
            rows = pa.concat_tables(
                _rows(lake, name, *reading_and_names)
                for reading_and_names in zip(readings, files, strict=True)
            )
            rows = _lasting(rows) if name == "TOPICS" else rows
            tables[name] = (write_part(name, rows, home, batch),) if rows.num_rows else ()
        manifest.publish(home, _manifest(batch, uploads, files, tables, uploaded_at))
    return batch


def _file_names(uploads: Sequence[Manifest]) -> list[dict[str, str]]:
    """Return a unique name for each file of each upload."""
    taken: list[str] = []
    result = []
    for upload in uploads:
        result.append({source.name: distinct_name(source.name, taken) for source in upload.sources})
        taken += result[-1].values()
    return result


def _manifest(
    batch: str,
    uploads: Sequence[Manifest],
    files: Sequence[Mapping[str, str]],
    tables: dict,
    uploaded_at: Sequence[datetime],
) -> Manifest:
    sources: list[SourceFile] = []
    for upload, names in zip(uploads, files, strict=True):
        sources += [
            msgspec.structs.replace(source, name=names[source.name]) for source in upload.sources
        ]
    return Manifest(
        batch=batch,
        ingested_at=clock.now(),
        formats=tuple(dict.fromkeys(name for upload in uploads for name in upload.formats)),
        sources=tuple(sources),
        counts=sum((source.counts for source in sources), Counts()),
        tables=tables,
        uploaded_at=tuple(sorted(uploaded_at)),
    )


def _rows(lake: Place, name: str, reading: Reading, files: Mapping[str, str]) -> pa.Table:
    rows = store.table(lake, reading.batch, name)
    if reading.name is not None and "group_id" in rows.column_names:
        rows = _set(rows, "group_id", pc.fill_null(rows["group_id"], reading.name))
        rows = (
            _set(rows, "unnamed_in", pa.nulls(rows.num_rows, "string"))
            if "unnamed_in" in rows.column_names
            else rows
        )
    for column in set(_FILES) & set(rows.column_names):
        rows = _set(
            rows,
            column,
            pa.array([file and files[file] for file in rows[column].to_pylist()], "string"),
        )
    if "taken_at" in rows.column_names:
        corrected = pa.array(
            [reading.times.get(time, time) for time in rows["taken_at"].to_pylist()], TIME
        )
        rows = _set(rows, "taken_at", corrected)
    return rows


def _lasting(topics: pa.Table) -> pa.Table:
    """Remove the time of topics that are listed at only one time.

    A topic without a time is valid at all times.
    """
    times = (
        topics.select(["topic", "taken_at"])
        .group_by("topic")
        .aggregate([("taken_at", "count_distinct")])
    )
    once = times.filter(pc.less_equal(times["taken_at_count_distinct"], 1))["topic"]
    is_once = pc.is_in(topics["topic"], value_set=once.combine_chunks())
    return _set(topics, "taken_at", pc.if_else(is_once, pa.scalar(None, TIME), topics["taken_at"]))


def _set(rows: pa.Table, column: str, values: pa.Array | pa.ChunkedArray) -> pa.Table:
    return rows.set_column(rows.schema.get_field_index(column), rows.schema.field(column), values)
