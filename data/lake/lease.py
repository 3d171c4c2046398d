"""A lease shows whether a run is alive. A living run rewrites its lease regularly; a killed run
does not.

The lake's folder or service sets the time of each object. In a folder, this time is from the clock
of this machine, and somebody may set the clock. So a lease also contains the time since this
machine started. Processes on the same machine use this second time.

The n-th holder of a name has the object `<folder>/<name>/<n>`. A lease is free if it was not
renewed for `LASTS`. Then one process creates the next object and deletes the earlier objects.
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
"""Leases of runs that write a batch. The name of a lease is the name of the batch."""

COLLECTORS = "collectors"
"""Leases of collectors. The name of a lease is the name of the cluster."""

UPLOADS = "uploads"
"""Leases of uploads, in the place of each upload. The name of a lease is the id of the upload. The
lease is held from before the first write until the upload is deleted.
"""

TIDYING = "tidying"
"""Lease of the only process that tidies a lake."""

CLOCK = "clock"
"""Folder of objects that are written to learn the time of the lake."""


class HeldError(SnapshotError):
    """Another living run holds the lease."""


class Lease:
    """The right of one run to write under a name. The holder must renew the lease. `note`: a
    message that other processes read if the holder is killed.
    """

    def __init__(self, lake: Place, key: str, note: bytes = b""):
        self._lake, self._key = lake, key
        self._token, self._note = secrets.token_hex(16).encode(), note
        self._is_over, self.is_kept = threading.Event(), False
        self._renewing = threading.Thread(target=self._renew, name=f"lease {key}", daemon=True)

    def begin(self) -> bool:
        """Create the lease. Return False if another process created it first."""
        # Not synced: after a power loss, a lease of this machine is useless.
        if not self._lake.create(self._key, self._data, lasts=False):
            return False
        self._renewing.start()
        return True

    @property
    def _data(self) -> bytes:
        """The content of the lease: the holder's token, this machine's boot id, the time since
        its start, and the note.
        """
        return b"%s %s %r\n%s" % (
            self._token,
            clock.boot().encode() or b"-",
            clock.steady(),
            self._note,
        )

    @property
    def is_last(self) -> bool:
        """Whether no other run has leased the name since this lease began. A holder must check this
        if it was stopped for longer than `LASTS`.
        """
        folder, name, _ = self._key.split("/")
        with named_as(str(self._lake)):
            last = _last(self._lake, name, folder)
            return last is not None and last.key == self._key and self._is_there()

    def keep(self) -> None:
        """Do not delete the lease when it ends. Then the next sweep can delete the files of this
        run.
        """
        self.is_kept = True

    def end(self) -> None:
        """Delete the lease. If the service does not answer, the lease expires."""
        self._is_over.set()
        self._renewing.join()
        with suppress(PlaceError):
            if not self.is_kept and self._is_there():
                self._lake.delete([self._key])

    def _renew(self) -> None:
        while not self._is_over.wait(RENEWED_AFTER.total_seconds()):
            # A short failure of the service does not end the run, because the next renewal may be
            # in time.
            with suppress(PlaceError):
                if not self._is_there():
                    return
                self._lake.write(self._key, self._data, lasts=False)

    def _is_there(self) -> bool:
        """Return whether the object still belongs to this lease. If the lease expired, another run
        may have replaced the object.
        """
        try:
            return self._lake.read(self._key).startswith(self._token)
        except FileNotFoundError:
            return False


@contextmanager
def leased(lake: Place, name: str, folder: str = FOLDER, note: bytes = b"") -> Iterator[Lease]:
    """Hold the lease of a name while the `with` block runs.

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
    """Return the latest lease of each leased name."""
    return {file.key.split("/")[1]: file for file in lake.found(FOLDER)}


def note_of(lake: Place, lease: StoredObject) -> bytes:
    """Return the note of a lease. It is empty if the holder deleted the lease."""
    try:
        return lake.read(lease.key).partition(b"\n")[2]
    except FileNotFoundError:
        return b""


def is_held(lake: Place, name: str, folder: str = FOLDER) -> bool:
    """Return whether a living run holds the lease of a name."""
    last = _last(lake, name, folder)
    return last is not None and not is_over(lake, last, now(lake))


def is_over(lake: Place, lease: StoredObject, now: datetime) -> bool:
    """Return whether a lease was not renewed in time."""
    age = now - lease.written_at
    if timedelta(0) <= age <= LASTS:
        return False
    # Either the holder was killed, or the clock was changed.
    steady = _steady_age(lake, lease)
    return (age if steady is None else steady) > LASTS


def _steady_age(lake: Place, lease: StoredObject) -> timedelta | None:
    """Return the time since the last renewal. None if another machine renewed the lease, or if this
    machine was restarted after the renewal.
    """
    try:
        _, boot, steady = lake.read(lease.key).partition(b"\n")[0].split(b" ")
    except (FileNotFoundError, ValueError):
        return None
    return (
        timedelta(seconds=clock.steady() - float(steady)) if boot.decode() == clock.boot() else None
    )


def now(lake: Place) -> datetime:
    """Return the present time by the clock of the lake, which sets the times of objects."""
    key = f"{CLOCK}/{secrets.token_hex(8)}"
    lake.write(key, b"now", lasts=False)
    try:
        return lake.written_at(key)
    finally:
        lake.delete([key])


def _last(lake: Place, name: str, folder: str) -> StoredObject | None:
    return max(lake.found(f"{folder}/{name}"), default=None, key=lambda file: file.key)


# Leases of killed holders, if no other run leases the name again, and clock objects of killed
# processes.


OLD = timedelta(days=1)
"""Much longer than a lease, so that a holder continues after an outage of hours."""


def delete_old(lake: Place, now: datetime) -> None:
    """Delete leases, and objects of `CLOCK`, that were last written more than a day ago. Leases of
    batches are not deleted here: `sweep` needs them to find the batches of killed runs.
    """
    for folder in (COLLECTORS, TIDYING, CLOCK):
        lake.delete(file.key for file in lake.found(folder) if now - file.written_at > OLD)
