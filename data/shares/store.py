"""The store of this process: the database that the configuration names, brought to its latest tables."""

import threading

from sqlalchemy import URL, Engine

from evenkeel.data.configuration import configuration
from evenkeel.data.shares.database.address import database_url
from evenkeel.data.shares.database.engine import engine_of
from evenkeel.data.shares.database.upgrade import upgrade
from evenkeel.data.shares.shares import Shares

_ENGINES: dict[URL, Engine] = {}
_OPENING = threading.Lock()


def shares() -> Shares:
    """Return the shares of the configuration.

    Raises
    ------
    SnapshotError
        For a wrong configuration, and where the database does not answer; the next call asks again.
    """
    chosen = configuration()
    url = database_url(chosen)
    with _OPENING:
        if url not in _ENGINES:
            engine = engine_of(url)
            upgrade(engine)
            _ENGINES[url] = engine
        return Shares(_ENGINES[url], chosen.shares)
