"""A run that writes a batch: it holds a lease, and whatever no manifest names is gone when it ends or after it was killed."""

from collections.abc import Iterator
from contextlib import contextmanager

from data.lake import lease, manifest
from data.lake.place import Place
from data.lake.writing import SCHEMAS


@contextmanager
def running(lake: Place, batch: str) -> Iterator[None]:
    """Hold a batch of a lake while this is open. Afterwards files that no manifest names are gone; first those of runs that were killed.

    Raises
    ------
    SnapshotError
        When the lake cannot be written, or a living run has this batch.
    """
    with lease.leased(lake, batch):
        sweep(lake)
        try:
            yield
        finally:
            _tidy(lake, batch)


def sweep(lake: Place) -> None:
    """Give up every batch whose run no longer renews its lease, and delete its files."""
    held = lease.holders(lake)
    now = lease.now(lake) if len(held) > 1 else None
    for batch, last in held.items():
        if now and lease.is_over(last, now):
            # First: a run that was only asleep can then publish nothing of what is deleted here.
            manifest.abandon(lake, batch, now)
            _tidy(lake, batch)
            lake.delete(found.key for found in lake.found(f"{lease.FOLDER}/{batch}"))


def _tidy(lake: Place, batch: str) -> None:
    """Delete every file of a batch that its manifest, if it has one, does not name."""
    try:
        named = {file for files in manifest.read(lake, batch).tables.values() for file in files}
    except FileNotFoundError:
        named = set()
    lake.delete(found.key for table in SCHEMAS for found in lake.found(f"{table}/{batch}") if found.key not in named)
