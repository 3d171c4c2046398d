"""Headers of every response of the server, and the one path that it does not answer."""

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Addresses carry ids of uploads: no other site is told where a reader came from, and none shows a page within its own.
HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_CLOSED = "/_stcore/metrics"


class _Guard:
    """Adds HEADERS to every response and closes Streamlit's own metrics, which have no login."""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        is_closed = scope["type"] == "http" and scope["path"].rstrip("/").endswith(_CLOSED)
        answer = PlainTextResponse("Not Found", status_code=404) if is_closed else self._app
        await answer(scope, receive, send_with_headers)


GUARD = Middleware(_Guard)
