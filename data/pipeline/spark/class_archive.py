"""The classes that Spark's Java loads, kept by the first start for all later ones (application class-data sharing, JEP 350): a start takes less than half the processor time."""

import hashlib
import shlex
import sys
import time
from pathlib import Path

import pyspark

STALE_SECONDS = 3600.0
"""After this long without an archive another Java may write one: the first one was killed."""


def options(java_home: Path, others: str, folder: Path = Path(sys.prefix)) -> str:
    """Return Java's options to use the archive, to write it at exit, or none: while another Java is to write it, and where `folder` cannot be written.

    The archive is Java's own: it ignores one of other jars, one that is being written, and one that is cut. It stays in the environment of the packages, 160 MB, and goes with it;
    one for another `java_home`, for `others`, the other options, or for another Spark takes its place.
    """
    key = hashlib.sha256("\0".join((pyspark.__version__, str(java_home), _release(java_home), others)).encode()).hexdigest()[:12]
    archive = folder / f"spark-classes-{key}.jsa"
    if archive.exists():
        return shlex.quote(f"-XX:SharedArchiveFile={archive}")
    if not _is_first(archive.with_suffix(".begun")):
        return ""
    for earlier in folder.glob("spark-classes-*.jsa"):
        earlier.unlink(missing_ok=True)
    return shlex.quote(f"-XX:ArchiveClassesAtExit={archive}")


def _release(java_home: Path) -> str:
    try:
        return (java_home / "release").read_text()
    except OSError:
        return ""


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
