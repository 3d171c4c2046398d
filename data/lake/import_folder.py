"""The place of one upload in a lake. Of a lake in a folder, other users of this machine cannot read it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

from evenkeel.data import clock
from evenkeel.data.errors import PlaceError, SnapshotError
from evenkeel.data.lake.place import Place

FOLDER = "imports"


@contextmanager
def private_place(lake: Place, batch: str) -> Iterator[Place]:
    """Make the place of an upload and yield it; after an error nothing is left of it.

    Raises
    ------
    SnapshotError
        When the lake cannot be written.
    """
    home = lake / FOLDER / batch
    make_private(home, lake)
    try:
        yield home
    except BaseException:
        # What a service does not delete now goes with the expired uploads; the first error says what failed.
        with suppress(PlaceError):
            home.delete_all()
        raise
    # Tasks write files with modes of their own.
    for path in home.folder.rglob("*") if home.folder else ():
        path.chmod(0o700 if path.is_dir() else 0o600)


def make_private(home: Place, lake: Place) -> None:
    """Of a lake in a folder, make a folder that other users of this machine cannot read, and the one around it."""
    if home.folder is None:
        return
    try:
        home.folder.parent.mkdir(parents=True, exist_ok=True)
        home.folder.parent.chmod(0o700)
        home.folder.mkdir(mode=0o700)
    except OSError as error:
        raise SnapshotError(f"lake {lake}: {error.strerror}") from error


def changed_at(home: Place) -> datetime:
    """Return when something of an upload was last written."""
    empty = clock.seconds()
    # Whoever made it may delete it meanwhile.
    with suppress(FileNotFoundError):
        empty = home.folder.stat().st_mtime if home.folder else empty
    return max((found.written_at for found in home.found()), default=datetime.fromtimestamp(empty, UTC))


def import_places(lake: Place) -> list[Place]:
    """Return the places of all uploads, also of those that are being written or whose run was killed."""
    return [lake / FOLDER / name for name in lake.names(FOLDER)]
