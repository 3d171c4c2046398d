"""Lease: an object with a time that its writer renews, so that others tell a living run from one that was killed.

No machine's clock is asked: times are those that the folder or the service gives to objects. The n-th holder of a name has the object
`<folder>/<name>/<n>`. A lease that was not renewed for `LASTS` is free; of several that want it then, one creates the next object.
"""

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

from data.errors import SnapshotError
from data.lake.place import Found, Place

LASTS = timedelta(seconds=90)
RENEWED_AFTER = LASTS / 6

FOLDER = "leases"
"""Of runs that write a batch; its name is the batch."""


class Lease:
    """The right to write under a name, as long as it is renewed."""

    def __init__(self, lake: Place, key: str):
        self._lake, self._key = lake, key
        self._data = secrets.token_hex(16).encode()
        self._is_over = threading.Event()
        self._renewing = threading.Thread(target=self._renew, name=f"lease {key}", daemon=True)

    def begin(self) -> bool:
        """Take the lease; False where another was faster."""
        if not self._lake.create(self._key, self._data):
            return False
        self._renewing.start()
        return True

    def end(self) -> None:
        """Give it back."""
        self._is_over.set()
        self._renewing.join()
        self._lake.delete([self._key])

    def _renew(self) -> None:
        while not self._is_over.wait(RENEWED_AFTER.total_seconds()):
            # A service that is away for a moment does not end the run: the next renewal may be in time.
            with suppress(SnapshotError):
                self._lake.write(self._key, self._data)


@contextmanager
def leased(lake: Place, name: str, folder: str = FOLDER) -> Iterator[None]:
    """Hold the lease of a name while this is open.

    Raises
    ------
    SnapshotError
        Where a living run holds it, and where the lake cannot be written.
    """
    last = _last(lake, name, folder)
    number = int(last.key.rpartition("/")[2]) + 1 if last else 0
    lease = Lease(lake, f"{folder}/{name}/{number:06d}")
    if (last and not is_over(last, now(lake))) or not lease.begin():
        raise SnapshotError(f"{lake}: another process writes {name}")
    try:
        yield
    finally:
        lease.end()


def holders(lake: Place) -> dict[str, Found]:
    """Return the last lease of every name that has one."""
    return {found.key.split("/")[1]: found for found in lake.found(FOLDER)}


def is_held(lake: Place, name: str) -> bool:
    """Tell whether a living run holds a name."""
    last = _last(lake, name, FOLDER)
    return last is not None and not is_over(last, now(lake))


def is_over(lease: Found, now: datetime) -> bool:
    """Tell whether a lease was not renewed in time."""
    return now - lease.written_at > LASTS


def now(lake: Place) -> datetime:
    """Return the time by the clock that dates the lake's objects."""
    key = f"clock/{secrets.token_hex(8)}"
    lake.write(key, b"now")
    try:
        return lake.written_at(key)
    finally:
        lake.delete([key])


def _last(lake: Place, name: str, folder: str) -> Found | None:
    return max(lake.found(f"{folder}/{name}"), default=None, key=lambda found: found.key)
