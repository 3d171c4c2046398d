"""The audit log: a JSON line for each login, refusal, opened group, upload, share, export and key.

A line contains the user, the time, the event and the address of the user. Example:

    who = {"who": "corporate:248289", "name": "Ada", "address": "10.4.1.17"}
    write("open", **who, cluster="production", group="payments")

The lines go to the file that `[audit]` names, or to standard output. The file is rotated at a size
limit. No line contains a token, a key or the name of a record.
"""

import atexit
import json
import logging
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from itertools import count, takewhile
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Literal, NamedTuple

from evenkeel.data.clock import now
from evenkeel.data.configuration.reading import last_good
from evenkeel.data.configuration.rights import AuditSettings
from evenkeel.data.errors import SnapshotError

Event = Literal[
    *("login", "logout", "refusal", "open", "upload", "export"),
    *("share", "share opened", "share deleted", "key made", "key revoked", "mark", "mark deleted"),
]
STDOUT = AuditSettings().path

_LOG = logging.getLogger("evenkeel")
_LONGEST = 300


def write(event: Event, is_command: bool = False, **facts: str | None) -> None:
    """Write a line, if the server has logins or `[audit]` is set.

    `is_command`: the caller is a command. If there is no audit file, the line goes to standard
    error. Repeated events of anonymous users at one address become one line a minute with a count,
    so that the file keeps older lines.
    """
    # If evenkeel.toml has an error, the last valid version says where to write.
    chosen = last_good()
    if chosen.audit is None and not chosen.is_closed:
        return
    settings = chosen.audit or AuditSettings()
    line = _Line(now(), event, {key: value[:_LONGEST] for key, value in facts.items() if value})
    if is_command or "who" in line.fields:
        _put(settings, line, is_command)
    else:
        _crowd(settings).add(line)


class _Line(NamedTuple):
    at: datetime
    event: str
    fields: Mapping[str, str | int]


def _put(settings: AuditSettings, line: _Line, is_command: bool = False) -> None:
    text = json.dumps(
        {"at": f"{line.at:%Y-%m-%dT%H:%M:%S.%fZ}", "event": line.event, **line.fields},
        ensure_ascii=False,
    )
    if settings.path == STDOUT:
        print(text, file=sys.stderr if is_command else sys.stdout, flush=True)
        return
    try:
        file = _file(settings.path, 0 if is_command else int(settings.size), settings.keep)
        file.handle(logging.LogRecord("", 0, "", 0, text, None, None))
    except Exception as error:
        _LOG.error("audit: %s: %s", settings.path, getattr(error, "strerror", None) or error)


def lines(path: str) -> Iterator[dict[str, Any] | None]:
    """Return the lines of the audit file and of its rotated files, oldest first.

    None in place of a damaged line.

    Raises
    ------
    SnapshotError
        If the file does not exist or cannot be read.
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
        If the time has no zone.
    """
    time = datetime.fromisoformat(line["at"])
    if time.tzinfo is None:
        raise ValueError(f"at: found {time}, expected a time with its zone")
    return time


def _former(path: Path) -> list[Path]:
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
    """A log file that only the user of the process can read. A failed write raises an exception."""

    def _open(self):
        return open(
            self.baseFilename,
            "a",
            encoding="utf-8",
            opener=lambda path, flags: os.open(path, flags, 0o600),
        )

    def handleError(self, record: logging.LogRecord) -> None:
        raise sys.exception() or OSError()


@lru_cache(maxsize=8)
def _file(path: str, size: int, keep: int) -> _Lines:
    return _Lines(path, maxBytes=size, backupCount=keep, delay=True)


# An anonymous user can send any number of requests. Each minute has two lines for each kind of
# event: the first event is written at once, and the number of further events follows.


_MOST_KINDS = 100
"""Largest number of kinds in a minute that are counted separately. Further kinds are counted
together, by event.
"""


class _Crowd:
    """Number of events of anonymous users in the present minute, for each kind of event."""

    def __init__(self, settings: AuditSettings):
        self._settings, self._lock = settings, threading.Lock()
        self._minute, self._kinds, self._is_timed = "", dict[tuple, tuple[int, _Line]](), False
        _CROWDS.append(self)

    def add(self, line: _Line) -> None:
        """Write the first event of each kind in a minute, and count further events.

        When the next minute starts, write the counts.
        """
        with self._lock:
            minute = f"{line.at:%Y-%m-%dT%H:%M}"
            if minute != self._minute:
                self._tell()
                self._minute = minute
            kind, line = self._kind(line)
            count, _ = self._kinds.get(kind, (0, line))
            self._kinds[kind] = count + 1, line
            if not count:
                _put(self._settings, line)
            elif not self._is_timed:
                self._tell_later()

    def end(self) -> None:
        """Write the counts."""
        with self._lock:
            self._is_timed = False
            self._tell()

    def _kind(self, line: _Line) -> tuple[tuple, _Line]:
        kind = line.event, *(line.fields.get(key) for key in ("address", "what", "why"))
        if kind in self._kinds or len(self._kinds) < _MOST_KINDS:
            return kind, line
        return (line.event,), line._replace(fields={"address": "many others"})

    def _tell(self) -> None:
        for times, line in self._kinds.values():
            if times > 1:
                _put(self._settings, line._replace(fields={**line.fields, "count": times - 1}))
        self._kinds.clear()

    def _tell_later(self) -> None:
        timer = threading.Timer(_MINUTE, self.end)
        timer.daemon = self._is_timed = True
        timer.start()


_MINUTE = 60.0


_CROWDS: list[_Crowd] = []


@lru_cache(maxsize=8)
def _crowd(settings: AuditSettings) -> _Crowd:
    return _Crowd(settings)


@atexit.register
def flush() -> None:
    """Write the counts. Python calls this function at a normal exit, but not if a signal ends the
    process.
    """
    for crowd in list(_CROWDS):
        crowd.end()
