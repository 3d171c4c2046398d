"""The shares and keys of this process, in the configured database.

The tables are upgraded, and expired shares are deleted.
"""

import logging
import threading
import time

from sqlalchemy import URL, Engine

from evenkeel.data.clock import Watch
from evenkeel.data.configuration import Configuration, configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.shares.database import database_url, engine_of, upgrade
from evenkeel.data.shares.keys import Keys
from evenkeel.data.shares.shares import Shares

_ENGINES: dict[URL, Engine] = {}
_OPENING = threading.Lock()


def shares() -> Shares:
    """Return the shares of the configured database.

    Raises
    ------
    SnapshotError
        If the configuration is wrong or the database does not answer; the next call tries again.
    """
    chosen = configuration()
    return Shares(_engine(chosen), chosen.shares)


def keys() -> Keys:
    """Return the keys for programs, from the same database; raises as `shares`."""
    return Keys(_engine(configuration()))


def _engine(chosen: Configuration) -> Engine:
    url = database_url(chosen)
    with _OPENING:
        if url not in _ENGINES:
            engine = engine_of(url)
            upgrade(engine)
            _ENGINES[url] = engine
        return _ENGINES[url]


# Expiry: a thread deletes expired shares at the start of the server, and then every hour.


_LOG = logging.getLogger("evenkeel")
_PAUSE_SECONDS = 3600


def start_sweeping() -> None:
    """Start the thread that deletes expired shares, and return at once."""
    threading.Thread(target=_sweep, name="expired shares", daemon=True).start()


def sweep_expired(watch: Watch) -> int:
    """Delete expired shares; return the number of deleted shares.

    Nothing is deleted if the system clock was just set, because the new time may be wrong.
    """
    return 0 if watch.set_by() else shares().sweep()


def _sweep() -> None:
    watch = Watch()
    while True:
        # If the store does not answer, the thread must not end: it tries again in an hour.
        try:
            sweep_expired(watch)
        except SnapshotError as error:
            _LOG.warning("expired shares: %s", error)
        time.sleep(_PAUSE_SECONDS)
