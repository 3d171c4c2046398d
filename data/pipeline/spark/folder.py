"""One private folder for all that Spark writes while it runs: deleted when the process ends, or by the next one after a kill."""

import fcntl
import os
import shutil
import tempfile
from atexit import register
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TextIO

_PREFIX = "evenkeel-spark-"
_LOCK = "lock"


@cache
def spark_folder() -> Path:
    """Return the folder of this process. It is made at the first call, which also deletes those of killed processes."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        # One without its lock is being made.
        with suppress(OSError):
            _delete_left(left)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    lock = _locked(folder / ".lock", "x")
    (folder / ".lock").rename(folder / _LOCK)
    register(_delete, folder, lock)
    return folder


def _delete_left(folder: Path) -> None:
    # Another user's "lock" could be anything: a pipe would be opened for ever.
    if folder.lstat().st_uid == os.getuid():
        with _locked(folder / _LOCK, "r"):
            shutil.rmtree(folder, ignore_errors=True)


def _locked(path: Path, mode: str) -> TextIO:
    """Open a file and hold its lock until it is closed; BlockingIOError while another process holds it."""
    file = path.open(mode)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise
    return file


def _delete(folder: Path, lock: TextIO) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    lock.close()
