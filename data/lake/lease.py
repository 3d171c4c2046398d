"""Lease: an object with a time renewed by its writer, to tell a living run from a killed run.

The folder or service sets the times of objects. For a lake in a folder that is this machine's
clock, which may be changed: so a lease also has its renewal in time since the machine's start, for
processes of the same machine. The n-th holder of a name has the object `<folder>/<name>/<n>`. A
lease that was not renewed for `LASTS` is free; then one process creates the next object, and
deletes the earlier objects.
"""

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

from evenkeel.data import clock
from evenkeel.data.errors import PlaceError, SnapshotError
from evenkeel.data.lake.place import Place, StoredObject
from evenkeel.data.lake.service import named_as

LASTS = timedelta(seconds=90)
RENEWED_AFTER = LASTS / 6

FOLDER = "leases"
"""Leases of runs that write a batch; the name is the batch."""

COLLECTORS = "collectors"
"""Leases of collectors; the name is the cluster."""

UPLOADS = "uploads"
"""Leases of uploads, in the place of each upload; the name is the upload. It is held from before
the first byte until the bytes are deleted.
"""

TIDYING = "tidying"
"""Lease of the only process that tidies a lake."""

CLOCK = "clock"
"""Folder of objects that are written to see the time."""


class HeldError(SnapshotError):
    """A living run has the name."""


class Lease:
    """The right to write under a name, as long as it is renewed. `note`: a message for other
    processes if the holder is killed.
    """

    def __init__(self, lake: Place, key: str, note: bytes = b""):
        self._lake, self._key = lake, key
        self._token, self._note = secrets.token_hex(16).encode(), note
        self._is_over, self.is_kept = threading.Event(), False
        self._renewing = threading.Thread(target=self._renew, name=f"lease {key}", daemon=True)

    def begin(self) -> bool:
        """Take the lease; False if another process was faster."""
        # Not synced: after a power loss, a lease of this machine has no use.
        if not self._lake.create(self._key, self._data, lasts=False):
            return False
        self._renewing.start()
        return True

    @property
    def _data(self) -> bytes:
        """The object's present content: its holder, and this machine's own time of the renewal."""
        return b"%s %s %r\n%s" % (
            self._token,
            clock.boot().encode() or b"-",
            clock.steady(),
            self._note,
        )

    @property
    def is_last(self) -> bool:
        """Whether no other run has taken the name since; a holder that slept longer than the lease
        lasts must check.
        """
        folder, name, _ = self._key.split("/")
        with named_as(str(self._lake)):
            last = _last(self._lake, name, folder)
            return last is not None and last.key == self._key and self._is_there()

    def keep(self) -> None:
        """Do not delete the lease at its end: the next sweep uses the expired lease to clean up
        after the holder.
        """
        self.is_kept = True

    def end(self) -> None:
        """Give the lease back. If the service does not answer, the lease expires by itself."""
        self._is_over.set()
        self._renewing.join()
        with suppress(PlaceError):
            if not self.is_kept and self._is_there():
                self._lake.delete([self._key])

    def _renew(self) -> None:
        while not self._is_over.wait(RENEWED_AFTER.total_seconds()):
            # A service that is away for a moment does not end the run: the next renewal may be in
            # time.
            with suppress(PlaceError):
                if not self._is_there():
                    return
                self._lake.write(self._key, self._data, lasts=False)

    def _is_there(self) -> bool:
        """Return whether the object is still this holder's: after a sweep another holder may have
        it.
        """
        try:
            return self._lake.read(self._key).startswith(self._token)
        except FileNotFoundError:
            return False


@contextmanager
def leased(lake: Place, name: str, folder: str = FOLDER, note: bytes = b"") -> Iterator[Lease]:
    """Hold the lease of a name inside the block.

    Raises
    ------
    HeldError
        If a living run holds the lease.
    SnapshotError
        If the lake cannot be written.
    """
    with named_as(str(lake)):
        before = lake.found(f"{folder}/{name}")
        last = before[-1] if before else None
        number = int(last.key.rpartition("/")[2]) + 1 if last else 0
        lease = Lease(lake, f"{folder}/{name}/{number:06d}", note)
        if (last and not is_over(lake, last, now(lake))) or not lease.begin():
            raise HeldError(f"{lake}: another process writes {name}")
    try:
        with suppress(PlaceError):
            lake.delete(lease_file.key for lease_file in before)
        yield lease
    finally:
        lease.end()


def holders(lake: Place) -> dict[str, StoredObject]:
    """Return the last lease of every leased name."""
    return {file.key.split("/")[1]: file for file in lake.found(FOLDER)}


def note_of(lake: Place, lease: StoredObject) -> bytes:
    """Return the note of a lease; empty if it was given back."""
    try:
        return lake.read(lease.key).partition(b"\n")[2]
    except FileNotFoundError:
        return b""


def is_held(lake: Place, name: str, folder: str = FOLDER) -> bool:
    """Return whether a living run has a name."""
    last = _last(lake, name, folder)
    return last is not None and not is_over(lake, last, now(lake))


def is_over(lake: Place, lease: StoredObject, now: datetime) -> bool:
    """Return whether a lease was not renewed in time."""
    age = now - lease.written_at
    if timedelta(0) <= age <= LASTS:
        return False
    # The holder is dead, or the clock was set.
    steady = _steady_age(lake, lease)
    return (age if steady is None else steady) > LASTS


def _steady_age(lake: Place, lease: StoredObject) -> timedelta | None:
    """Return the time since this machine renewed a lease, None if another machine renewed it, or
    this machine before its restart.
    """
    try:
        _, boot, steady = lake.read(lease.key).partition(b"\n")[0].split(b" ")
    except (FileNotFoundError, ValueError):
        return None
    return (
        timedelta(seconds=clock.steady() - float(steady)) if boot.decode() == clock.boot() else None
    )


def now(lake: Place) -> datetime:
    """Return the time by the clock of the lake's objects."""
    key = f"{CLOCK}/{secrets.token_hex(8)}"
    lake.write(key, b"now", lasts=False)
    try:
        return lake.written_at(key)
    finally:
        lake.delete([key])


def _last(lake: Place, name: str, folder: str) -> StoredObject | None:
    return max(lake.found(f"{folder}/{name}"), default=None, key=lambda file: file.key)


# Leases of killed holders whose name nobody takes again, and what killed processes left of the
# clock: deleted when old.


OLD = timedelta(days=1)
"""Far longer than a lease lasts: a holder whose service is away for hours continues when the
service is back.
"""


def delete_old(lake: Place, now: datetime) -> None:
    """Delete leases last written longer ago; leases of batches remain: they name unfinished
    work.
    """
    lake.delete(
        file.key
        for folder in (COLLECTORS, TIDYING, CLOCK)
        for file in lake.found(folder)
        if now - file.written_at > OLD
    )
