"""Gives each browser the secret cookie by which it owns its shares, with the first page that it loads."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.loading.sharing.owner import COOKIE, is_owner, new_owner

_SECONDS = 400 * 86_400
"""Browsers keep a cookie no longer."""


class _OwnerCookie:
    """Sets the cookie with every answer to a browser that asks for a page without it; scripts cannot read it."""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _wants_page(scope) or is_owner(HTTPConnection(scope).cookies.get(COOKIE)):
            await self._app(scope, receive, send)
            return

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", _cookie(_is_over_tls(scope)))
            await send(message)

        await self._app(scope, receive, send_with_cookie)


def _wants_page(scope: Scope) -> bool:
    """Tell whether a browser loads a page; asked of the request, because a page that the browser still has is answered without a type."""
    return scope["type"] == "http" and scope["method"] == "GET" and "text/html" in Headers(scope=scope).get("accept", "")


def _is_over_tls(scope: Scope) -> bool:
    """Tell whether the browser sees https, here or at a proxy that says so."""
    return "https" in (scope["scheme"], Headers(scope=scope).get("x-forwarded-proto"))


def _cookie(secure: bool) -> str:
    response = Response()
    response.set_cookie(COOKIE, new_owner(), max_age=_SECONDS, httponly=True, samesite="lax", secure=secure)
    return response.headers["set-cookie"]


OWNER_COOKIE = Middleware(_OwnerCookie)
