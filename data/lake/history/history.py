"""The history of a group: the only module that reads a group at many instants."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from evenkeel.assignors.group.series import Identity, Series, by_lineage
from evenkeel.data.group.tables.arrow import names
from evenkeel.data.group.tables.series import (
    IDENTITY_COLUMNS,
    MEMBER_COLUMNS,
    OFFSET_COLUMNS,
    MissedSlots,
    identities_of,
    series_of,
)
from evenkeel.data.lake.history.instants import Instants, moment_of
from evenkeel.data.lake.manifest import Manifest, named_damage
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import (
    COLUMN,
    SCHEMAS,
    coded_names,
    coded_schema,
    files_of,
)
from evenkeel.data.threads import in_threads


class History(NamedTuple):
    """A group at many instants: its series, the batch and the manifest of each instant, and the
    gaps.

    `batch`: batch of each instant; for ingested files, also the time (`moment_of`). `lead`: number
    of instants at the start of the series that are before the range. `identity`: client id, host
    and other details of each member in the series.
    """

    group_id: str
    cluster: str | None
    series: Series
    batch: tuple[str, ...]
    manifest: tuple[Manifest, ...]
    missed: tuple[MissedSlots, ...]
    lead: int = 0
    identity: tuple[Identity, ...] = ()

    @property
    def by_lineage(self) -> "History":
        """The history with each consumer as one member, although a consumer gets a new member id
        after a restart. The id is then the latest one.
        """
        return (
            self._replace(series=by_lineage(self.series, self.identity, self.lead), identity=())
            if self.identity
            else self
        )

    @property
    def within(self) -> "History":
        """The history without the slots before the range."""
        rest = slice(self.lead, None)
        return self._replace(
            series=self.series.at(rest),
            batch=self.batch[rest],
            manifest=self.manifest[rest],
            lead=0,
        )


def history_in(
    lake: Place, group_id: str, snapshots: Instants, cluster: str | None = None
) -> History:
    """Read the history of a group from the batches of `snapshots`."""
    offsets = group_rows(
        lake, "OFFSETS", snapshots.batches, [group_id], (*OFFSET_COLUMNS, *IDENTITY_COLUMNS)
    )
    members = group_rows(
        lake, "MEMBERS", snapshots.batches, [group_id], (*MEMBER_COLUMNS, *IDENTITY_COLUMNS)
    )
    series = series_of(offsets, members, snapshots.axis)
    identity = identities_of(series, offsets, members)
    return History(
        group_id,
        cluster,
        series,
        snapshots.axis.batch,
        snapshots.batches,
        snapshots.axis.missed,
        snapshots.lead,
        identity,
    )


# Rows of some groups in many batches. Only the requested columns are read.


_DAYS_AT_ONCE = 2
_TIME = "taken_at"
_ROWS_OF_A_SLICE = 500


def group_rows(
    lake: Place,
    name: str,
    batches: Sequence[Manifest],
    groups: Sequence[str],
    columns: Sequence[str],
) -> pa.Table:
    """Return the rows of `groups` in the table `name`, for example OFFSETS, with the column
    `batch`. If `groups` is empty: rows of all groups. Text columns are dictionary-encoded.

    In rows of ingested files, `batch` is the name of a moment: the batch and the time of the row.
    While the slots of an hour are being joined, a row may be returned twice.

    Raises
    ------
    SnapshotError
        If a file cannot be read. The message names the file.
    """
    schema = coded_schema(pa.schema(map(SCHEMAS[name].field, (*columns, COLUMN))))
    files = _files(name, batches, groups)
    parts = [
        # Few days at once: a file's index may have a hundred megabytes, and is in memory while the
        # rows are read.
        *in_threads(
            partial(_rows_of_day, lake, groups, schema), files.joint.items(), _DAYS_AT_ONCE
        ),
        *in_threads(partial(_rows_of_file, lake, groups, schema), files.own.items()),
    ]
    return pa.concat_tables([schema.empty_table(), *parts]).unify_dictionaries()


class _Files(NamedTuple):
    """Files that may contain rows of the groups. `own`: files with rows of one batch, and this
    batch. `joint`: files with rows of several batches, and the requested batches among them.
    """

    own: dict[str, Manifest]
    joint: dict[str, list[str]]


def _files(name: str, batches: Sequence[Manifest], groups: Sequence[str]) -> _Files:
    layout, known = _Files({}, defaultdict(list)), {}
    for manifest in batches:
        # Thousands of slots of a day share one dictionary of files. The manifests keep the
        # dictionary alive, so its id is unique.
        if id(manifest.tables) not in known:
            known[id(manifest.tables)] = files_of(manifest, name, groups)
        for file in known[id(manifest.tables)]:
            if file in layout.joint or not is_own(file, manifest):
                layout.joint[file].append(manifest.batch)
            else:
                layout.own[file] = manifest
    return layout


def _rows_of_day(
    lake: Place,
    groups: Sequence[str],
    schema: pa.Schema,
    file_and_batches: tuple[str, Sequence[str]],
) -> pa.Table:
    """Return the rows of `groups` from the requested slots of a Parquet file. A row group of the
    file is not read if it has none of these rows.
    """
    key, held = file_and_batches
    with named_damage(lake, [key]), lake.home_of(key).filesystem().open_input_file(key) as source:
        # Not a dataset: it reads every row group if a filtered column is dictionary-encoded.
        file = pq.ParquetFile(source, read_dictionary=coded_names(schema), pre_buffer=True)
        slots = _Span(min(held), max(held))
        parts = list(_parts(file.metadata, groups, slots))
        numbers = [part.number for part in parts]
        rows = _complete(file.read_row_groups(numbers, columns=schema.names), schema)
    pieces, begin = [rows.slice(0, 0)], 0
    for is_wanted, run in groupby(parts, key=attrgetter("is_wanted")):
        size = sum(part.row_count for part in run)
        piece = rows.slice(begin, size)
        pieces.append(piece if is_wanted else _of_slots(_of_groups(piece, groups), slots))
        begin += size
    rows = pa.concat_tables(pieces)
    return pa.table([rows[field.name].cast(field.type) for field in schema], schema=schema)


def _of_slots(rows: pa.Table, slots: "_Span") -> pa.Table:
    batch = names(rows[COLUMN])
    return _filtered(rows, np.array([*map(slots.has, batch.name), False], dtype=bool)[batch.code])


def _complete(rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """Add the columns that an older version of Evenkeel did not store. Their values are null."""
    for field in schema:
        if field.name not in rows.column_names and field.name != COLUMN:
            rows = rows.append_column(field, pa.nulls(rows.num_rows, field.type))
    return rows


def _rows_of_file(
    lake: Place, groups: Sequence[str], schema: pa.Schema, file_and_manifest: tuple[str, Manifest]
) -> pa.Table:
    with named_damage(lake, [file_and_manifest[0]], file_and_manifest[1]):
        return _rows_of_whole_file(lake, groups, schema, *file_and_manifest)


def _rows_of_whole_file(
    lake: Place, groups: Sequence[str], schema: pa.Schema, key: str, manifest: Manifest
) -> pa.Table:
    columns = [column for column in schema.names if column != COLUMN]
    coded = [column for column in coded_names(schema) if column != COLUMN]
    # Not pq.read_table with filters: it takes three times as long for a small file.
    file = pq.ParquetFile(pa.BufferReader(lake.read(key)), read_dictionary=coded)
    group = _column_of(file.metadata, "group_id")
    if not any(
        _is_among(groups, _span(file.metadata.row_group(part).column(group)))
        for part in range(file.num_row_groups)
    ):
        return schema.empty_table()
    rows = file.read(columns=columns if manifest.cluster else [*columns, _TIME], use_threads=False)
    rows = _complete(_of_groups(rows, groups), schema)
    of_batch = pa.DictionaryArray.from_arrays(
        pa.array([0] * rows.num_rows, "int32"), [manifest.batch]
    )
    moments = of_batch if manifest.cluster else _moments(rows[_TIME], manifest.batch)
    return pa.table(
        [*(rows[column].cast(schema.field(column).type) for column in columns), moments],
        schema=schema,
    )


def _moments(times: pa.ChunkedArray, batch: str) -> pa.DictionaryArray:
    encoded = times.combine_chunks().dictionary_encode(null_encoding="encode")
    moments = [moment_of(batch, time) for time in encoded.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(encoded.indices, pa.array(moments, "string"))


def _column_of(file: pq.FileMetaData, name: str) -> int:
    """Return the index of a column, 0 if the file has no row groups."""
    # Not by the file's schema: schema and metadata refer to each other, so neither is freed.
    if not file.num_row_groups:
        return 0
    part = file.row_group(0)
    places = range(part.num_columns)
    return next((place for place in places if part.column(place).path_in_schema == name), 0)


class _Part(NamedTuple):
    """A row group of a Parquet file that may contain requested rows. `is_wanted`: every row of the
    row group is requested.
    """

    number: int
    row_count: int
    is_wanted: bool


class _Span(NamedTuple):
    """The smallest and the largest value of a column in a row group, and whether it has nulls."""

    first: str
    last: str
    has_nulls: bool = False

    def has(self, value: str) -> bool:
        return self.first <= value <= self.last


def _parts(file: pq.FileMetaData, groups: Sequence[str], slots: _Span) -> Iterator[_Part]:
    """Yield the row groups that may contain rows of these groups and slots. The statistics of a row
    group decide. If `groups` is empty: all groups.
    """
    group, batch = (_column_of(file, name) for name in ("group_id", COLUMN))
    for number in range(file.num_row_groups):
        part = file.row_group(number)
        of_group = _span(part.column(group))
        if not _is_among(groups, of_group):
            continue
        of_batch = _span(part.column(batch))
        if of_batch is None or (of_batch.first <= slots.last and slots.first <= of_batch.last):
            is_whole = (
                of_batch is not None and slots.has(of_batch.first) and slots.has(of_batch.last)
            )
            yield _Part(number, part.num_rows, is_whole and _is_of_groups(groups, of_group))


def _span(column: pq.ColumnChunkMetaData) -> _Span | None:
    known = column.statistics
    return (
        _Span(known.min, known.max, known.null_count > 0)
        if known is not None and known.has_min_max
        else None
    )


def _is_of_groups(groups: Sequence[str], span: _Span | None) -> bool:
    """Return whether every row of a row group certainly has a requested group. `span`: the smallest
    and the largest group id. If `groups` is empty, every group with a name is requested.
    """
    return span is not None and not span.has_nulls and (not groups or span.first == span.last)


def _is_among(groups: Sequence[str], span: _Span | None) -> bool:
    return not groups or span is None or any(map(span.has, groups))


def is_own(file: str, manifest: Manifest) -> bool:
    """Return whether all rows of a file belong to the batch of a manifest."""
    return file.split("/")[1] == manifest.batch


def _of_groups(rows: pa.Table, groups: Sequence[str]) -> pa.Table:
    return _filtered(rows, _has_group(rows, groups))


def _has_group(rows: pa.Table, groups: Sequence[str]) -> np.ndarray:
    """Return for each row whether its group is in `groups`, bool. If `groups` is empty: True if the
    group has a name.
    """
    group, wanted = names(rows["group_id"]), set(groups)
    is_wanted = [not wanted or name in wanted for name in group.name]
    return np.array([*is_wanted, False], dtype=bool)[group.code]


def _filtered(rows: pa.Table, is_wanted: np.ndarray) -> pa.Table:
    edges = np.flatnonzero(np.diff(is_wanted, prepend=False, append=False))
    if edges.size * _ROWS_OF_A_SLICE > rows.num_rows:
        return rows.filter(pa.array(is_wanted))
    # Rows of a group are adjacent, so slices avoid the copy that a filter makes.
    runs = [rows.slice(first, end - first) for first, end in edges.reshape(-1, 2).tolist()]
    return pa.concat_tables([rows.slice(0, 0), *runs])
