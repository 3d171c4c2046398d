"""Names, manifests and files of a collector's batches. At first each slot is a batch. Later an hour
is a batch, then a day.
"""

import math
import re
import zlib
from bisect import bisect_right
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import NamedTuple

import msgspec
import pyarrow as pa

from evenkeel.data import clock
from evenkeel.data.group.tables import schemas
from evenkeel.data.lake import manifest
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place

THINNED = "-thinned"

_SLOT = re.compile(r"(.+)-(\d{8}T\d{6}Z)")
_HOUR = re.compile(r"(.+)-(\d{8}T\d{2})")
_DAY = re.compile(rf"(.+)-(\d{{8}})({THINNED})?")
_TIME = "%Y%m%dT%H%M%SZ"
_HOUR_TIME = "%Y%m%dT%H"
_DAY_TIME = "%Y%m%d"


def slug_of(cluster: str) -> str:
    """Return the name of a cluster as it is used in keys. A name of at most 30 letters, digits and
    - is unchanged.
    """
    slug = re.sub("[^A-Za-z0-9-]", "-", cluster)[:30]
    return slug if slug == cluster else f"{slug}-{zlib.crc32(cluster.encode()):08x}"


def slot_batch(cluster: str, slot: int) -> str:
    """Return the batch name of a slot. `slot`: start of the slot in seconds since 1970."""
    return f"{slug_of(cluster)}-{datetime.fromtimestamp(slot, UTC):{_TIME}}"


def time_of(batch: str) -> datetime | None:
    """Return the start of the slot that `batch` names. None if `batch` does not name a slot."""
    return _parsed(_SLOT, batch)


def hour_of(batch: str) -> datetime | None:
    """Return the hour that `batch` names. None if `batch` does not name an hour."""
    return _parsed(_HOUR, batch)


def day_of(batch: str) -> date | None:
    """Return the day that `batch` names. None if `batch` does not name a day."""
    time = _parsed(_DAY, batch)
    return time.date() if time else None


def _parsed(pattern: re.Pattern, batch: str) -> datetime | None:
    match = pattern.fullmatch(batch)
    try:
        # Not strptime: it takes five times as long, and a page parses thousands of names.
        return datetime.fromisoformat(match[2]).replace(tzinfo=UTC) if match else None
    except ValueError:
        return None


def slug_in(batch: str) -> str:
    """Return the cluster's slug in the name of a batch."""
    return batch.removesuffix(THINNED).rpartition("-")[0]


def hour_batch(slug: str, hour: datetime) -> str:
    """Return the batch name of an hour in UTC."""
    return f"{slug}-{hour:{_HOUR_TIME}}"


def day_batch(slug: str, day: date, is_thinned: bool = False) -> str:
    """Return the batch name of a day. `is_thinned`: the batch has only one slot for each 10
    minutes.
    """
    return f"{slug}-{day:{_DAY_TIME}}{THINNED if is_thinned else ''}"


def holders_of(batch: str) -> tuple[str, ...]:
    """Return the batches of hours and days that may contain this slot, oldest first. Empty if
    `batch` does not name a slot.
    """
    slug, time = slug_in(batch), time_of(batch)
    if not time:
        return ()
    return hour_batch(slug, time), *(
        day_batch(slug, time.date(), is_thinned) for is_thinned in (False, True)
    )


# The latest slot of a cluster: a snapshot, or a gap with a reason.


def last_slot(lake: Place, slug: str) -> int | None:
    """Return the start of the latest slot, in seconds since 1970; None if the cluster has no slot.

    Manifests of single slots are not read. The batch of a gap has the name of its latest slot.
    """
    batches = [name.removesuffix(".json") for name in lake.names(manifest.FOLDER)]
    ours = [batch for batch in batches if slug_in(batch) == slug]
    slots = [batch for batch in ours if time_of(batch)]
    for part_of in (hour_of, day_of):
        if holders := [batch for batch in ours if part_of(batch)]:
            try:
                slots += [holder.batch for holder in manifest.read(lake, max(holders)).slots]
            except FileNotFoundError:
                # The hour is now in the batch of its day.
                return last_slot(lake, slug)
    times = [time for batch in slots if (time := time_of(batch))]
    return int(max(times).timestamp()) if times else None


# A batch with the slots of a day. The column `batch` has each row's slot.


COLUMN = "batch"
SCHEMAS = {
    name: schema.append(pa.field(COLUMN, "string", nullable=False))
    for name, schema in schemas.STORED.items()
}

CODED = pa.dictionary(pa.int32(), pa.string())
"""Type of text in memory: thousands of rows have the same few names."""


def coded_schema(schema: pa.Schema, plain: Container[str] = ()) -> pa.Schema:
    """Return a schema with dictionary-encoded text columns. Columns in `plain` are unchanged."""
    return pa.schema(
        [
            field.with_type(CODED)
            if field.type == pa.string() and field.name not in plain
            else field
            for field in schema
        ]
    )


def coded_names(schema: pa.Schema) -> list[str]:
    """Return the names of the dictionary-encoded columns."""
    return [field.name for field in schema if field.type == CODED]


def manifest_of_day(
    batch: str,
    slots: Sequence[Manifest],
    tables: dict[str, tuple[str, ...]],
    first_groups: dict[str, tuple[str, ...]],
) -> Manifest:
    """Return the manifest of a day's slots. `tables`: files of each table. `first_groups`: if a
    table has several files, the first group of each file.
    """
    return Manifest(
        batch=batch,
        ingested_at=clock.now(),
        taken_at=min(slot.taken_at or slot.ingested_at for slot in slots),
        tables=tables,
        cluster=slots[0].cluster,
        slots=tuple(_without_files(slot) for slot in slots),
        first_groups={name: first for name, first in first_groups.items() if len(first) > 1},
    )


def slots_of(manifest: Manifest) -> tuple[Manifest, ...]:
    """Return the slots in the batch of an hour or a day. Each slot gets the files that contain its
    rows. For any other batch: return only the batch.
    """
    if not manifest.slots:
        return (manifest,)
    known: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
    return tuple(_with_files(slot, manifest, known) for slot in manifest.slots)


def slot_of(manifest: Manifest, batch: str) -> Manifest | None:
    """Return the slot named `batch` from the batch of a day, with the day's files that contain its
    rows. None if the day does not have this slot.
    """
    return next(
        (_with_files(slot, manifest, {}) for slot in manifest.slots if slot.batch == batch), None
    )


def _with_files(
    slot: Manifest, day: Manifest, known: dict[tuple[str, ...], dict[str, tuple[str, ...]]]
) -> Manifest:
    # Thousands of slots with the same tables share one dictionary.
    names = tuple(slot.tables)
    if names not in known:
        known[names] = {name: day.tables.get(name, ()) for name in names}
    return msgspec.structs.replace(slot, tables=known[names], first_groups=day.first_groups)


def _without_files(manifest: Manifest) -> Manifest:
    return msgspec.structs.replace(
        manifest,
        tables={name: () for name, files in manifest.tables.items() if files},
        first_groups={},
    )


# Ranges of groups: a table with many rows a day has several files, each with the groups from one
# name up to the next. A reader of one group opens only one file. The metadata of a file with many
# row groups is large.


FILE_ROWS = 8_000_000


class Range(NamedTuple):
    """A range of group names: from `first` up to `end`, which is not included. The last range has
    no end; it also includes rows without a group name.
    """

    first: str
    end: str | None

    def has(self, group: str | None) -> bool:
        """Return whether the range includes this group. None: a row without a group name."""
        if group is None:
            return self.end is None
        return self.first <= group and (self.end is None or group < self.end)


def files_of(manifest: Manifest, name: str, groups: Collection[str | None]) -> tuple[str, ...]:
    """Return the files of a table that may have rows of these groups. If `groups` is empty: all
    files.
    """
    files, first = manifest.tables.get(name, ()), manifest.first_groups.get(name, ())
    if not files or not first or not groups:
        return files
    places = {
        len(first) - 1 if group is None else bisect_right(first, group) - 1 for group in groups
    }
    return tuple(files[place] for place in sorted(places))


def first_groups(row_count: Mapping[str, int], times: float = 1) -> tuple[str, ...]:
    """Return the first group name of each file; "" for the first file.

    `row_count`: rows of each group in a sample of the slots. `times`: number of all slots divided
    by the number of slots in the sample.
    """
    total = sum(row_count.values())
    first, full, before, files = [""], 1, 0, math.ceil(total * times / FILE_ROWS)
    for group in sorted(row_count):
        # The earlier groups fill the current file. A large group may fill several files.
        if before * files >= total * full:
            first.append(group)
            full = before * files // total + 1
        before += row_count[group]
    return tuple(first)


def ranges(first: Sequence[str]) -> Iterator[Range]:
    """Yield the range of group names of each file. `first`: first group name of each file."""
    for start, end in pairwise([*first, None]):
        yield Range(start, end)
