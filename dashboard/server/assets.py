"""Streamlit's own scripts, styles and fonts, read and packed once: a browser that comes for the first time asks for a hundred of them.

Streamlit opens each file again and sends it unpacked, 64 KiB at a time through a thread: most of what a first page cost.
"""

import asyncio
import gzip
import mimetypes
import re
from pathlib import Path

from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.file_util import get_static_dir

_HASHED = re.compile(r"/static/[a-z]+/[A-Za-z0-9_.-]+\.[A-Za-z0-9_-]{8}\.(?:js|css|woff2)")
"""A name with a hash of what is in the file: browsers may keep it for ever."""

_HEADERS = {"Cache-Control": "public, immutable, max-age=31536000", "Vary": "Accept-Encoding"}
_LEFT_TO_STREAMLIT = ("range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since")
"""Headers of requests for a part of a file, and whether it has changed."""


class _Assets:
    """Answers for the files whose names have a hash; everything else goes on to Streamlit."""

    def __init__(self, app: ASGIApp):
        self._app = app
        self._read: dict[tuple[str, bool], asyncio.Task[bytes]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_asset = scope["type"] == "http" and scope["method"] == "GET" and _HASHED.fullmatch(scope["path"])
        headers = Headers(scope=scope) if is_asset else {}
        is_whole = is_asset and not any(name in headers for name in _LEFT_TO_STREAMLIT)
        answer = await self._response(scope["path"], headers) if is_whole else self._app
        await answer(scope, receive, send)

    async def _response(self, path: str, headers: Headers) -> ASGIApp:
        # Fonts are packed already.
        is_packed = not path.endswith(".woff2") and "gzip" in headers.get("accept-encoding", "")
        key = path, is_packed
        if key not in self._read:
            self._read[key] = asyncio.create_task(asyncio.to_thread(_bytes_of, *key))
        try:
            # Shielded: others wait for the same file when this browser leaves.
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
