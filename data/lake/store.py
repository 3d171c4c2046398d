"""Stored results, read without Spark: the batches of a lake, their tables, and the groups of a
batch by lag.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from evenkeel.data.errors import NoBatchError, PlaceError, SnapshotError
from evenkeel.data.group.tables import parsed, schemas
from evenkeel.data.group.tables.counts import in_order
from evenkeel.data.lake import example, manifest
from evenkeel.data.lake.manifest import FOLDER, Manifest, named_damage
from evenkeel.data.lake.place import Place, StoredObject
from evenkeel.data.lake.service import may_pass
from evenkeel.data.lake.slots import slot_batches
from evenkeel.data.lake.slots.slot_batches import files_of, holders_of, slot_of, slots_of, slug_in
from evenkeel.data.threads import in_threads

EVERY_GROUP = object()
"""The `group_id` for all groups. None is the group of a listing without a group name."""

_BATCH = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Tables(NamedTuple):
    """Tables of groups in the form in which they were parsed: OFFSETS, MEMBERS, TOPICS of
    `data/group/tables/schemas.py`.
    """

    offsets: pa.Table
    members: pa.Table
    topics: pa.Table


class StoredApplications(NamedTuple):
    """Tables of Kafka Streams applications in the form in which they were parsed: TASKS and
    CONSUMERS, with MEMBERS and OFFSETS of the same groups.
    """

    tasks: pa.Table
    consumers: pa.Table
    members: pa.Table
    offsets: pa.Table


class LakeContents(NamedTuple):
    """Batches of a lake, the last ingested first, and a line for each manifest that
    cannot be read.
    """

    batches: list[Manifest]
    broken: list[str]


def stored(lake: Place) -> LakeContents:
    """Read the manifests of the lake, without uploads. Slots are listed one by one, even if they
    are stored in the batch of an hour or a day.
    """
    batches: dict[str, Manifest] = {}
    problems = []
    for entry in listed(lake):
        if isinstance(entry, str):
            problems.append(entry)
        else:
            batches.update((batch.batch, batch) for batch in entry)
    in_order = sorted(
        batches.values(), key=lambda batch: (batch.ingested_at, batch.batch), reverse=True
    )
    return LakeContents(in_order, sorted(problems))


def batches(lake: Place) -> list[Manifest]:
    """Return the batches of the lake, the last ingested first."""
    return stored(lake).batches


def batch(lake: Place, batch_id: str) -> Manifest:
    """Return the manifest of a batch. `batch_id` names an upload, a batch of the lake, or one slot
    of a batch that covers an hour or a day.

    Raises
    ------
    SnapshotError
        If the lake has no such batch, or deleted it.
    """
    return _batch_of(lake, batch_id).manifest


def table(
    lake: Place, batch_id: str, name: str, group_id: str | None | object = EVERY_GROUP
) -> pa.Table:
    """Return a table of a batch. Its rows are in the order of the input files. `name`: a key of
    `schemas.STORED`.
    """
    return _table(_batch_of(lake, batch_id), name, group_id)


def tables(lake: Place, batch_id: str, group_id: str | None | object = EVERY_GROUP) -> Tables:
    """Return OFFSETS, MEMBERS and TOPICS of a batch. With `group_id`, OFFSETS and MEMBERS have only
    rows of this group.
    """
    stored_batch = _batch_of(lake, batch_id)
    return Tables(
        *(_table(stored_batch, name, group_id) for name in ("OFFSETS", "MEMBERS", "TOPICS"))
    )


def applications(
    lake: Place, batch_id: str, group_id: str | None | object = EVERY_GROUP
) -> StoredApplications:
    """Return the tables of the Kafka Streams applications in a batch. With `group_id`, they have
    only rows of this group; CONSUMERS is empty if this group is not an application.
    """
    stored_batch = _batch_of(lake, batch_id)
    return StoredApplications(
        *(
            _table(stored_batch, name, group_id)
            for name in ("TASKS", "CONSUMERS", "MEMBERS", "OFFSETS")
        )
    )


def first_rows(lake: Place, batch_id: str, name: str, most: int) -> pa.Table:
    """Return the first `most` rows of a parsed table in the order of the input files."""
    stored_batch = _batch_of(lake, batch_id)
    if stored_batch.manifest.is_in_order:
        with _dataset(stored_batch, name) as dataset:
            first = dataset.head(most, columns=schemas.STORED[name].names)
    else:
        first = _table(stored_batch, name).slice(0, most)
    # `head` may return a slice, and a slice keeps all read rows in memory.
    return first.take(pa.array(range(first.num_rows), "int64"))


def notes_of_kind(lake: Place, batch_id: str, kind: str, most: int) -> pa.Table:
    """Return the first `most` rows of NOTES of one kind. The kinds are in
    `data/group/tables/parsed.py`.
    """
    return _notes(lake, batch_id, pc.field("reason") == kind, most)


def notes_about_groups(lake: Place, batch_id: str, most: int) -> pa.Table:
    """Return the first `most` rows of NOTES about groups."""
    return _notes(lake, batch_id, parsed.IS_ABOUT_GROUPS, most)


def _notes(lake: Place, batch_id: str, wanted: pc.Expression, most: int) -> pa.Table:
    with _dataset(_batch_of(lake, batch_id), "NOTES") as dataset:
        rows = dataset.scanner(columns=schemas.NOTES.names, filter=wanted).head(most)
    return rows.take(pa.array(range(rows.num_rows), "int64"))


def columns_not_used(lake: Place, batch_id: str) -> list[tuple[str, str, str]]:
    """Return the file, the unused columns and the text of each header that has unused columns."""
    with _dataset(_batch_of(lake, batch_id), "NOTES") as dataset:
        return parsed.not_used(
            dataset.to_table(columns=schemas.NOTES.names, filter=parsed.IS_NOT_USED)
        )


def groups(lake: Place, batch_id: str) -> pa.Table:
    """Return GROUP_LOAD of a batch, sorted by the group's lag and then by the largest lag of a
    member, both descending. Unknown lag is last.
    """
    return table(lake, batch_id, "GROUP_LOAD").sort_by(
        [("lag", "descending"), ("max_lag", "descending"), ("group_id", "ascending")]
    )


def home_of(lake: Place, batch_id: str) -> Place:
    """Return the place that contains a batch. The place of an upload is the upload's own folder.

    Raises
    ------
    SnapshotError
        If the lake has no such batch, or deleted it.
    """
    return _batch_of(lake, batch_id).home


def times(
    lake: Place, batch_id: str, group_id: str | None | object = EVERY_GROUP
) -> list[datetime | None]:
    """Return the times in the rows of a group in this batch. Default: the times of all groups. None
    is in the list if a row has no time.
    """
    with _dataset(_batch_of(lake, batch_id), "GROUP_LOAD", group_id) as dataset:
        column = dataset.to_table(columns=["taken_at"], filter=_only(group_id, schemas.GROUP_LOAD))
    return column["taken_at"].unique().to_pylist()


class _Batch(NamedTuple):
    """A batch and the place that contains its files. `is_in_day`: the batch is a slot, and its rows
    are in files of an hour or a day.
    """

    home: Place
    manifest: Manifest
    is_in_day: bool = False


def _batch_of(lake: Place, batch_id: str) -> _Batch:
    """Return the batch that `batch_id` names: a batch with its own manifest, a slot in the batch of
    an hour or a day, or an upload. Slots of the example cluster are found in every lake.
    """
    if _BATCH.fullmatch(batch_id):
        layers = (*lake.layers, *[example.PLACE] * (slug_in(batch_id) == example.NAME))
        for home, name in (
            *((layer, name) for layer in layers for name in (batch_id, *holders_of(batch_id))),
            (lake / "imports" / batch_id, batch_id),
        ):
            with suppress(FileNotFoundError):
                whole = manifest.read(home, name)
                slot = slot_of(whole, batch_id) if name != batch_id else whole
                if slot and slot.batch == batch_id and not slot.is_abandoned:
                    return _Batch(home, slot, name != batch_id)
    deleted = (
        "a snapshot is deleted after [lake] keep_slots"
        if holders_of(batch_id)
        else "an upload is deleted after [lake] keep_uploads"
    )
    raise NoBatchError(f"{lake}: no batch {batch_id[:80]!r}; {deleted}")


def _table(
    stored_batch: _Batch, name: str, group_id: str | None | object = EVERY_GROUP
) -> pa.Table:
    # Most batches have rows in few tables, and an empty dataset takes a millisecond.
    if not stored_batch.manifest.tables.get(name):
        return schemas.STORED[name].empty_table()
    with _dataset(stored_batch, name, group_id) as dataset:
        rows = dataset.to_table(
            columns=schemas.STORED[name].names, filter=_only(group_id, schemas.STORED[name])
        )
    manifest_of_rows = stored_batch.manifest
    return (
        rows
        if manifest_of_rows.is_in_order or name in schemas.RESULTS
        else in_order(rows, [source.name for source in manifest_of_rows.sources])
    )


@contextmanager
def _dataset(
    stored_batch: _Batch, name: str, group_id: str | None | object = EVERY_GROUP
) -> Iterator[ds.Dataset]:
    """Yield a table of a batch as a dataset. The dataset may also contain rows of other groups. A
    reader must name the columns, because files of a day have the extra column `batch`.

    Raises
    ------
    SnapshotError
        If a file is corrupt or missing. The message names the file.
    """
    (home, batch_manifest, is_in_day), schema = stored_batch, schemas.STORED[name]
    files = list(files_of(batch_manifest, name, () if group_id is EVERY_GROUP else (group_id,)))
    with named_damage(home, files, batch_manifest):
        if not files:
            yield ds.dataset(schema.empty_table())
        elif is_in_day:
            rows = ds.dataset(
                files,
                schema=slot_batches.SCHEMAS[name],
                format="parquet",
                filesystem=home.filesystem(),
            )
            yield rows.filter(pc.field(slot_batches.COLUMN) == batch_manifest.batch)
        else:
            yield ds.dataset(files, schema=schema, format="parquet", filesystem=home.filesystem())


def _only(group_id: str | None | object, schema: pa.Schema) -> pc.Expression | None:
    if group_id is EVERY_GROUP or "group_id" not in schema.names:
        return None
    return pc.field("group_id").is_null() if group_id is None else pc.field("group_id") == group_id


# Manifests of a lake, decoded once: each click on a page lists all batches, and a collector stores
# thousands.


_MOST_LAKES = 100
_DECODED: dict[Place, dict[StoredObject, tuple[Manifest, ...] | SnapshotError]] = {}


def listed(lake: Place) -> list[tuple[Manifest, ...] | str]:
    """Return one entry for each manifest. The entry has the batch, or the slots of an hour or a
    day, or nothing if the run was killed. If the manifest cannot be read, the entry is a sentence
    with the reason.

    If two batches have the same name, the later entry is valid. So the entries of `lake.layers` are
    listed in reverse order.

    Raises
    ------
    PlaceError
        If the service failed, but may answer the next request.
    """
    return [entry_read for layer in reversed(lake.layers) for entry_read in _listed(layer)]


def _listed(lake: Place) -> list[tuple[Manifest, ...] | str]:
    known = _DECODED.get(lake, {})
    while True:
        files = [file for file in lake.found(FOLDER) if file.key.endswith(".json")]
        new = [file for file in files if file not in known]
        manifests = in_threads(partial(_read, lake), [file.key for file in new])
        read = dict(zip(new, manifests, strict=True))
        known = known | {file: batches for file, batches in read.items() if batches is not None}
        # A listed slot that is gone is now in the batch of its day. List again to see that batch.
        if all(file in known for file in files):
            # A refused object may be readable later, so refusals are not cached. The lake read last
            # moves to the end, so that the oldest of many small lakes is dropped first.
            _DECODED.pop(lake, None)
            _DECODED[lake] = {
                file: known[file] for file in files if not isinstance(known[file], PlaceError)
            }
            for old in list(_DECODED)[:-_MOST_LAKES]:
                _DECODED.pop(old, None)
            return [
                str(known[file]) if isinstance(known[file], SnapshotError) else known[file]
                for file in files
            ]


def _read(lake: Place, key: str) -> tuple[Manifest, ...] | SnapshotError | None:
    try:
        batch = manifest.decoded(lake, key, lake.read(key))
    except FileNotFoundError:
        return None
    except SnapshotError as error:
        if isinstance(error, PlaceError) and may_pass(error.cause):
            raise
        return error
    return () if batch.is_abandoned else slots_of(batch)
