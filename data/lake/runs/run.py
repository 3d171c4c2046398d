"""A run that writes a batch: it holds a lease, deletes at its end what no manifest names, and first what killed runs left."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from evenkeel.data.errors import PlaceError
from evenkeel.data.lake import manifest
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.objects.service_errors import may_be_done_late, named_as
from evenkeel.data.lake.place import Found, Place
from evenkeel.data.lake.runs import lease
from evenkeel.data.lake.writing import SCHEMAS

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
    with lease.leased(lake, batch, note=manifest.encoded(otherwise) if otherwise else b"") as own:
        with named_as(str(lake)):
            sweep(lake, batch)
        try:
            yield
        except PlaceError as error:
            # A file could appear after its deletion, a manifest after that of its files: whoever sweeps gives up the batch first.
            if may_be_done_late(error.cause):
                own.keep()
            raise
        finally:
            _tidy_now_or_later(lake, batch, own)


def sweep(lake: Place, own: str | None = None) -> None:
    """Give up every batch whose run no longer renews its lease; `own`: the batch of the run that asks."""
    held = {batch: last for batch, last in lease.holders(lake).items() if batch != own}
    now = lease.now(lake) if held else None
    for batch, last in held.items():
        if now and lease.is_over(lake, last, now):
            give_up(lake, batch, last, now)


def give_up(lake: Place, batch: str, last: Found, now: datetime) -> None:
    """End a batch of a run that was killed; `last`: its lease. Nothing is left but what the lease says is published in its place."""
    # First: a run that was only asleep can then publish nothing of what is deleted here.
    manifest.abandon(lake, batch, now, lease.note_of(lake, last))
    _tidy(lake, batch)
    lake.delete(found.key for found in lake.found(f"{lease.FOLDER}/{batch}"))


def _tidy_now_or_later(lake: Place, batch: str, own: lease.Lease) -> None:
    # A batch that is published is, and one that failed has an error of its own: what cannot be deleted now is no third case.
    try:
        if not own.is_kept:
            _tidy(lake, batch)
    except PlaceError:
        own.keep()


def _tidy(lake: Place, batch: str) -> None:
    """Delete every file of a batch that its manifest, if it has one, does not name."""
    named = manifest.named_files(lake, batch)
    lake.delete(found.key for table in (*SCHEMAS, INPUTS) for found in lake.found(f"{table}/{batch}") if found.key not in named)
