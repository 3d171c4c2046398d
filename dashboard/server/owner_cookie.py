"""Gives each browser the secret cookie by which it owns its shares, with the first page that it loads."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evenkeel.dashboard.loading.sharing.owner import COOKIE, SECURE_COOKIE, is_owner, new_owner, owner_in

_SECONDS = 400 * 86_400
"""Browsers keep a cookie no longer."""


class _OwnerCookie:
    """Sets the cookie with every answer to a browser that asks for a page without it; scripts cannot read it."""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        added = _added(scope) if _wants_page(scope) else []

        async def send_with_cookies(message: Message) -> None:
            if message["type"] == "http.response.start":
                for each in added:
                    MutableHeaders(scope=message).append("set-cookie", each)
            await send(message)

        await self._app(scope, receive, send_with_cookies)


def _wants_page(scope: Scope) -> bool:
    """Tell whether a browser loads a page; asked of the request, because a page that the browser still has is answered without a type."""
    return scope["type"] == "http" and scope["method"] == "GET" and "text/html" in Headers(scope=scope).get("accept", "")


def _added(scope: Scope) -> list[str]:
    """Return the cookies that a browser gets: an owner where it is none, and under TLS the owner that it is under the safer name."""
    cookies, is_secure = HTTPConnection(scope).cookies, _is_over_tls(scope)
    if is_owner(cookies.get(SECURE_COOKIE if is_secure else COOKIE)):
        return []
    response = Response()
    kept = {"httponly": True, "samesite": "lax", "secure": is_secure}
    response.set_cookie(SECURE_COOKIE if is_secure else COOKIE, owner_in(cookies) or new_owner(), max_age=_SECONDS, **kept)
    if is_secure and COOKIE in cookies:
        response.delete_cookie(COOKIE, **kept)
    return response.headers.getlist("set-cookie")


def _is_over_tls(scope: Scope) -> bool:
    """Tell whether the browser sees https, here or at a proxy that says so."""
    said = Headers(scope=scope).get("x-forwarded-proto", "").partition(",")[0].strip()
    return "https" in (scope["scheme"], said)


OWNER_COOKIE = Middleware(_OwnerCookie)
