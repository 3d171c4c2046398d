"""Expiry: a thread deletes expired shares when the server starts, and then every hour."""

import logging
import threading
import time

from evenkeel.data.clock import Watch
from evenkeel.data.errors import SnapshotError
from evenkeel.data.shares.store import shares

_LOG = logging.getLogger("evenkeel")
_PAUSE_SECONDS = 3600


def start() -> None:
    """Begin; returns at once."""
    threading.Thread(target=_sweep, name="expired shares", daemon=True).start()


def look(watch: Watch) -> int:
    """Delete what has expired, but for a clock that was just set: somebody may set it back. Return how many shares there were."""
    return 0 if watch.set_by() else shares().sweep()


def _sweep() -> None:
    watch = Watch()
    while True:
        # A store that does not answer now is asked again in an hour; the thread must not end.
        try:
            look(watch)
        except SnapshotError as error:
            _LOG.warning("expired shares: %s", error)
        time.sleep(_PAUSE_SECONDS)
