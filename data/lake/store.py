"""Stored results, read without Spark: batches, their tables, one group of them, groups worst first."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from data.errors import SnapshotError
from data.lake import manifest
from data.lake.manifest import Manifest
from data.tables import notes, schemas
from data.tables.counts import in_order

EVERY_GROUP = object()
"""The `group_id` that stands for all groups. None is the group of a listing without a group name."""

_BATCH = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Tables(NamedTuple):
    """What the sources said: OFFSETS, MEMBERS, TOPICS of `data/tables/schemas.py`."""

    offsets: pa.Table
    members: pa.Table
    topics: pa.Table


def batches(lake: Path) -> list[Manifest]:
    """Return the manifests of the lake, the last ingested first; uploads and broken manifests are not among them."""
    found = [one for one in _manifests(lake) if isinstance(one, Manifest)]
    return sorted(found, key=lambda one: (one.ingested_at, one.batch), reverse=True)


def broken(lake: Path) -> list[str]:
    """Return a line for each manifest that cannot be read: its batch is left out."""
    return sorted(one for one in _manifests(lake) if isinstance(one, str))


def batch(lake: Path, batch_id: str) -> Manifest:
    """Return one manifest, also that of an upload.

    Raises
    ------
    SnapshotError
        When the lake has no such batch, or no longer.
    """
    return manifest.read(manifest.path_of(_home(lake, batch_id), batch_id))


def table(lake: Path, batch_id: str, name: str, group_id: str | None | object = EVERY_GROUP) -> pa.Table:
    """Return one table of a batch (OFFSETS, MEMBERS, TOPICS, REJECTED, LAG, MEMBER_LOAD, GROUP_LOAD), rows in the order of the input."""
    with _dataset(lake, batch_id, name) as dataset:
        found = dataset.to_table(filter=_only(group_id, schemas.STORED[name]))
    one = batch(lake, batch_id)
    return found if one.is_in_order or name in schemas.RESULTS else in_order(found, [source.name for source in one.sources])


def tables(lake: Path, batch_id: str, group_id: str | None | object = EVERY_GROUP) -> Tables:
    """Return the three tables of a batch; with `group_id` that group's rows of OFFSETS and MEMBERS."""
    return Tables(*(table(lake, batch_id, name, group_id) for name in ("OFFSETS", "MEMBERS", "TOPICS")))


def first_rows(lake: Path, batch_id: str, name: str, most: int) -> pa.Table:
    """Return a copy of the first `most` rows of a table of sources, in the order of the input."""
    if batch(lake, batch_id).is_in_order:
        with _dataset(lake, batch_id, name) as dataset:
            first = dataset.head(most)
    else:
        first = table(lake, batch_id, name).slice(0, most)
    # A slice, which head may return, keeps all that was read.
    return first.take(pa.array(range(first.num_rows), pa.int64()))


def notes_of_kind(lake: Path, batch_id: str, kind: str, most: int) -> pa.Table:
    """Return the first `most` rows of NOTES of one kind of `data/tables/notes.py`."""
    with _dataset(lake, batch_id, "NOTES") as dataset:
        found = dataset.scanner(filter=pc.field("reason") == kind).head(most)
    return found.take(pa.array(range(found.num_rows), pa.int64()))


def columns_not_used(lake: Path, batch_id: str) -> list[tuple[str, str]]:
    """Return file and columns, as `data/tables/notes.py` lists them, of every header of which some are not used."""
    with _dataset(lake, batch_id, "NOTES") as dataset:
        return notes.not_used(dataset.to_table(filter=notes.IS_NOT_USED))


def groups(lake: Path, batch_id: str) -> pa.Table:
    """Return GROUP_LOAD of a batch, worst first: by lag, then by the lag of the worst member; unknown last."""
    return table(lake, batch_id, "GROUP_LOAD").sort_by([("lag", "descending"), ("max_lag", "descending"), ("group_id", "ascending")])


def times(lake: Path, batch_id: str, group_id: str) -> list[datetime | None]:
    """Return the instants at which a batch shows a group, null where its rows carry no time."""
    with _dataset(lake, batch_id, "GROUP_LOAD") as dataset:
        found = dataset.to_table(columns=["taken_at"], filter=_only(group_id, schemas.GROUP_LOAD))
    return found["taken_at"].unique().to_pylist()


def _manifests(lake: Path) -> list[Manifest | str]:
    folder = lake / "manifests"
    entries = os.scandir(folder) if folder.is_dir() else ()
    return [_decoded(entry.path, entry.inode(), entry.stat().st_mtime_ns) for entry in entries if entry.name.endswith(".json")]


@lru_cache(maxsize=100_000)
def _decoded(path: str, inode: int, changed: int) -> Manifest | str:
    """Decode a manifest once: pages ask for all batches at every click, and a collector makes thousands."""
    try:
        return manifest.read(Path(path))
    except SnapshotError as error:
        return str(error)


def _home(lake: Path, batch_id: str) -> Path:
    """Return the lake that holds a batch: the lake itself, or for an upload its folder of `imports`."""
    homes = [lake, lake / "imports" / batch_id] if _BATCH.fullmatch(batch_id) else []
    for home in homes:
        if manifest.path_of(home, batch_id).is_file():
            return home
    raise SnapshotError(f"{lake}: no batch {batch_id[:80]!r}; an upload is deleted after [lake] keep_uploads")


@contextmanager
def _dataset(lake: Path, batch_id: str, name: str) -> Iterator[ds.Dataset]:
    """Yield a table of a batch while it is read.

    Raises
    ------
    SnapshotError
        Names the file that is corrupt or missing.
    """
    home, schema = _home(lake, batch_id), schemas.STORED[name]
    files = [str(home / file) for file in batch(lake, batch_id).tables.get(name, ())]
    try:
        yield ds.dataset(files, schema=schema, format="parquet") if files else ds.dataset(schema.empty_table())
    except (pa.ArrowException, OSError) as error:
        damage = next(filter(None, map(_damage, files)), f"{files[0]}: {error}")
        raise SnapshotError(f"{damage}, expected a Parquet file of batch {batch_id}; ingest its files again") from error


def _damage(file: str) -> str | None:
    """Return why a file cannot be read, None where it can."""
    try:
        pq.ParquetFile(file).read()
    except OSError as error:
        return f"{file}: {error.strerror or str(error).splitlines()[0]}"
    except pa.ArrowException as error:
        return f"{file}: {str(error).splitlines()[0]}"
    return None


def _only(group_id: str | None | object, schema: pa.Schema) -> pc.Expression | None:
    if group_id is EVERY_GROUP or "group_id" not in schema.names:
        return None
    return pc.field("group_id").is_null() if group_id is None else pc.field("group_id") == group_id
