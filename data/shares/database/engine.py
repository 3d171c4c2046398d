"""The engine: how SQLAlchemy speaks with either database, durably, and what it says when one refuses, in one line."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, TimeoutError

from evenkeel.data.configuration.secrets import hidden
from evenkeel.data.errors import SnapshotError
from evenkeel.data.shares.database.address import make_folder

WAIT_SECONDS = 30
"""How long a transaction of SQLite waits for another one to end."""
_CONNECT_SECONDS = 5
_PAUSE_SECONDS = 0.02

_CUT = "the database ended the connection before it had answered; try again"

_BEGIN = "begin"
"""Name of the execution option that says how a transaction of SQLite begins."""

# FULL: a commit is on disk when it returns. secure_delete: what is deleted is overwritten.
_PRAGMAS = ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON")


class StoreError(SnapshotError):
    """The database does not answer, or refuses."""


def engine_of(url: URL) -> Engine:
    """Return an engine; it connects with the first question. No error of it repeats what was to be stored."""
    if url.get_backend_name() != "sqlite":
        return create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args={"connect_timeout": _CONNECT_SECONDS})
    make_folder(url)
    engine = create_engine(url, hide_parameters=True, connect_args={"timeout": WAIT_SECONDS})
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def check_is_there(engine: Engine) -> None:
    """Refuse a file of SQLite that was deleted: connections that are open write on into what nobody can open again.

    Raises
    ------
    StoreError
        Names the file.
    """
    if engine.dialect.name == "sqlite" and not Path(engine.url.database).is_file():
        raise StoreError(f"the store of shares (sqlite): {engine.url.database} was deleted while this process ran")


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Yield a connection for reading."""
    with _named_errors(engine), engine.connect() as connection:
        yield connection


@contextmanager
def writing(engine: Engine, alone: bool = False) -> Iterator[Connection]:
    """Yield a connection in a transaction, which is on disk when this ends without an error; `alone`: nobody reads SQLite meanwhile."""
    # A transaction of SQLite that begins by reading cannot become a writing one while another writes.
    how = "BEGIN EXCLUSIVE" if alone else "BEGIN IMMEDIATE"
    with _named_errors(engine), engine.execution_options(**{_BEGIN: how}).begin() as connection:
        yield connection


@contextmanager
def _named_errors(engine: Engine) -> Iterator[None]:
    try:
        yield
    except (DBAPIError, TimeoutError) as error:
        is_cut = getattr(error, "connection_invalidated", False)
        first = _CUT if is_cut else (str(getattr(error, "orig", error)).splitlines() or ["no reason given"])[0]
        raise StoreError(f"the store of shares ({engine.dialect.name}): {hidden(first, _values(engine.url))}") from None


def _values(url: URL) -> list[str]:
    """Return all that an address says: host and user may be parts of a password that is not written as URLs want it."""
    options = [part for key, value in url.query.items() for part in (key, *([value] if isinstance(value, str) else value))]
    return [part for part in (url.password, url.username, url.host, url.database, *options) if part]


def _set_up(connection: sqlite3.Connection, record: object) -> None:
    # Else Python begins transactions by itself, too late for BEGIN IMMEDIATE.
    connection.isolation_level = None
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    deadline = time.monotonic() + WAIT_SECONDS
    while not _keeps_a_log(connection) and time.monotonic() < deadline:
        time.sleep(_PAUSE_SECONDS)


def _keeps_a_log(connection: sqlite3.Connection) -> bool:
    """Turn to a write-ahead log, with which readers do not wait for a writer; False where others hold the file.

    Unlike every other statement this one does not wait for its turn: of 8 programs that started on a new file, 1 in 100 was refused.
    """
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))
