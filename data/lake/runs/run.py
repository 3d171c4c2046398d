"""A run that writes a batch: it holds a lease, deletes at its end what no manifest names, and first what killed runs left."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from data.lake import manifest
from data.lake.manifest import Manifest
from data.lake.place import Found, Place
from data.lake.runs import lease
from data.lake.writing import SCHEMAS

INPUTS = "inputs"
"""Folder of inputs that are copied beside the lake, `inputs/<batch>/<number>`."""


@contextmanager
def running(lake: Place, batch: str, otherwise: Manifest | None = None) -> Iterator[None]:
    """Hold a batch of a lake while this is open. First delete what killed runs left, at the end every file that no manifest names.

    `otherwise`: what is published in place of the batch when this run is killed.

    Raises
    ------
    SnapshotError
        When the lake cannot be written, or a living run has this batch.
    """
    with lease.leased(lake, batch, note=manifest.encoded(otherwise) if otherwise else b""):
        sweep(lake, batch)
        try:
            yield
        finally:
            _tidy(lake, batch)


def sweep(lake: Place, own: str | None = None) -> None:
    """Give up every batch whose run no longer renews its lease; `own`: the batch of the run that asks."""
    held = {batch: last for batch, last in lease.holders(lake).items() if batch != own}
    now = lease.now(lake) if held else None
    for batch, last in held.items():
        if now and lease.is_over(last, now):
            give_up(lake, batch, last, now)


def give_up(lake: Place, batch: str, last: Found, now: datetime) -> None:
    """End a batch of a run that was killed; `last`: its lease. Nothing is left but what the lease says is published in its place."""
    # First: a run that was only asleep can then publish nothing of what is deleted here.
    manifest.abandon(lake, batch, now, lease.note_of(lake, last))
    _tidy(lake, batch)
    lake.delete(found.key for found in lake.found(f"{lease.FOLDER}/{batch}"))


def _tidy(lake: Place, batch: str) -> None:
    """Delete every file of a batch that its manifest, if it has one, does not name."""
    named = manifest.named_files(lake, batch)
    lake.delete(found.key for table in (*SCHEMAS, INPUTS) for found in lake.found(f"{table}/{batch}") if found.key not in named)
