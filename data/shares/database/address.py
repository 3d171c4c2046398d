"""Where the database of shares is: EVENKEEL_DATABASE_URL, else a file of SQLite in the lake's folder."""

from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from evenkeel.data.configuration import Configuration
from evenkeel.data.errors import SnapshotError

_DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg", "sqlite": "sqlite"}
_EXPECTED = "expected postgresql://user:password@host/database, or sqlite:////path/of/a/file"
_FOLDER, _FILE = "shares", "shares.sqlite"


def database_url(chosen: Configuration) -> URL:
    """Return the address of the database; for a lake in object storage the file lies in the default folder of lakes.

    Raises
    ------
    SnapshotError
        For an address that names no database Evenkeel knows. The address is not repeated: it holds a password.
    """
    if chosen.database_url:
        return _named(chosen.database_url)
    folder = chosen.lake.folder or Configuration.lake.folder
    return URL.create("sqlite", database=str(folder / _FOLDER / _FILE))


def make_folder(url: URL) -> None:
    """Make the folder of a SQLite file; other users of this machine cannot read a new folder.

    Raises
    ------
    SnapshotError
        Where it cannot be made.
    """
    folder = Path(url.database).parent
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
        raise SnapshotError(f"EVENKEEL_DATABASE_URL is no address of a database, {_EXPECTED}") from None
    scheme = url.drivername.partition("+")[0]
    if scheme not in _DRIVERS:
        raise SnapshotError(f"EVENKEEL_DATABASE_URL names another kind of database, {_EXPECTED}")
    if not url.database or url.database == ":memory:":
        raise SnapshotError(f"EVENKEEL_DATABASE_URL names no database, {_EXPECTED}")
    if scheme == "sqlite" and url.query:
        raise SnapshotError(f"EVENKEEL_DATABASE_URL has options, which a file of SQLite does not take, {_EXPECTED}")
    return url.set(drivername=_DRIVERS[scheme])
