"""Stored results, read without Spark: batches, their tables, one group of them, groups worst first."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from data.errors import SnapshotError
from data.lake import manifest
from data.lake.manifest import FOLDER, Manifest
from data.lake.place import Found, Place, obstore
from data.lake.store_errors import in_words
from data.tables import notes, schemas
from data.tables.counts import in_order

EVERY_GROUP = object()
"""The `group_id` that stands for all groups. None is the group of a listing without a group name."""

_AT_ONCE = 16
_DECODED: dict[Place, dict[Found, Manifest | str]] = {}
"""Manifests of each lake: pages ask for all batches at every click, and a collector makes thousands."""

_BATCH = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Tables(NamedTuple):
    """What the sources said: OFFSETS, MEMBERS, TOPICS of `data/tables/schemas.py`."""

    offsets: pa.Table
    members: pa.Table
    topics: pa.Table


def batches(lake: Place) -> list[Manifest]:
    """Return the manifests of the lake, the last ingested first; uploads and broken manifests are not among them."""
    found = [one for one in _manifests(lake) if isinstance(one, Manifest)]
    return sorted(found, key=lambda one: (one.ingested_at, one.batch), reverse=True)


def broken(lake: Place) -> list[str]:
    """Return a line for each manifest that cannot be read: its batch is left out."""
    return sorted(one for one in _manifests(lake) if isinstance(one, str))


def batch(lake: Place, batch_id: str) -> Manifest:
    """Return one manifest, also that of an upload.

    Raises
    ------
    SnapshotError
        When the lake has no such batch, or no longer.
    """
    return _found(lake, batch_id)[1]


def table(lake: Place, batch_id: str, name: str, group_id: str | None | object = EVERY_GROUP) -> pa.Table:
    """Return one table of a batch (OFFSETS, MEMBERS, TOPICS, REJECTED, LAG, MEMBER_LOAD, GROUP_LOAD), rows in the order of the input."""
    with _dataset(lake, batch_id, name) as dataset:
        found = dataset.to_table(filter=_only(group_id, schemas.STORED[name]))
    one = batch(lake, batch_id)
    return found if one.is_in_order or name in schemas.RESULTS else in_order(found, [source.name for source in one.sources])


def tables(lake: Place, batch_id: str, group_id: str | None | object = EVERY_GROUP) -> Tables:
    """Return the three tables of a batch; with `group_id` that group's rows of OFFSETS and MEMBERS."""
    return Tables(*(table(lake, batch_id, name, group_id) for name in ("OFFSETS", "MEMBERS", "TOPICS")))


def first_rows(lake: Place, batch_id: str, name: str, most: int) -> pa.Table:
    """Return the first `most` rows of a table of sources, in the order of the input, in memory of their own."""
    if batch(lake, batch_id).is_in_order:
        with _dataset(lake, batch_id, name) as dataset:
            first = dataset.head(most)
    else:
        first = table(lake, batch_id, name).slice(0, most)
    # A slice, which head may return, keeps all that was read.
    return first.take(pa.array(range(first.num_rows), pa.int64()))


def notes_of_kind(lake: Place, batch_id: str, kind: str, most: int) -> pa.Table:
    """Return the first `most` rows of NOTES of one kind of `data/tables/notes.py`."""
    with _dataset(lake, batch_id, "NOTES") as dataset:
        found = dataset.scanner(filter=pc.field("reason") == kind).head(most)
    return found.take(pa.array(range(found.num_rows), pa.int64()))


def columns_not_used(lake: Place, batch_id: str) -> list[tuple[str, str]]:
    """Return file and columns, as `data/tables/notes.py` lists them, of every header of which some are not used."""
    with _dataset(lake, batch_id, "NOTES") as dataset:
        return notes.not_used(dataset.to_table(filter=notes.IS_NOT_USED))


def groups(lake: Place, batch_id: str) -> pa.Table:
    """Return GROUP_LOAD of a batch, worst first: by lag, then by the lag of the worst member; unknown last."""
    return table(lake, batch_id, "GROUP_LOAD").sort_by([("lag", "descending"), ("max_lag", "descending"), ("group_id", "ascending")])


def times(lake: Place, batch_id: str, group_id: str) -> list[datetime | None]:
    """Return the instants at which a batch shows a group, null where its rows carry no time."""
    with _dataset(lake, batch_id, "GROUP_LOAD") as dataset:
        found = dataset.to_table(columns=["taken_at"], filter=_only(group_id, schemas.GROUP_LOAD))
    return found["taken_at"].unique().to_pylist()


def _manifests(lake: Place) -> list[Manifest | str]:
    known = _DECODED.get(lake, {})
    listed = [one for one in lake.found(FOLDER) if one.key.endswith(".json")]
    new = [one for one in listed if one not in known]
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        read = dict(zip(new, threads.map(partial(_read, lake), (one.key for one in new)), strict=True))
    _DECODED[lake] = found = {one: known.get(one) or read[one] for one in listed}
    return [one for one in found.values() if isinstance(one, str) or not one.is_abandoned]


def _read(lake: Place, key: str) -> Manifest | str:
    try:
        return manifest.decoded(lake, key, lake.read(key))
    except (SnapshotError, FileNotFoundError) as error:
        return str(error)


def _found(lake: Place, batch_id: str) -> tuple[Place, Manifest]:
    """Return the manifest of a batch and the lake that holds it: the lake itself, or for an upload its place in `imports`."""
    homes = [lake, lake / "imports" / batch_id] if _BATCH.fullmatch(batch_id) else []
    for home in homes:
        with suppress(FileNotFoundError):
            one = manifest.read(home, batch_id)
            if not one.is_abandoned:
                return home, one
    raise SnapshotError(f"{lake}: no batch {batch_id[:80]!r}; an upload is deleted after [lake] keep_uploads")


@contextmanager
def _dataset(lake: Place, batch_id: str, name: str) -> Iterator[ds.Dataset]:
    """Yield a table of a batch while it is read.

    Raises
    ------
    SnapshotError
        Names the file that is corrupt or missing.
    """
    (home, one), schema = _found(lake, batch_id), schemas.STORED[name]
    files = list(one.tables.get(name, ()))
    try:
        yield ds.dataset(files, schema=schema, format="parquet", filesystem=home.filesystem()) if files else ds.dataset(schema.empty_table())
    except (pa.ArrowException, OSError, obstore().exceptions.BaseError) as error:
        damage = next(filter(None, (_damage(home, file) for file in files)), f"{home / files[0]}: {in_words(error)}")
        raise SnapshotError(f"{damage}, expected a Parquet file of batch {batch_id}; ingest its files again") from error


def _damage(home: Place, file: str) -> str | None:
    """Return why a file cannot be read, None where it can."""
    try:
        pq.ParquetFile(pa.BufferReader(home.read(file))).read()
    except FileNotFoundError:
        return f"{home / file}: No such file or directory"
    except SnapshotError as error:
        return str(error)
    except (OSError, pa.ArrowException) as error:
        return f"{home / file}: {str(error).splitlines()[0]}"
    return None


def _only(group_id: str | None | object, schema: pa.Schema) -> pc.Expression | None:
    if group_id is EVERY_GROUP or "group_id" not in schema.names:
        return None
    return pc.field("group_id").is_null() if group_id is None else pc.field("group_id") == group_id
