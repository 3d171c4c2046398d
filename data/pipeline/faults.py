"""Errors of Spark, its workers and the disk, as one line each. The line names the files."""

import errno
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from py4j.protocol import Py4JError, Py4JNetworkError
from pyspark.errors import PySparkException

from evenkeel.data.errors import PlaceError, SnapshotError
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.service import in_words
from evenkeel.data.pipeline.session import java_has_ended
from evenkeel.data.text.formats import listed

_SHOWN_NAMES = 3
_ENDS_SECONDS = 1
"""A killed process closes its connections a moment before it ends."""

_OURS = re.compile(r"(?:[\w.]+\.)?SnapshotError: (.+)")
_OF_A_PLACE = re.compile(r"(?:[\w.]+\.)?PlaceError: (.+?): (.+)")
_OS_ERROR = re.compile(r"(?:\w*Error): \[Errno (\d+)\] .*?(?:: '(.+)')?")
_JAVA_FRAME = re.compile(r"\s+(?:at |\.\.\. \d+ more)")
_JAVA_IS_FULL = re.compile(r"java\.io\.\w*Exception: .*No space left on device.*")


@contextmanager
def named_errors(names: Sequence[str], lake: Place) -> Iterator[None]:
    """Turn an error in the `with` block, from Spark, a worker or the operating system, into one
    line.

    Raises
    ------
    PlaceError
        If a file or folder cannot be read or written. The message names the file or folder. If
        its name is unknown, the message names the lake.
    SnapshotError
        For any other such error. The message names the input files.
    """
    try:
        yield
    except SnapshotError:
        raise
    except Exception as error:
        named = _named(error, names, lake)
        if named is error:
            raise
        raise named from error


def _named(error: Exception, names: Sequence[str], lake: Place) -> Exception:
    """Turn an error into an error with one line. An error of an unknown kind is returned
    unchanged.
    """
    if _is_end_of_java(error):
        return SnapshotError(
            f"{listed(names, _SHOWN_NAMES)}: the Java process of Spark has ended; nothing is"
            " stored, try again"
        )
    if isinstance(error, OSError):
        return (
            _on_disk(error.errno, error.filename, lake)
            if error.errno
            else PlaceError(f"lake {lake}", in_words(error))
        )
    return (
        _of_spark(str(error).strip(), names, lake)
        if isinstance(error, (PySparkException, Py4JError))
        else error
    )


def _is_end_of_java(error: Exception) -> bool:
    """Return whether Spark's Java process has ended. Then other errors may be raised first, for
    example an Arrow error about a missing schema.
    """
    if isinstance(error, (Py4JNetworkError, ConnectionError)):
        return True
    is_told = isinstance(error, PySparkException) or getattr(error, "errno", None) is not None
    return java_has_ended(0 if is_told else _ENDS_SECONDS)


def _of_spark(text: str, names: Sequence[str], lake: Place) -> SnapshotError:
    cause = _cause(text)
    if match := _OF_A_PLACE.fullmatch(cause):
        return PlaceError(match[1], match[2])
    if match := _OURS.fullmatch(cause):
        return SnapshotError(match[1])
    if match := _OS_ERROR.fullmatch(cause):
        return _on_disk(int(match[1]), match[2], lake)
    if _JAVA_IS_FULL.fullmatch(cause):
        return _on_disk(errno.ENOSPC, None, lake)
    return SnapshotError(f"{listed(names, _SHOWN_NAMES)}: {cause}")


def _cause(text: str) -> str:
    """Return the line that names the cause: in a Java trace the last cause, in a Python trace the
    last line.
    """
    lines = [line for line in text.splitlines() if line.strip() and not _JAVA_FRAME.match(line)]
    return ([line for line in lines if line.startswith("Caused by: ")] or lines or ["failed"])[
        -1
    ].removeprefix("Caused by: ")


def _on_disk(number: int, filename: str | None, lake: Place) -> PlaceError:
    return PlaceError(filename or f"lake {lake}", os.strerror(number))
