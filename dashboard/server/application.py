"""What the server has beside Streamlit's own: routes for other programs, what surrounds every answer, its start and its end."""

import logging
import os
import secrets
import signal
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import FrameType

import streamlit as st

from evenkeel.dashboard.loading.apart import ENDING
from evenkeel.dashboard.server.api import BEST, SCENARIOS, SHARES
from evenkeel.dashboard.server.assets import ASSETS
from evenkeel.dashboard.server.bodies import BODIES
from evenkeel.dashboard.server.guard import GUARD, HOSTS, OWNER_COOKIE
from evenkeel.dashboard.server.health import HEALTH, note_lake
from evenkeel.dashboard.server.login import LOGIN
from evenkeel.dashboard.server.metrics import METRICS, SESSIONS
from evenkeel.dashboard.words.names import literal
from evenkeel.data import audit
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import refusal_of
from evenkeel.data.pipeline import uploads
from evenkeel.data.shares.store import start_sweeping

ROUTES = (SHARES, SCENARIOS, BEST, HEALTH, METRICS)
MIDDLEWARE = (GUARD, HOSTS, ASSETS, LOGIN, BODIES, OWNER_COOKIE, SESSIONS)


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Note the lake, begin to delete expired shares and what uploads have left, and limit how long the server takes to end.

    At the end write what the audit has counted: a signal ends the process before Python would.
    """
    note_lake()
    start_sweeping()
    uploads.start_sweep()
    limit()
    yield
    audit.flush()


# Errors that end a page, a fragment or a callback: one sentence instead of a trace.


_LOG = logging.getLogger("evenkeel")


def show_error(error: Exception) -> bool:
    """Draw an exception in place of Streamlit's own box; the log has the trace of an unexpected one under the id that is shown."""
    error = refusal_of(error) or error
    if isinstance(error, SnapshotError):
        st.error(literal(str(error)))
        return True
    error_id = secrets.token_hex(4)
    _LOG.error("error %s", error_id, exc_info=error)
    st.error(f"Evenkeel failed here: error {error_id}. The server's log has the details under this id. Reload the page to go on.")
    return True


# The end of the server: a signal to end ends it within seconds, whatever it computes.


_SECONDS, _FLUSH_SECONDS = 4.0, 1.0
_HANDLED = (signal.SIGTERM, signal.SIGINT)


def limit() -> None:
    """End the process `_SECONDS` after the first signal to end, unless it has ended by itself; what it has begun ends with it.

    The server waits for its connections to close, and Python for threads, both without a limit.
    """
    for one in _HANDLED if threading.current_thread() is threading.main_thread() else ():
        _limit(one)


def _limit(one: signal.Signals) -> None:
    before = signal.getsignal(one)

    def handle(number: int, frame: FrameType | None) -> None:
        ENDING.set()
        threading.Thread(target=_end_later, args=(number,), daemon=True).start()
        if callable(before):
            before(number, frame)

    signal.signal(one, handle)


def _end_later(number: int) -> None:
    time.sleep(_SECONDS)
    # In a thread of its own: a file that cannot be written holds nothing up.
    flushing = threading.Thread(target=audit.flush, daemon=True)
    flushing.start()
    flushing.join(_FLUSH_SECONDS)
    os._exit(128 + number)
