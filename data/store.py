"""Stored results, read without Spark: batches, their tables, one group of them, groups worst first."""

import re
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from data import manifest, schemas
from data.errors import SnapshotError
from data.manifest import Manifest

EVERY_GROUP = object()
"""The `group_id` that stands for all groups; None is the group of a listing that names none."""

_BATCH = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Tables(NamedTuple):
    """What the sources said: OFFSETS, MEMBERS, TOPICS, REJECTED of `data/schemas.py`."""

    offsets: pa.Table
    members: pa.Table
    topics: pa.Table
    rejected: pa.Table


def batches(lake: Path) -> list[Manifest]:
    """Return the manifests of the lake, the last ingested first; uploads are not among them."""
    found = [manifest.read(path) for path in (lake / "manifests").glob("*.json")]
    return sorted(found, key=lambda one: (one.ingested_at, one.batch), reverse=True)


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
    home = _home(lake, batch_id)
    schema = schemas.STORED[name]
    files = [str(home / file) for file in batch(lake, batch_id).tables.get(name, ())]
    if not files:
        return schema.empty_table()
    return ds.dataset(files, schema=schema, format="parquet").to_table(filter=_only(group_id, schema))


def tables(lake: Path, batch_id: str, group_id: str | None | object = EVERY_GROUP) -> Tables:
    """Return the four tables of a batch; with `group_id` that group's rows of OFFSETS and MEMBERS."""
    return Tables(*(table(lake, batch_id, name, group_id) for name in ("OFFSETS", "MEMBERS", "TOPICS", "REJECTED")))


def groups(lake: Path, batch_id: str) -> pa.Table:
    """Return GROUP_LOAD of a batch, worst first: by lag, then by the lag of the worst member; unknown last."""
    return table(lake, batch_id, "GROUP_LOAD").sort_by([("lag", "descending"), ("max_lag", "descending"), ("group_id", "ascending")])


def _home(lake: Path, batch_id: str) -> Path:
    """Return the lake that holds a batch: the lake itself, or for an upload its folder of `imports`."""
    homes = [lake, lake / "imports" / batch_id] if _BATCH.fullmatch(batch_id) else []
    for home in homes:
        if manifest.path_of(home, batch_id).is_file():
            return home
    raise SnapshotError(f"{lake}: no batch {batch_id[:80]!r}; an upload is deleted after [lake] keep_uploads")


def _only(group_id: str | None | object, schema: pa.Schema) -> pc.Expression | None:
    if group_id is EVERY_GROUP or "group_id" not in schema.names:
        return None
    return pc.field("group_id").is_null() if group_id is None else pc.field("group_id") == group_id
