"""Private folders in a lake: uploads, and drafts of What-if. If the lake is a folder on this
machine, other users of the machine cannot read the private folders.
"""

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

from evenkeel.data import clock
from evenkeel.data.errors import PlaceError, SnapshotError
from evenkeel.data.lake.place import Place

FOLDER = "imports"


@contextmanager
def private_place(lake: Place, batch: str, is_upload: bool = True) -> Iterator[Place]:
    """Yield a new folder for an upload, or for a snapshot that a page has read from a broker. After
    an error, the folder is deleted.

    Raises
    ------
    SnapshotError
        If the lake cannot be written.
    """
    home, owner = lake / FOLDER / batch, _OWNER[0]() if is_upload else None
    make_private(home, lake)
    try:
        if owner:
            home.write(_OWNED, owner.encode(), lasts=False)
        yield home
    except BaseException:
        # Keep the first error. If the deletion fails too, the folder is deleted with the expired
        # uploads.
        with suppress(PlaceError):
            home.delete_all()
        raise
    # Spark's tasks write files with other modes.
    for path in home.folder.rglob("*") if home.folder else ():
        path.chmod(0o700 if path.is_dir() else 0o600)


def make_private(home: Place, lake: Place) -> None:
    """Make a folder and its parent that other users of this machine cannot read. Does nothing if
    the lake is not a folder.
    """
    if home.folder is None:
        return
    try:
        home.folder.parent.mkdir(parents=True, exist_ok=True)
        home.folder.parent.chmod(0o700)
        home.folder.mkdir(mode=0o700)
    except OSError as error:
        raise SnapshotError(f"lake {lake}: {error.strerror}") from error


def changed_at(home: Place) -> datetime:
    """Return the time of the last write to an upload."""
    empty = clock.seconds()
    # The upload may be deleted meanwhile.
    with suppress(FileNotFoundError):
        empty = home.folder.stat().st_mtime if home.folder else empty
    return max(
        (file.written_at for file in home.found()), default=datetime.fromtimestamp(empty, UTC)
    )


def import_places(lake: Place) -> list[Place]:
    """Return the places of all uploads, including unfinished uploads."""
    return [lake / FOLDER / name for name in lake.names(FOLDER)]


# The owner of an upload is in a file next to its tables, so owner and tables are deleted together.


_OWNED = "owner"
_OWNER: list[Callable[[], str | None]] = [lambda: None]


def belong_to(owner: Callable[[], str | None]) -> None:
    """Set the function that returns the owner of an upload. It is called for each later upload, and
    returns None if the upload has no owner.
    """
    _OWNER[0] = owner


def owner_of(home: Place) -> str | None:
    """Return the owner of an upload, None if the upload was made without a login."""
    try:
        return home.read(_OWNED).decode()
    except FileNotFoundError:
        return None


# Drafts of What-if that are too long for a URL. A draft has a random id, never changes, and is
# deleted after a day.


DRAFTS_KEPT = timedelta(days=1)

_FOLDER, _FILE = "drafts", "draft"
_ID = re.compile(r"[A-Za-z0-9_-]{22}")


def save_draft(lake: Place, text: str) -> str:
    """Store a draft and return its random id.

    Raises
    ------
    SnapshotError
        If the lake cannot be written.
    """
    draft_id = secrets.token_urlsafe(16)
    home = lake / _FOLDER / draft_id
    make_private(home, lake)
    home.write(_FILE, text.encode(), lasts=False)
    return draft_id


def read_draft(lake: Place, draft_id: str) -> str:
    """Return a draft.

    Raises
    ------
    SnapshotError
        If no draft has this id, or it was deleted.
    """
    try:
        if not _ID.fullmatch(draft_id):
            raise FileNotFoundError(draft_id)
        return (lake / _FOLDER / draft_id).read(_FILE).decode()
    except (FileNotFoundError, UnicodeDecodeError):
        raise SnapshotError("This address has no draft: drafts are deleted after a day.") from None


def delete_expired_drafts(lake: Place, now: datetime) -> int:
    """Delete the drafts that are at least a day old at `now`; return the number of
    deleted drafts.
    """
    expired = [
        home
        for name in lake.names(_FOLDER)
        if now - changed_at(home := lake / _FOLDER / name) >= DRAFTS_KEPT
    ]
    for home in expired:
        home.delete_all()
    return len(expired)
