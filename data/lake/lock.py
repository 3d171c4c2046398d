"""Locks of a lake: of a batch that is being written, of publishing, and of a collector.

The lock of a batch tells leftovers of a killed run from files in progress.
"""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from data.errors import SnapshotError
from data.lake import manifest
from data.tables import schemas


@contextmanager
def running(lake: Path, batch: str) -> Iterator[Path]:
    """Hold a batch of a lake and yield a scratch folder for it.

    Before that, files of killed runs that no manifest names are deleted, also those of this batch. Afterwards, those of this run.

    Raises
    ------
    SnapshotError
        When the lake's folder cannot be written, or a living run has this batch.
    """
    scratch = lake / "running" / batch
    try:
        if scratch.is_dir() and not is_held(lake, batch):
            _tidy(lake, batch)
        lock = _locked(scratch)
    except OSError as error:
        raise SnapshotError(f"lake {lake}: {error.strerror}") from error
    with lock:
        _sweep(lake)
        try:
            yield scratch
        finally:
            _tidy(lake, batch)


@contextmanager
def publishing(lake: Path) -> Iterator[None]:
    """Hold the right to publish an ingest: no other ingest publishes between a look at the lake and the manifest that follows from it."""
    folder = manifest.path_of(lake, "").parent
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def collecting(lake: Path, home: Path, cluster: str) -> Iterator[None]:
    """Hold the right to collect a cluster into a lake; `home`: the folder of the collector.

    Raises
    ------
    SnapshotError
        When another process holds it, or the folder cannot be written.
    """
    try:
        home.mkdir(parents=True, exist_ok=True)
        lock = (home / "lock").open("w")
    except OSError as error:
        raise SnapshotError(f"lake {lake}: {error.strerror}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SnapshotError(f"cluster {cluster} is being collected into {lake} by another process") from None
        yield


def _locked(scratch: Path) -> BinaryIO:
    """Make the folder and its lock file. The lock is held before the file gets its name, so that no other run finds it free."""
    scratch.mkdir(parents=True)
    lock_file = scratch.with_suffix(".lock")
    unnamed = scratch.with_suffix(".begun")
    lock = unnamed.open("xb")
    fcntl.flock(lock, fcntl.LOCK_EX)
    unnamed.rename(lock_file)
    return lock


def _sweep(lake: Path) -> None:
    """Tidy up after every batch that was begun, never published, and is not held."""
    begun = {path.name for table in schemas.STORED for path in (lake / table).glob("*")} | {
        path.stem for path in (lake / "running").glob("*.lock")
    }
    for batch in begun:
        if not manifest.path_of(lake, batch).is_file() and not is_held(lake, batch):
            _tidy(lake, batch)


def is_held(lake: Path, batch: str) -> bool:
    """Tell whether a batch is being written."""
    # A run renames its lock from the first name to the second: in this order one of the two is always found.
    return any(_is_locked(lake / "running" / f"{batch}.{word}") for word in ("begun", "lock"))


def _is_locked(lock_file: Path) -> bool:
    try:
        with lock_file.open() as lock:
            # Shared: two runs that look at the same time do not take each other for the writer.
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _tidy(lake: Path, batch: str) -> None:
    """Delete everything of a batch that its manifest, if it has one, does not name."""
    published = manifest.path_of(lake, batch)
    named = {lake / file for files in manifest.read(published).tables.values() for file in files} if published.is_file() else set()
    for table in schemas.STORED:
        folder = lake / table / batch
        for path in folder.glob("*"):
            if path not in named:
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    unpublished = manifest.unpublished_path_of(lake, batch)
    if unpublished.is_file():
        unpublished.unlink(missing_ok=True)
    for word in ("lock", "begun"):
        (lake / "running" / f"{batch}.{word}").unlink(missing_ok=True)
    shutil.rmtree(lake / "running" / batch, ignore_errors=True)
