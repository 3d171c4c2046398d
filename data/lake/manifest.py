"""Manifest: the one small file that makes a batch of the lake visible, written after everything else.

A lake has `<TABLE>/<batch>/*.parquet` and `manifests/<batch>.json`. Files that no manifest names do not exist for a reader.
"""

import os
from datetime import datetime
from pathlib import Path
from typing import Annotated

import msgspec

from data.errors import SnapshotError
from data.tables.counts import Counts

_Instant = Annotated[datetime, msgspec.Meta(tz=True)]


class SourceFile(msgspec.Struct, frozen=True):
    """One input file: its name as given, SHA-256 in hexadecimal, bytes and counts. `refused`: why nothing could be read, else null."""

    name: str
    sha256: str
    size: int
    counts: Counts = Counts()
    refused: str | None = None


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """One batch.

    `formats`: what was recognised, for people. `tables`: the Parquet files of each table, relative to the lake. `is_in_order`: rows are
    in the order of the input; else lines that repeat lines of another task stand behind the others. `taken_at`: as the caller said, else
    null. `cluster`: the live cluster that was read, null for files. `gap`: why the batch has no rows; it then stands for the time slots
    from `taken_at` to `gap_until`, the beginning of the last. `problems`: what of a live group cannot be seen.
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

    @property
    def holds_groups(self) -> bool:
        """Whether the batch says anything of a group. A gap does not, and a file whose every line was rejected does not."""
        return any(self.tables.get(name) for name in ("OFFSETS", "MEMBERS", "TOPICS"))


def sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def path_of(lake: Path, batch: str) -> Path:
    """Return where the manifest of a batch is, once it is published."""
    return lake / "manifests" / f"{batch}.json"


def unpublished_path_of(lake: Path, batch: str) -> Path:
    """Return where the manifest of a batch is before that."""
    return lake / "manifests" / f".{batch}.tmp"


def publish(lake: Path, manifest: Manifest) -> None:
    """Make a batch visible, whole from one moment to the next."""
    path = path_of(lake, manifest.batch)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = unpublished_path_of(lake, manifest.batch)
    temporary.write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
    sync(temporary)
    temporary.rename(path)
    sync(path.parent)


def read(path: Path) -> Manifest:
    """Read one manifest.

    Raises
    ------
    SnapshotError
        When the file is not a manifest.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (msgspec.DecodeError, OSError) as error:
        raise SnapshotError(f"{path}: {error}, expected the manifest of a batch") from error
