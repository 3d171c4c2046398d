"""The folder of one upload in a lake: other users of this machine cannot read it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from data.errors import SnapshotError


@contextmanager
def private_folder(lake: Path, batch: str) -> Iterator[Path]:
    """Make the folder of an upload and yield it; after an error it is gone.

    Tasks write files with modes of their own. Afterwards these modes keep other users out.

    Raises
    ------
    SnapshotError
        When the lake's folder cannot be written.
    """
    home = lake / "imports" / batch
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        home.parent.chmod(0o700)
        home.mkdir(mode=0o700)
    except OSError as error:
        raise SnapshotError(f"lake {lake}: {error.strerror}") from error
    try:
        yield home
    except BaseException:
        shutil.rmtree(home, ignore_errors=True)
        raise
    for path in home.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)


def import_folders(lake: Path) -> list[Path]:
    """Return the folders of all uploads, also of those that are being written or were killed."""
    return list((lake / "imports").glob("*"))
