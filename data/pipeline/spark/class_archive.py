"""The classes that Spark's Java loads, kept by the first start for all later ones.

Application class-data sharing (JEP 350): a start takes less than half the processor time. From JDK 19 on Java keeps such an archive by
itself (JDK-8272331).
"""

import hashlib
import re
import shlex
import sys
import time
from os import W_OK, access
from pathlib import Path

import pyspark

STALE_SECONDS = 3600.0
"""After this long without an archive another Java may write one: the first one was killed."""

_FIRST_AUTOMATIC = 19


def options(java_home: Path, others: str, folder: Path = Path(sys.prefix)) -> str:
    """Return Java's options to use the archive or to write it at exit; none where another Java writes it or `folder` cannot be written.

    Java ignores an archive of other jars, one that is being written, and one that is cut. The archive, 160 MB, stays in the environment of
    the packages and goes with it. One for another `java_home`, for `others`, the other options, or for another Spark takes its place.
    """
    release = _release(java_home)
    key = hashlib.sha256("\0".join((pyspark.__version__, str(java_home), release, others)).encode()).hexdigest()[:12]
    archive = folder / f"spark-classes-{key}.jsa"
    is_automatic = _version(release) >= _FIRST_AUTOMATIC
    if not archive.exists():
        if not (access(folder, W_OK) if is_automatic else _is_first(archive.with_suffix(".begun"))):
            return ""
        for earlier in folder.glob("spark-classes-*.jsa"):
            earlier.unlink(missing_ok=True)
    return shlex.join(_automatic(archive) if is_automatic else _by_hand(archive))


def _automatic(archive: Path) -> list[str]:
    """Java writes the archive where there is none, and again where it is out of date."""
    # A later Java that has dropped an option would not start with it.
    return ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+AutoCreateSharedArchive", f"-XX:SharedArchiveFile={archive}"]


def _by_hand(archive: Path) -> list[str]:
    return [f"-XX:{'SharedArchiveFile' if archive.exists() else 'ArchiveClassesAtExit'}={archive}"]


def _release(java_home: Path) -> str:
    try:
        return (java_home / "release").read_text()
    except OSError:
        return ""


def _version(release: str) -> int:
    found = re.search(r'^JAVA_VERSION="(\d+)', release, re.MULTILINE)
    return int(found[1]) if found else 0


def _is_first(begun: Path) -> bool:
    try:
        begun.touch(exist_ok=False)
    except FileExistsError:
        is_stale = begun.stat().st_mtime + STALE_SECONDS < time.time()
        if is_stale:
            begun.touch()
        return is_stale
    except OSError:
        return False
    return True
