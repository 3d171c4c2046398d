"""Manifest: the small file that makes a batch of the lake visible, written last.

A lake holds `<table>/<batch>/<file>.parquet` and `manifests/<batch>.json`. Files that no manifest
names do not exist for a reader. `named_damage` returns why a named file cannot be read.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Annotated

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from evenkeel.data.errors import DamageError, GivenUpError, PlaceError, SnapshotError
from evenkeel.data.group.tables.counts import Counts
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.service import in_words, named_as, obstore

FOLDER = "manifests"

_Instant = Annotated[datetime, msgspec.Meta(tz=True)]


class SourceFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """One input file: its name as given, SHA-256 in hexadecimal, bytes, counts, and why it was not
    read (null: it was read).
    """

    name: str
    sha256: str
    size: int
    counts: Counts = Counts()
    refused: str | None = None


class Manifest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One batch.

    `formats`: the recognised formats, for people. `tables`: the Parquet files of each table, as
    keys of the lake. `is_in_order`: rows are in the order of the input; if false, another task's
    repeated lines come last. `taken_at`: as given by the caller. `cluster`: the source cluster,
    null for files. `gap`: why the batch has no rows; the batch covers the time slots from
    `taken_at` to `gap_until`, the beginning of the last. `problems`: hidden parts of a live group.
    `is_abandoned`: the batch's run was killed; it can no longer publish, and none of its files
    remain. `slots`: a day's slots; in each, `tables` has the tables with rows of the slot, without
    files. `first_groups`: for a table with a file for each range of groups, each file's first group
    name (`data/lake/slots/slot_batches.py`). `uploaded_at`: assumed times in its rows, of uploads
    whose listings have no time.
    """

    batch: str
    ingested_at: _Instant
    taken_at: _Instant | None = None
    formats: tuple[str, ...] = ()
    sources: tuple[SourceFile, ...] = ()
    counts: Counts = Counts()
    tables: dict[str, tuple[str, ...]] = {}
    is_in_order: bool = True
    cluster: str | None = None
    gap: str | None = None
    gap_until: _Instant | None = None
    problems: tuple[str, ...] = ()
    is_abandoned: bool = False
    slots: tuple["Manifest", ...] = ()
    first_groups: dict[str, tuple[str, ...]] = {}
    uploaded_at: tuple[_Instant, ...] = ()

    @property
    def holds_groups(self) -> bool:
        """Whether the batch has a row of a group. A gap has none, nor does a file with only
        rejected lines.
        """
        return any(self.tables.get(name) for name in ("OFFSETS", "MEMBERS", "TOPICS"))


def publish(lake: Place, manifest: Manifest) -> None:
    """Make a batch visible, all of it at once.

    Raises
    ------
    GivenUpError
        If a batch of this name is already published, or this run counts as dead because it did not
        renew its lease.
    PlaceError
        If the lake cannot be written.
    """
    with publishing(lake, manifest.batch):
        first = is_first(lake, manifest)
    if not first:
        raise GivenUpError(
            f"{lake}: batch {manifest.batch} is published or given up already, by another process;"
            " run it again"
        )


def publishing(lake: Place, batch: str) -> AbstractContextManager[None]:
    """If the lake does not answer, raise an error: the batch could not be published."""
    return named_as(f"{lake}: batch {batch} could not be published")


def is_first(lake: Place, manifest: Manifest) -> bool:
    """Publish a batch unless its name is already published; return whether this batch is the
    published one.
    """
    return lake.create(key_of(manifest.batch), encoded(manifest))


def abandon(lake: Place, batch: str, at: datetime, instead: bytes = b"") -> bool:
    """Give up a batch of a killed run: it can never be published; False if it is already published.

    `instead`: an encoded manifest to publish instead.
    """
    return lake.create(
        key_of(batch), instead or encoded(Manifest(batch=batch, ingested_at=at, is_abandoned=True))
    )


def exists(lake: Place, batch: str) -> bool:
    """Return whether a batch is published or given up."""
    return lake.holds(key_of(batch))


def read(lake: Place, batch: str) -> Manifest:
    """Read one manifest.

    Raises
    ------
    FileNotFoundError
        If the lake has no manifest of this batch.
    SnapshotError
        If the object is not a manifest.
    """
    return decoded(lake, key_of(batch), lake.read(key_of(batch)))


def named_files(lake: Place, batch: str) -> set[str]:
    """Return the files in a batch's manifest; empty if it is not published."""
    try:
        return {file for files in read(lake, batch).tables.values() for file in files}
    except FileNotFoundError:
        return set()


def decoded(lake: Place, key: str, data: bytes) -> Manifest:
    """Return the manifest in an object.

    Raises
    ------
    SnapshotError
        If the object has no manifest.
    """
    try:
        return msgspec.json.decode(data, type=Manifest)
    except msgspec.DecodeError as error:
        raise SnapshotError(f"{lake / key}: {error}, expected the manifest of a batch") from error


def encoded(manifest: Manifest) -> bytes:
    """Return a manifest as it is stored."""
    data = msgspec.json.encode(manifest)
    # A day has thousands of slots: nobody reads it, and blanks double it.
    return data if manifest.slots else msgspec.json.format(data)


def key_of(batch: str) -> str:
    """Return the key of a manifest."""
    return f"{FOLDER}/{batch}.json"


# Damage: why a Parquet file of a lake cannot be read, in one sentence that names the file and
# distinguishes a broken file from a broken service.


_PASSED = "it could not be read a moment ago and can be read now; try again"


@contextmanager
def named_damage(
    home: Place, files: Sequence[str], manifest: Manifest | None = None
) -> Iterator[None]:
    """Name the first of some files of a batch that cannot be read; `manifest`: the batch, whose
    kind decides the advice.

    Raises
    ------
    DamageError
        For a file that is missing, cut off or not Parquet.
    PlaceError
        If the folder or the service refuses, or refused a moment ago: then the file has no damage.
    """
    try:
        yield
    except (pa.ArrowException, OSError, obstore().exceptions.BaseError) as error:
        for file in files:
            if damage := _damage(home, file):
                raise DamageError(
                    f"{home / file}: {damage}, expected {_expected(manifest)}"
                ) from error
        # Arrow's own errors of whole files are about their columns; the others are of a service
        # that answers again.
        if isinstance(error, pa.ArrowException):
            raise DamageError(
                f"{home / files[0]}: {in_words(error)}, expected {_expected(manifest)}"
            ) from error
        raise PlaceError(str(home / files[0]) if files else str(home), _PASSED) from error


def _damage(home: Place, file: str) -> str | None:
    """Return why a file cannot be read, None if it can; a refusal by the service is not damage, and
    raises PlaceError.
    """
    try:
        pq.ParquetFile(pa.BufferReader(home.read(file))).read()
    except FileNotFoundError:
        return "no such file"
    except (OSError, pa.ArrowException):
        return "the file is cut off or damaged"
    return None


def _expected(manifest: Manifest | None) -> str:
    """Return the expected file, and the advice if it is missing."""
    if manifest is None:
        return "a Parquet file"
    again = (
        f"the other snapshots of cluster {manifest.cluster} can be read"
        if manifest.cluster
        else "ingest its files again"
    )
    return f"a Parquet file of batch {manifest.batch}; {again}"
