"""Audit: one JSON line for each login, refusal, opening of a group, upload, share, export and key: who, when, what and from where.

    write("open", who="corporate:248289", name="Ada", address="10.4.1.17", cluster="production", group="payments")

A line goes to the file of `[audit]`, which turns at its size, or to standard output. No line has a token, a key or a name of a record.
"""

import json
import logging
import os
import sys
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from itertools import count, takewhile
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Literal

from evenkeel.data.clock import now
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.login import AuditSettings
from evenkeel.data.errors import SnapshotError

Event = Literal[
    *("login", "logout", "refusal", "open", "upload", "export"), *("share", "share opened", "share deleted", "key made", "key revoked")
]
STDOUT = AuditSettings().path

_LOG = logging.getLogger("evenkeel")
_LONGEST = 300


def write(event: Event, is_command: bool = False, **facts: str | None) -> None:
    """Write a line; a server that is open and has no `[audit]` writes none. `is_command`: standard output is the command's own."""
    chosen = configuration()
    if chosen.audit is None and not chosen.is_closed:
        return
    settings = chosen.audit or AuditSettings()
    said = {key: value[:_LONGEST] for key, value in facts.items() if value}
    line = json.dumps({"at": f"{now():%Y-%m-%dT%H:%M:%S.%fZ}", "event": event, **said}, ensure_ascii=False)
    if settings.path == STDOUT:
        print(line, file=sys.stderr if is_command else sys.stdout, flush=True)
        return
    try:
        file = _file(settings.path, 0 if is_command else int(settings.size), settings.keep)
        file.handle(logging.LogRecord("", 0, "", 0, line, None, None))
    except Exception as error:
        _LOG.error("audit: %s: %s", settings.path, getattr(error, "strerror", None) or error)


def lines(path: str) -> Iterator[dict[str, Any] | None]:
    """Return the lines of a file and of those that it was before, the oldest first; None for one that is damaged.

    Raises
    ------
    SnapshotError
        Where there is no such file, or it cannot be read.
    """
    for file in [*reversed(_former(Path(path))), Path(path)]:
        try:
            with file.open(encoding="utf-8", errors="replace") as text:
                yield from map(_decoded, text)
        except OSError as error:
            raise SnapshotError(f"audit: {file}: {error.strerror}") from None


def time_of(line: dict[str, Any]) -> datetime:
    """Return when a line was written.

    Raises
    ------
    ValueError
        For a time without a zone.
    """
    found = datetime.fromisoformat(line["at"])
    if found.tzinfo is None:
        raise ValueError(f"at: found {found}, expected a time with its zone")
    return found


def _former(path: Path) -> list[Path]:
    """Return what the file was before it turned, the youngest first."""
    numbered = (path.with_name(f"{path.name}.{number}") for number in count(1))
    return list(takewhile(Path.is_file, numbered))


def _decoded(text: str) -> dict[str, Any] | None:
    try:
        line = json.loads(text)
        time_of(line)
        return line
    except (ValueError, KeyError, TypeError):
        return None


class _Lines(RotatingFileHandler):
    """A file that only its user can read, before and after it turns; what cannot be written is told to whoever writes."""

    def _open(self):
        return open(self.baseFilename, "a", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600))

    def handleError(self, record: logging.LogRecord) -> None:
        raise sys.exception() or OSError()


@lru_cache(maxsize=8)
def _file(path: str, size: int, keep: int) -> _Lines:
    return _Lines(path, maxBytes=size, backupCount=keep, delay=True)
