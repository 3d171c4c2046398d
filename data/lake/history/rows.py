"""Rows of some groups in many batches, as few columns as a history needs."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from data.errors import SnapshotError
from data.lake.manifest import Manifest
from data.lake.objects.service import obstore
from data.lake.objects.service_errors import in_words
from data.lake.place import Place
from data.lake.slots.day import COLUMN, SCHEMAS

_AT_ONCE = 16
_CODED = pa.dictionary(pa.int32(), pa.string())


def group_rows(lake: Place, name: str, batches: Sequence[Manifest], groups: Sequence[str], columns: Sequence[str]) -> pa.Table:
    """Return the rows of some groups in OFFSETS or MEMBERS, of none for all; with the column `batch`, text dictionary-encoded.

    Raises
    ------
    SnapshotError
        When a file cannot be read.
    """
    schema = pa.schema([field.with_type(_CODED) if field.type == pa.string() else field for field in map(SCHEMAS[name].field, columns)])
    schema = schema.append(pa.field(COLUMN, _CODED))
    try:
        parts = [*_rows_of_days(lake, name, batches, groups, schema), *_rows_of_slots(lake, name, batches, groups, schema)]
    except (pa.ArrowException, OSError, obstore().exceptions.BaseError) as error:
        raise SnapshotError(f"{lake}: {name} of {', '.join(groups)[:80] or 'all groups'} cannot be read: {in_words(error)}") from error
    return pa.concat_tables([schema.empty_table(), *parts]).unify_dictionaries()


def _rows_of_days(lake: Place, name: str, batches: Sequence[Manifest], groups: Sequence[str], schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield the rows of each file that has several slots."""
    slots = defaultdict(list)
    for one in batches:
        for file in one.tables.get(name, ()):
            if not _is_own(file, one):
                slots[file].append(one.batch)
    form = ds.ParquetFileFormat(dictionary_columns=[field.name for field in schema if field.type == _CODED])
    for file, held in slots.items():
        wanted = _of(groups) & (pc.field(COLUMN) >= min(held)) & (pc.field(COLUMN) <= max(held))
        rows = ds.dataset([file], schema=schema, format=form, filesystem=lake.filesystem())
        yield rows.to_table(columns=schema.names, filter=wanted)


def _rows_of_slots(lake: Place, name: str, batches: Sequence[Manifest], groups: Sequence[str], schema: pa.Schema) -> list[pa.Table]:
    """Return the rows of batches that have files of their own."""
    files = [(one.batch, file) for one in batches for file in one.tables.get(name, ()) if _is_own(file, one)]
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        return list(threads.map(partial(_rows_of_file, lake, groups, schema), files))


def _rows_of_file(lake: Place, groups: Sequence[str], schema: pa.Schema, one: tuple[str, str]) -> pa.Table:
    batch, key = one
    columns = [column for column in schema.names if column != COLUMN]
    coded = [column for column in columns if schema.field(column).type == _CODED]
    # Not pq.read_table with filters: for a small file it takes three times as long.
    file = pq.ParquetFile(pa.BufferReader(lake.read(key)), read_dictionary=coded)
    if groups and not _may_have(file.metadata, groups):
        return schema.empty_table()
    rows = file.read(columns=columns, use_threads=False)
    group = rows["group_id"]
    rows = rows.filter(pc.is_in(group, value_set=pa.array(groups, pa.string())) if groups else group.is_valid())
    of_batch = pa.DictionaryArray.from_arrays(pa.array([0] * rows.num_rows, pa.int32()), [batch])
    return pa.table([*(rows[column].cast(schema.field(column).type) for column in columns), of_batch], schema=schema)


def _may_have(file: pq.FileMetaData, groups: Sequence[str]) -> bool:
    """Tell whether a file may have rows of the groups: each of its parts says the first and the last name in it."""
    place = file.schema.names.index("group_id")
    known = [file.row_group(part).column(place).statistics for part in range(file.num_row_groups)]
    return any(one is None or not one.has_min_max or any(one.min <= group <= one.max for group in groups) for one in known)


def _is_own(file: str, one: Manifest) -> bool:
    """Tell whether a file has rows of this batch alone."""
    return file.split("/")[1] == one.batch


def _of(groups: Sequence[str]) -> pc.Expression:
    if not groups:
        return pc.field("group_id").is_valid()
    return pc.field("group_id") == groups[0] if len(groups) == 1 else pc.field("group_id").isin(pa.array(groups, pa.string()))
