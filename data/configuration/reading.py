"""Reads the configuration: `evenkeel.toml`, or the file of EVENKEEL_CONFIG.

EVENKEEL_LAKE replaces the file's lake. EVENKEEL_DATABASE_URL is the database of shares. A command
reads the file again at each use. A server waits until the file has not changed for a second,
because an editor may empty the file before it writes. A server that has required a login or rights
refuses a file without them until the server restarts.
"""

import os
import re
import time
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from evenkeel.data import clock
from evenkeel.data.configuration.file import configuration_of
from evenkeel.data.configuration.settings import Configuration
from evenkeel.data.errors import SnapshotError

_SETTLED_SECONDS = 1.0
_LOOK_SECONDS = 0.05


def configuration(environment: Mapping[str, str] = os.environ) -> Configuration:
    """Return the configuration. If there is no file, every setting has its default.

    Raises
    ------
    SnapshotError
        If the named file is missing or not TOML, a key is unknown, or a value is wrong.
    """
    if _SERVER and environment is os.environ:
        return _SERVER[0].configuration()
    return _read(environment).configuration


def configuration_at_start(environment: Mapping[str, str] = os.environ) -> Configuration | None:
    """Return a server's configuration at its start.

    Returns None if the file is wrong and has none of the tables `[login]`, `[[rights]]` and
    `[audit]`; pages then show the error.

    Raises
    ------
    SnapshotError
        If the file is wrong and has one of these tables. The server must not start then.
    """
    try:
        return configuration(environment)
    except SnapshotError:
        if _says_who_may_enter(environment):
            raise
        return None


def last_good() -> Configuration:
    """Return the configuration. If the file is wrong, return the last valid one or the defaults."""
    try:
        return configuration()
    except SnapshotError:
        return _SERVER[0].good.configuration if _SERVER else Configuration()


_CLOSING = re.compile(r"""^\s*(\[\[?\s*)?["']?(login|rights|audit)\b""", re.MULTILINE)


def _says_who_may_enter(environment: Mapping[str, str]) -> bool:
    """Return whether the text of the file has `[login]`, `[[rights]]` or `[audit]`."""
    try:
        return bool(_CLOSING.search(_path(environment).read_text(errors="replace")))
    except OSError:
        return False


def written(environment: Mapping[str, str] = os.environ) -> Mapping[str, Any]:
    """Return the tables of the file; in a server, the tables of the last valid file.

    If there is no file, there are no tables.

    Raises
    ------
    SnapshotError
        If the file is missing or not TOML.
    """
    return _SERVER[0].good.tables if _SERVER and environment is os.environ else _tables(environment)


class _Reading(NamedTuple):
    """The file as it was read: its tables, its configuration, and the environment at that time."""

    tables: Mapping[str, Any] = {}
    configuration: Configuration = Configuration()
    settings: tuple[object, ...] = ()


def _read(environment: Mapping[str, str]) -> _Reading:
    tables = _tables(environment)
    settings = (
        _path(environment),
        os.getcwd(),
        environment.get("EVENKEEL_LAKE"),
        environment.get("EVENKEEL_DATABASE_URL") or None,
        environment.get("HOME"),
    )
    for last in _LAST:
        if last.tables is tables and last.settings == settings:
            return last
    path, _, lake, database_url, _ = settings
    try:
        chosen = configuration_of(tables, path, lake)
    except SnapshotError:
        raise
    except Exception as error:
        # The error's text may contain a value of the file.
        raise SnapshotError(
            f"{path}: a setting has a type that cannot be read ({type(error).__name__})"
        ) from None
    reading = _Reading(tables, replace(chosen, database_url=database_url), settings)
    # A variable or a file of the lake's table may change.
    _LAST[:] = [] if chosen.storage else [reading]
    return reading


_LAST: list[_Reading] = []
"""The last reading, cached because a page needs the configuration a hundred times."""

_NO_TABLES: Mapping[str, Any] = {}


def _path(environment: Mapping[str, str]) -> Path:
    return _expanded(environment.get("EVENKEEL_CONFIG") or "evenkeel.toml", environment.get("HOME"))


@lru_cache(1)
def _expanded(name: str, _home: str | None) -> Path:
    """Return the path of a file, cached because a page needs it often."""
    return Path(name).expanduser()


def _tables(environment: Mapping[str, str]) -> Mapping[str, Any]:
    path = _path(environment)
    if not environment.get("EVENKEEL_CONFIG") and not path.is_file():
        return _NO_TABLES
    try:
        return _parsed(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SnapshotError(f"EVENKEEL_CONFIG={path}: {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        raise SnapshotError(f"{path}: not TOML: {error}") from None
    except (ValueError, RecursionError):
        raise SnapshotError(
            f"{path}: not TOML: not UTF-8, a number with too many digits, or too deeply nested"
            " tables"
        ) from None


@lru_cache(1)
def _parsed(text: str) -> Mapping[str, Any]:
    """Return the tables of a TOML text; the result is cached."""
    return tomllib.loads(text)


# The configuration of a server.


class _Server:
    """A server's configuration; a changed file is used when it is unchanged for a second."""

    def __init__(self):
        self._lock = Lock()
        self._state: object = None
        self._pending: tuple[object, float] = None, 0.0
        self._wrong = ""
        self._is_closed = self._has_rights = self._names_proxy = False
        self.good = _Reading()
        state = _state()
        while not (self._has_settled(state) or not _stat()) or not self._take(state):
            time.sleep(_LOOK_SECONDS)
            state = _state()

    def configuration(self) -> Configuration:
        """Return the current configuration; SnapshotError if it is wrong."""
        with self._lock:
            state = _state()
            if state != self._state and self._has_settled(state):
                self._take(state)
            if self._wrong:
                raise SnapshotError(self._wrong)
            return self.good.configuration

    def _has_settled(self, state: object) -> bool:
        """Return whether the file has been unchanged for a second.

        The server's readings of the file, or the file's modification time, are enough to show this.
        """
        if self._pending[0] != state:
            self._pending = state, clock.steady()
        return clock.steady() - self._pending[1] >= _SETTLED_SECONDS or _age() >= _SETTLED_SECONDS

    def _take(self, state: object) -> bool:
        """Read the file; return False if it has changed during the reading."""
        try:
            reading, wrong = _read(os.environ), ""
            self._require_closed(reading.configuration)
        except SnapshotError as error:
            reading, wrong = self.good, str(error)
        if _state() != state:
            return False
        self._state, self._wrong, self.good = state, wrong, reading
        self._is_closed |= reading.configuration.is_closed
        self._has_rights |= bool(reading.configuration.rights)
        self._names_proxy |= _names_proxy(reading.configuration)
        return True

    def _require_closed(self, chosen: Configuration) -> None:
        """Refuse a file that no longer has the login, rights or proxies that this server had."""
        missing = ""
        if self._has_rights and not chosen.rights:
            missing = "[[rights]]"
        elif self._is_closed and not chosen.is_closed:
            missing = "[login] or [[rights]]"
        elif self._names_proxy and not _names_proxy(chosen):
            missing = "[login] trusted_proxy"
        if missing:
            raise SnapshotError(
                f"{_path(os.environ)}: no {missing}, but this server had it before: to open the"
                " server, restart it"
            )


def _names_proxy(chosen: Configuration) -> bool:
    return bool(chosen.login and chosen.login.trusted_proxy)


_SERVER: list[_Server] = []
"""The server, if this process is a server; else empty."""


def begin_serving() -> None:
    """Start to use the file as a server does; first wait until the file is complete."""
    _SERVER[:] = [_Server()]


def _state() -> object:
    """Return a value that changes if the file or a variable changes."""
    places, status = (
        map(os.environ.get, ("EVENKEEL_CONFIG", "EVENKEEL_LAKE", "EVENKEEL_DATABASE_URL")),
        _stat(),
    )
    return (
        *places,
        os.getcwd(),
        status and (status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_size),
    )


def _age() -> float:
    """Return the seconds since the file's modification time; 0 if the file is missing."""
    status = _stat()
    return clock.seconds() - max(status.st_mtime, status.st_ctime) if status else 0.0


def _stat() -> os.stat_result | None:
    try:
        return os.stat(_path(os.environ))
    except OSError:
        return None
