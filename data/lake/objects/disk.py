"""The disk of a folder: waits until a file is on it."""

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Wait until a file and its name in the folder are on disk."""
    for each in (path, path.parent):
        descriptor = os.open(each, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
