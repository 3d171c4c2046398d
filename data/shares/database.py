"""The database of shares (SQLite file or PostgreSQL): address, engine, tables and migrations."""

import hashlib
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import (
    JSON,
    URL,
    Column,
    Connection,
    DateTime,
    Dialect,
    Engine,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, TimeoutError
from sqlalchemy.types import TypeDecorator

from evenkeel.data.configuration import Configuration
from evenkeel.data.configuration.conversion import hidden
from evenkeel.data.errors import SnapshotError

_DRIVERS = {
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
    "sqlite": "sqlite",
}
_EXPECTED = "expected postgresql://user:password@host/database, or sqlite:////path/of/a/file"
_FOLDER, _FILE = "shares", "shares.sqlite"


def database_url(chosen: Configuration) -> URL:
    """Return the address of the configured database.

    The default is a SQLite file in the folder of the lake; if the lake is in object storage, in the
    default folder.

    Raises
    ------
    SnapshotError
        If the address is of an unknown kind of database. The message does not repeat the address,
        because the address contains a password.
    """
    if chosen.database_url:
        return _named(chosen.database_url)
    folder = chosen.lake.folder or Configuration.lake.folder
    return URL.create("sqlite", database=str(folder / _FOLDER / _FILE))


def make_folder(url: URL) -> None:
    """Make the folder of a SQLite file; a new folder is readable only for this user.

    Raises
    ------
    SnapshotError
        If the folder cannot be made.
    """
    folder = Path(url.database or "").parent
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no path"
        raise SnapshotError(f"the folder of the database of shares cannot be made: {why}") from None


def _named(text: str) -> URL:
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise SnapshotError(
            f"EVENKEEL_DATABASE_URL is no address of a database, {_EXPECTED}"
        ) from None
    scheme = url.drivername.partition("+")[0]
    if scheme not in _DRIVERS:
        raise SnapshotError(f"EVENKEEL_DATABASE_URL names another kind of database, {_EXPECTED}")
    if not url.database or url.database == ":memory:":
        raise SnapshotError(f"EVENKEEL_DATABASE_URL names no database, {_EXPECTED}")
    if scheme == "sqlite" and url.query:
        raise SnapshotError(
            f"EVENKEEL_DATABASE_URL has options, which a SQLite file cannot have, {_EXPECTED}"
        )
    return url.set(drivername=_DRIVERS[scheme])


# The engine: durable settings for both kinds of database, and errors in one line.


WAIT_SECONDS = 30
"""Longest time for which a SQLite transaction waits for another transaction."""
_CONNECT_SECONDS = 5
_PAUSE_SECONDS = 0.02

_CUT = "the database ended the connection before it had answered; try again"

_BEGIN = "begin"
"""Name of the execution option that contains the statement to begin a SQLite transaction."""

# FULL: a commit is on disk when it returns. secure_delete: deleted content is overwritten.
_PRAGMAS = ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON")


class StoreError(SnapshotError):
    """The database does not answer, or reports an error."""


def engine_of(url: URL) -> Engine:
    """Return an engine; the engine connects when it is first used.

    Error messages of the engine never contain the values of a statement.
    """
    if url.get_backend_name() != "sqlite":
        return create_engine(
            url,
            hide_parameters=True,
            pool_pre_ping=True,
            connect_args={"connect_timeout": _CONNECT_SECONDS},
        )
    make_folder(url)
    engine = create_engine(url, hide_parameters=True, connect_args={"timeout": WAIT_SECONDS})
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def check_is_there(engine: Engine) -> None:
    """Raise an error if the SQLite file was deleted.

    An open connection could still write into the deleted file, but nobody could read it later.

    Raises
    ------
    StoreError
        Names the file.
    """
    if engine.dialect.name == "sqlite" and not Path(engine.url.database or "").is_file():
        raise StoreError(
            f"the store of shares (sqlite): {engine.url.database} was deleted while this"
            " process ran"
        )


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Yield a connection for reading."""
    with _named_errors(engine), engine.connect() as connection:
        yield connection


@contextmanager
def writing(engine: Engine, alone: bool = False) -> Iterator[Connection]:
    """Yield a connection in a transaction, which is on disk afterwards unless an error occurs.

    `alone`: during the transaction no other connection reads the SQLite file.
    """
    # IMMEDIATE, because a SQLite transaction that began with a read cannot write while another
    # transaction writes.
    how = "BEGIN EXCLUSIVE" if alone else "BEGIN IMMEDIATE"
    with _named_errors(engine), engine.execution_options(**{_BEGIN: how}).begin() as connection:
        yield connection


@contextmanager
def _named_errors(engine: Engine) -> Iterator[None]:
    try:
        yield
    except (DBAPIError, TimeoutError) as error:
        is_cut = getattr(error, "connection_invalidated", False)
        first = (
            _CUT
            if is_cut
            else (str(getattr(error, "orig", error)).splitlines() or ["no reason given"])[0]
        )
        raise StoreError(
            f"the store of shares ({engine.dialect.name}): {hidden(first, _values(engine.url))}"
        ) from None


def _values(url: URL) -> list[str]:
    """Return the parts of an address that no message may contain.

    Host and user are included: if a password's special characters are not escaped, a part of the
    password is read as host or user.
    """
    options = [
        part
        for key, value in url.query.items()
        for part in (key, *([value] if isinstance(value, str) else value))
    ]
    return [part for part in (url.password, url.username, url.host, url.database, *options) if part]


def _set_up(connection: sqlite3.Connection, record: object) -> None:
    # Otherwise Python begins transactions itself, too late for BEGIN IMMEDIATE.
    connection.isolation_level = None
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    deadline = time.monotonic() + WAIT_SECONDS
    while not _keeps_a_log(connection) and time.monotonic() < deadline:
        time.sleep(_PAUSE_SECONDS)


def _keeps_a_log(connection: sqlite3.Connection) -> bool:
    """Switch SQLite to a write-ahead log; return False if another process is using the file.

    With this log, readers do not wait for a writer. If 8 programs start on a new file, SQLite
    refuses the switch for 1 in 100 programs.
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


# The tables: facts about a share, its compressed payload, and expired shares.


METADATA = MetaData()


class Instant(TypeDecorator[datetime]):
    """A column for times in UTC, because SQLite stores no time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and (value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC))


SHARES = Table(
    "shares",
    METADATA,
    Column("id", String(22), primary_key=True),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, index=True),
    Column("owner_hash", String(64), index=True),
    Column("secret_hash", String(64), nullable=False),
    Column("title", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("engine", Text, nullable=False),
    Column("redacted", JSON, nullable=False),
    Column("forked_from", String(22)),
    Column("byte_count", Integer, nullable=False),
    Column("audience", String(8)),
    Column("cluster", Text),
    Column("group_id", Text),
)
"""Facts about shares.

`expires_at`: null if the share never expires. `owner_hash`: null if the author's browser has no
cookies. `audience`: null if everybody with the link may open the share. `cluster`, `group_id`:
stored only if the readers of this group are the audience; null for a group without a cluster or
name.
"""

KEYS = Table(
    "keys",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("name", Text, nullable=False),
    Column("key_hash", String(64), nullable=False, unique=True),
    Column("clusters", JSON, nullable=False),
    Column("groups", JSON, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant),
    Column("revoked_at", Instant),
)
"""Hashes of keys for programs; the keys themselves are not stored.

`clusters`, `groups`: globs of the clusters and groups that a key may see. `expires_at`: null if the
key never expires.
"""

PAYLOADS = Table(
    "payloads",
    METADATA,
    Column("share_id", String(22), ForeignKey("shares.id", ondelete="CASCADE"), primary_key=True),
    Column("payload", LargeBinary, nullable=False),
)
"""A separate table, so that a list of shares reads no payload."""

EXPIRED = Table(
    "expired_shares",
    METADATA,
    Column("id", String(22), primary_key=True),
    Column("expires_at", Instant, nullable=False, index=True),
    Column("owner_hash", String(64)),
    Column("secret_hash", String(64), nullable=False),
)
"""Expired shares: enough to tell the owner that a share has expired, but none of the content."""


# Turns: of several transactions with the same name, only one continues at a time.


def take_turn(connection: Connection, name: str) -> None:
    """Wait until no other transaction holds the lock `name`, then hold it until the transaction
    ends.

    SQLite needs no lock, because it allows only one writer at a time.
    """
    if connection.dialect.name == "postgresql":
        key = int.from_bytes(hashlib.sha256(f"evenkeel {name}".encode()).digest()[:8], signed=True)
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})


# Upgrade: Alembic brings a database, even an empty one, to this program's tables.


_MIGRATIONS = Path(__file__).parent / "migrations"
_ONE = threading.Lock()
"""Lock for Alembic, which keeps the current upgrade in a module variable."""


def upgrade(engine: Engine) -> None:
    """Run the missing migrations in one transaction.

    If several programs start at the same time, only one of them runs the migrations.

    Raises
    ------
    SnapshotError
        If the database is of a newer Evenkeel. The message names its revision.
    """
    config = Config(attributes={})
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    with _ONE, writing(engine, alone=True) as connection:
        take_turn(connection, "migrations")
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            known = ScriptDirectory.from_config(config).get_current_head()
            raise SnapshotError(
                f"the store of shares is of a newer Evenkeel: {error}; this Evenkeel knows"
                f" revision {known}"
            ) from error
