"""Probe: check whether a lake can be written now. A test object with a random name is written, read
and deleted.
"""

import secrets
from contextlib import suppress
from datetime import datetime, timedelta

from evenkeel.data.errors import PlaceError
from evenkeel.data.lake.import_folder import changed_at
from evenkeel.data.lake.place import Place

FOLDER = "probes"

_KEY, _SIZE = "probe", 4096
_LEFT_AFTER = timedelta(minutes=1)
"""Much longer than a probe takes, so an older probe was left by a killed process."""

_SEEN: set[Place] = set()
"""Lakes that this process has used. If the folder of such a lake is missing, it was deleted."""


def note(lake: Place) -> None:
    """Remember that the folder of this lake exists. If the folder is missing later, `check` reports
    that it was deleted.
    """
    if lake.folder and lake.folder.is_dir():
        _SEEN.add(lake)


def check(lake: Place) -> None:
    """Write a test object, read it and delete it. Also delete test objects of killed processes.

    Raises
    ------
    PlaceError
        If the lake cannot be written. The message has the reason: full, read-only, deleted, or
        the service refuses or does not answer.
    """
    try:
        if lake in _SEEN and lake.folder and not lake.folder.is_dir():
            raise PlaceError(str(lake), "the folder was deleted while this process ran")
        _probe(lake, lake / FOLDER / secrets.token_hex(8))
    except PlaceError as error:
        raise PlaceError(f"lake {lake}", error.cause) from None
    _SEEN.add(lake)


def _probe(lake: Place, home: Place) -> None:
    data = secrets.token_bytes(_SIZE)
    try:
        home.write(_KEY, data)
        if home.read(_KEY) != data:
            raise PlaceError(str(lake), "a test object has other bytes after the write")
        _delete_left(lake, home.written_at(_KEY))
    except FileNotFoundError:
        raise PlaceError(str(lake), "a test object is missing after the write") from None
    finally:
        with suppress(PlaceError):
            home.delete_all()
    if home.holds(_KEY):
        raise PlaceError(str(lake), "a test object cannot be deleted")


def _delete_left(lake: Place, now: datetime) -> None:
    for name in lake.names(FOLDER):
        if now - changed_at(left := lake / FOLDER / name) > _LEFT_AFTER:
            left.delete_all()
