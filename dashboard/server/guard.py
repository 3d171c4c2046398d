"""Headers of every response of the server, and the one path that it does not answer."""

import re
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

from evenkeel.dashboard import scripts


def _of_streamlit() -> list[str]:
    """Return the scripts within Streamlit's own page, as a policy names them."""
    page = Path(file_util.get_static_dir(), "index.html").read_text()
    return [scripts.source(text) for text in re.findall(r"<script>(.*?)</script>", page, re.DOTALL)]


_POLICY = {
    "default-src": ["'none'"],
    # blob: Streamlit loads the scripts of our tables so. wasm-unsafe-eval: its protobuf multiplies so; this allows no JavaScript.
    "script-src": ["'self'", *scripts.sources(), *_of_streamlit(), "blob:", "'wasm-unsafe-eval'"],
    # Streamlit and plotly set styles of elements, and add rules while they draw.
    "style-src": ["'self'", "'unsafe-inline'"],
    # data: icons of Streamlit, and of its tables.
    "font-src": ["'self'", "data:"],
    "img-src": ["'self'", "data:"],
    # Its websocket too: 'self' is the host and port of the page, under ws and wss.
    "connect-src": ["'self'"],
    "frame-ancestors": ["'none'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "object-src": ["'none'"],
}

# Addresses carry ids of uploads: no other site is told where a reader came from, and none shows a page within its own.
HEADERS = {
    "Content-Security-Policy": "; ".join(" ".join((name, *allowed)) for name, allowed in _POLICY.items()),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_SHARING = b"access-control-"
"""Streamlit lets pages of other ports of this machine read some of its answers; none needs to."""

_CLOSED = "/_stcore/metrics"


class _Guard:
    """Adds HEADERS to every response, lets no other origin read it, and closes Streamlit's own metrics, which have no login."""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            # A websocket that is refused is answered too.
            if message["type"].endswith("http.response.start"):
                message["headers"] = [pair for pair in message["headers"] if not pair[0].lower().startswith(_SHARING)]
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        is_closed = scope["type"] == "http" and scope["path"].rstrip("/").endswith(_CLOSED)
        answer = PlainTextResponse("Not Found", status_code=404) if is_closed else self._app
        await answer(scope, receive, send_with_headers)


GUARD = Middleware(_Guard)
