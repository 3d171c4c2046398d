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
    """An input file: its given name, SHA-256 in hexadecimal, size in bytes and counts. `refused`:
    why the file was not read, null if it was read.
    """

    name: str
    sha256: str
    size: int
    counts: Counts = Counts()
    refused: str | None = None


class Manifest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A batch.

    `formats`: recognised formats, for people. `tables`: Parquet files of each table, as keys of the
    lake. `is_in_order`: rows are in the order of the input; if false, repeated lines of another
    task come last. `taken_at`: time given by the caller. `cluster`: source cluster, null for
    ingested files.

    `gap`: why the batch has no rows. The gap has the slots that start from `taken_at` to
    `gap_until`. `problems`: parts of a live group that could not be read. `is_abandoned`: the
    batch's run was killed. It can no longer publish, and its files are deleted.

    `slots`: slots of a day. The `tables` of a slot name the tables with rows of the slot, without
    files. `first_groups`: first group name of each file, for a table whose files have ranges of
    groups (`data/lake/slots/slot_batches.py`). `uploaded_at`: times assumed for rows of uploads
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
        """Whether the batch has a row of a group. A gap and a file with only rejected lines have no
        such row.
        """
        return any(self.tables.get(name) for name in ("OFFSETS", "MEMBERS", "TOPICS"))


def publish(lake: Place, manifest: Manifest) -> None:
    """Make a whole batch visible at once.

    Raises
    ------
    GivenUpError
        If the batch is already published, or given up because this run did not renew
        its lease.
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
    """If the lake does not answer inside the block, raise an error: the batch could not be
    published.
    """
    return named_as(f"{lake}: batch {batch} could not be published")


def is_first(lake: Place, manifest: Manifest) -> bool:
    """Publish a batch unless its name is already published. Return whether this call
    published it.
    """
    return lake.create(key_of(manifest.batch), encoded(manifest))


def abandon(lake: Place, batch: str, at: datetime, instead: bytes = b"") -> bool:
    """Give up a batch of a killed run, so that the run can never publish it. Return False if the
    batch is already published.

    `instead`: an encoded manifest to publish instead.
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
    """Return the files that a batch's manifest names. Empty if the batch is not published."""
    try:
        return {file for files in read(lake, batch).tables.values() for file in files}
    except FileNotFoundError:
        return set()


def decoded(lake: Place, key: str, data: bytes) -> Manifest:
    """Return the manifest that the data of an object contains.

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
    """If a read inside the block fails, raise an error that names the first unreadable file.
    `manifest`: the batch of the files; its kind decides the advice.

    Raises
    ------
    DamageError
        If a file is missing, cut off or not Parquet.
    PlaceError
        If the folder or the service refuses, or if all files can be read again.
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
    """Return why a file cannot be read, None if it can be read. A refusal by the service raises
    PlaceError.
    """
    try:
        pq.ParquetFile(pa.BufferReader(home.read(file))).read()
    except FileNotFoundError:
        return "no such file"
    except (OSError, pa.ArrowException):
        return "the file is cut off or damaged"
    return None


def _expected(manifest: Manifest | None) -> str:
    """Return the expected file, and what to do."""
    if manifest is None:
        return "a Parquet file"
    again = (
        f"the other snapshots of cluster {manifest.cluster} can be read"
        if manifest.cluster
        else "ingest its files again"
    )
    return f"a Parquet file of batch {manifest.batch}; {again}"
