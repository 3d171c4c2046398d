"""Evenkeel's part of the server, next to Streamlit: routes, headers, start and shutdown."""

import asyncio
import gzip
import logging
import mimetypes
import os
import re
import secrets
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLateError
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.file_util import get_static_dir

from evenkeel.dashboard.names import literal
from evenkeel.dashboard.server.api import BEST, SCENARIOS, SHARES
from evenkeel.dashboard.server.bodies import BODIES, answer
from evenkeel.dashboard.server.guard import GUARD, HOSTS, OWNER_COOKIE
from evenkeel.dashboard.server.login import LOGIN
from evenkeel.dashboard.server.marks import MARKS
from evenkeel.dashboard.server.metrics import METRICS, SESSIONS
from evenkeel.dashboard.shell.apart import ENDING
from evenkeel.dashboard.shell.reader import reader
from evenkeel.data import audit
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import refusal_of
from evenkeel.data.lake import probe
from evenkeel.data.pipeline import uploads
from evenkeel.data.shares.store import shares, start_sweeping


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Prepare the start and the end of the server.

    At the start: remember that the lake exists, delete expired shares and old upload files in the
    background, and limit the time of the shutdown. At the end: write the audit's counts, because a
    signal ends the process before Python's exit functions write the counts.
    """
    note_lake()
    start_sweeping()
    uploads.start_sweep()
    limit()
    yield
    audit.flush()


# Errors that end a page, a fragment or a callback. A person sees one sentence, not a traceback.


_LOG = logging.getLogger("evenkeel")


def show_error(error: Exception) -> bool:
    """Draw an exception, instead of Streamlit's own box.

    For an unexpected exception, the page shows an id; the log has the traceback with the same id.
    """
    error = refusal_of(error) or error
    if isinstance(error, SnapshotError):
        st.error(literal(str(error)))
        return True
    error_id = secrets.token_hex(4)
    _LOG.error("error %s", error_id, exc_info=error)
    st.error(
        f"Evenkeel failed here: error {error_id}. The server's log has the details under this id."
        " Reload the page to continue."
    )
    return True


# Shutdown: a signal ends the server within seconds, even during a computation.


_SECONDS, _FLUSH_SECONDS = 4.0, 1.0
_HANDLED = (signal.SIGTERM, signal.SIGINT)


def limit() -> None:
    """Limit the time of the shutdown: `_SECONDS` after the first signal, the process is ended.

    Without this limit, the server would wait for open connections and threads.
    """
    for signal_number in _HANDLED if threading.current_thread() is threading.main_thread() else ():
        _limit(signal_number)


def _limit(signal_number: signal.Signals) -> None:
    before = signal.getsignal(signal_number)

    def handle(number: int, frame: FrameType | None) -> None:
        ENDING.set()
        threading.Thread(target=_end_later, args=(number,), daemon=True).start()
        if callable(before):
            before(number, frame)

    signal.signal(signal_number, handle)


def _end_later(number: int) -> None:
    time.sleep(_SECONDS)
    # In a separate thread, so that a file that cannot be written does not delay the shutdown.
    flushing = threading.Thread(target=audit.flush, daemon=True)
    flushing.start()
    flushing.join(_FLUSH_SECONDS)
    os._exit(128 + number)


# Streamlit's own scripts, styles and fonts, read and compressed once. A new browser requests about
# a hundred of them. Streamlit reads each file again and sends it uncompressed, 64 KiB at a time
# through a thread. This transfer was most of the cost of a first page.


_HASHED = re.compile(r"/static/[a-z]+/[A-Za-z0-9_.-]+\.[A-Za-z0-9_-]{8}\.(?:js|css|woff2)")
"""A name with a hash of the file's content, which browsers may cache for ever."""

_HEADERS = {"Cache-Control": "public, immutable, max-age=31536000", "Vary": "Accept-Encoding"}
_LEFT_TO_STREAMLIT = (
    "range",
    "if-match",
    "if-none-match",
    "if-modified-since",
    "if-unmodified-since",
)
"""Request headers for a part of a file, or for a file only if it has changed."""


class _Assets:
    """Answer requests for Streamlit's files with a hash in their names.

    Streamlit answers all other requests.
    """

    def __init__(self, app: ASGIApp):
        self._app = app
        self._read: dict[tuple[str, bool], asyncio.Task[bytes]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_asset = (
            scope["type"] == "http"
            and scope["method"] == "GET"
            and _HASHED.fullmatch(scope["path"])
        )
        headers = Headers(scope=scope) if is_asset else Headers()
        is_whole = is_asset and not any(name in headers for name in _LEFT_TO_STREAMLIT)
        answer = await self._response(scope["path"], headers) if is_whole else self._app
        await answer(scope, receive, send)

    async def _response(self, path: str, headers: Headers) -> ASGIApp:
        # Fonts are already compressed.
        is_packed = not path.endswith(".woff2") and "gzip" in headers.get("accept-encoding", "")
        key = path, is_packed
        if key not in self._read:
            self._read[key] = asyncio.create_task(asyncio.to_thread(_bytes_of, *key))
        try:
            # Shielded, because other browsers wait for the same file if this browser disconnects.
            data = await asyncio.shield(self._read[key])
        except OSError:
            self._read.pop(key, None)
            return self._app
        more = {"Content-Encoding": "gzip"} if is_packed else {}
        return Response(data, headers=_HEADERS | more, media_type=mimetypes.guess_type(path)[0])


def _bytes_of(path: str, is_packed: bool) -> bytes:
    data = Path(get_static_dir() + path).read_bytes()
    return gzip.compress(data, 6, mtime=0) if is_packed else data


ASSETS = Middleware(_Assets)


# `GET /healthz`: process, lake, store and Spark, each ok or with a reason. The status is 503 if a
# part that the server needs is not ok. Spark is needed only if it reads every upload. Lake and
# store of shares are ok if they can be written: each check writes something and deletes it.


_ANSWER_SECONDS = 5
_THREADS = ThreadPoolExecutor(4, "health")


def note_lake() -> None:
    """Remember that the lake exists, so that a later check can report its deletion.

    If the configuration is wrong, the first request reports the error, not this function.
    """
    with suppress(SnapshotError):
        probe.note(configuration().lake)


def _lake() -> None:
    probe.check(configuration().lake)


def _store() -> None:
    shares().check()


def _spark() -> None:
    """Raise an error if Spark has failed. It is no error if no upload has needed Spark yet."""
    if (state := uploads.spark_state()) not in ("ready", "starting", "not needed"):
        raise SnapshotError(state)


def _is_needed(name: str) -> bool:
    """Return whether the server is unhealthy if this part fails.

    Spark is needed only if the configuration makes it read all uploads.
    """
    with suppress(SnapshotError):
        return name != "spark" or uploads.needs_spark()
    return True


_CHECKS: dict[str, Callable[[], None]] = {"lake": _lake, "store": _store, "spark": _spark}
_ASKED: dict[str, Future[None]] = {}
"""The latest call of each check. A check is not started again while it is unfinished."""


# Not async, so Starlette runs it in a thread.
def _health(request: Request) -> Response:
    parts = {"process": {"ok": True}}
    for name, check in _CHECKS.items():
        if name not in _ASKED or _ASKED[name].done():
            _ASKED[name] = _THREADS.submit(check)
    parts |= {name: _outcome(_ASKED[name]) for name in _CHECKS}
    # Everybody may see that the configuration is wrong, but not its values.
    with suppress(SnapshotError):
        parts = (
            parts
            if reader().is_known
            else {name: {"ok": part["ok"]} for name, part in parts.items()}
        )
    is_ok = all(part["ok"] for name, part in parts.items() if _is_needed(name))
    return answer({"ok": is_ok, **parts}, 200 if is_ok else 503)


def _outcome(done: Future[None]) -> dict[str, Any]:
    try:
        done.result(_ANSWER_SECONDS)
    except SnapshotError as error:
        return {"ok": False, "why": str(error)}
    except TooLateError:
        return {"ok": False, "why": f"no answer in {_ANSWER_SECONDS} s"}
    except Exception as error:
        return {"ok": False, "why": type(error).__name__}
    return {"ok": True}


HEALTH = Route("/healthz", _health, methods=["GET"])


# All parts, in the order in which a request passes through them.


ROUTES = (SHARES, SCENARIOS, BEST, *MARKS, HEALTH, METRICS)
MIDDLEWARE = (GUARD, BODIES, HOSTS, ASSETS, LOGIN, OWNER_COOKIE, SESSIONS)
