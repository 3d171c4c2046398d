"""Manifest: the small file that makes a batch of the lake visible. It is written last.

A lake contains `<table>/<batch>/<file>.parquet` and `manifests/<batch>.json`. Readers see only
files that a manifest names. `named_damage` reports why such a file cannot be read.
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
    """An input file: its name as given, SHA-256 in hexadecimal, size in bytes, and counts of its
    lines. `refused`: reason why the file was not read, null if it was read.
    """

    name: str
    sha256: str
    size: int
    counts: Counts = Counts()
    refused: str | None = None


class Manifest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A batch: its tables, its inputs, and how it was read.

    `formats`: names of the recognised formats, for display. `tables`: for each table, the keys of
    its Parquet files. `is_in_order`: rows have the order of the input; if false, repeated lines
    from another Spark task are last. `taken_at`: time given by the caller. `cluster`: cluster from
    which the batch was read, null for ingested files.

    `gap`: reason why the batch has no rows. Such a batch stands for all slots that start from
    `taken_at` to `gap_until`. `problems`: parts of a live group that could not be read.
    `is_abandoned`: the run was killed, so the batch is never published and its files are deleted.

    `slots`: manifests of the slots of a day. In such a manifest, `tables` names the tables that
    have rows of the slot, without files. `first_groups`: for a table that is divided by group name,
    the first group of each file (`data/lake/slots/slot_batches.py`). `uploaded_at`: times assumed
    for uploaded listings without a time.
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
        """Whether the batch has a row of a group. It is false for a gap, and if all lines were
        rejected.
        """
        return any(self.tables.get(name) for name in ("OFFSETS", "MEMBERS", "TOPICS"))


def publish(lake: Place, manifest: Manifest) -> None:
    """Publish a batch: readers see all its tables at once.

    Raises
    ------
    GivenUpError
        If the batch is already published, or was given up because this run did not renew its lease.
    PlaceError
        If the lake cannot be written.
    """
    with publishing(lake, manifest.batch):
        first = is_first(lake, manifest)
    if not first:
        raise GivenUpError(
            f"{lake}: another process published batch {manifest.batch} or gave it up; run it again"
        )


def publishing(lake: Place, batch: str) -> AbstractContextManager[None]:
    """Raise an error with the name of the batch if the lake does not answer in the `with` block."""
    return named_as(f"{lake}: batch {batch} could not be published")


def is_first(lake: Place, manifest: Manifest) -> bool:
    """Publish a batch. Return False if a batch with this name is already published or given up."""
    return lake.create(key_of(manifest.batch), encoded(manifest))


def abandon(lake: Place, batch: str, at: datetime, instead: bytes = b"") -> bool:
    """Give up the batch of a killed run. Then the run cannot publish the batch, even if it
    continues. Return False if the batch is already published.

    `instead`: an encoded manifest that is published instead of the batch.
    """
    return lake.create(
        key_of(batch), instead or encoded(Manifest(batch=batch, ingested_at=at, is_abandoned=True))
    )


def exists(lake: Place, batch: str) -> bool:
    """Return whether a batch is published or given up."""
    return lake.holds(key_of(batch))


def read(lake: Place, batch: str) -> Manifest:
    """Return the manifest of a batch.

    Raises
    ------
    FileNotFoundError
        If the lake has no manifest of this batch.
    SnapshotError
        If the object is not a manifest.
    """
    return decoded(lake, key_of(batch), lake.read(key_of(batch)))


def named_files(lake: Place, batch: str) -> set[str]:
    """Return the files in the manifest of a batch. Empty if the batch is not published."""
    try:
        return {file for files in read(lake, batch).tables.values() for file in files}
    except FileNotFoundError:
        return set()


def decoded(lake: Place, key: str, data: bytes) -> Manifest:
    """Return the manifest in the bytes of an object.

    Raises
    ------
    SnapshotError
        If the data is not a manifest.
    """
    try:
        return msgspec.json.decode(data, type=Manifest)
    except msgspec.DecodeError as error:
        raise SnapshotError(f"{lake / key}: {error}, expected the manifest of a batch") from error


def encoded(manifest: Manifest) -> bytes:
    """Return a manifest as stored JSON."""
    data = msgspec.json.encode(manifest)
    # Without blanks if it has a day's slots: thousands, which nobody reads. Blanks would double the
    # size.
    return data if manifest.slots else msgspec.json.format(data)


def key_of(batch: str) -> str:
    """Return the key of a batch's manifest."""
    return f"{FOLDER}/{batch}.json"


# Why a Parquet file of a lake cannot be read, in one sentence. It names the file and says whether
# the file or the service is broken.


_PASSED = "the read failed a moment ago, but works now; try again"


@contextmanager
def named_damage(
    home: Place, files: Sequence[str], manifest: Manifest | None = None
) -> Iterator[None]:
    """If a read in the `with` block fails, raise an error that names the first unreadable file.

    `manifest`: the batch of the files. The advice in the message differs for collected and for
    ingested batches.

    Raises
    ------
    DamageError
        If a file is missing, cut off or not Parquet.
    PlaceError
        If the folder or the service refuses, or if only the first of two reads failed.
    """
    try:
        yield
    except (pa.ArrowException, OSError, obstore().exceptions.BaseError) as error:
        for file in files:
            if damage := _damage(home, file):
                raise DamageError(
                    f"{home / file}: {damage}, expected {_expected(manifest)}"
                ) from error
        # Each file can be read now. So an error of Arrow is about the columns; any other error came
        # from the service, which answers again.
        if isinstance(error, pa.ArrowException):
            raise DamageError(
                f"{home / files[0]}: {in_words(error)}, expected {_expected(manifest)}"
            ) from error
        raise PlaceError(str(home / files[0]) if files else str(home), _PASSED) from error


def _damage(home: Place, file: str) -> str | None:
    """Return why a file cannot be read, None if it can be read. Raise PlaceError if the service
    refuses.
    """
    try:
        pq.ParquetFile(pa.BufferReader(home.read(file))).read()
    except FileNotFoundError:
        return "no such file"
    except (OSError, pa.ArrowException):
        return "the file is cut off or damaged"
    return None


def _expected(manifest: Manifest | None) -> str:
    """Return the end of a message: which file was expected, and what the user can do."""
    if manifest is None:
        return "a Parquet file"
    again = (
        f"the other snapshots of cluster {manifest.cluster} can be read"
        if manifest.cluster
        else "ingest its files again"
    )
    return f"a Parquet file of batch {manifest.batch}; {again}"
