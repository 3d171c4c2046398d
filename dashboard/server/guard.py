"""Allowed hosts and origins, the headers of every response, and the owner cookie.

A browser has this secret cookie as proof that it owns its shares.
"""

import logging
import re
import secrets
from pathlib import Path
from typing import Any, NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config, file_util

from evenkeel.dashboard import scripts
from evenkeel.dashboard.shares.loading.owners import COOKIE, SECURE_COOKIE, is_owner, owner_in
from evenkeel.data.configuration.reading import last_good


def _of_streamlit() -> list[str]:
    """Return Streamlit's inline scripts as sources for the Content-Security-Policy."""
    page = Path(file_util.get_static_dir(), "index.html").read_text()
    return [scripts.source(text) for text in re.findall(r"<script>(.*?)</script>", page, re.DOTALL)]


_POLICY = {
    "default-src": ["'none'"],
    # blob: Streamlit loads the scripts of tables from such addresses. wasm-unsafe-eval: its
    # protobuf library multiplies in WebAssembly; this permits no JavaScript.
    "script-src": ["'self'", *scripts.sources(), *_of_streamlit(), "blob:", "'wasm-unsafe-eval'"],
    # Streamlit and plotly set inline styles, and add rules while they draw.
    "style-src": ["'self'", "'unsafe-inline'"],
    # data: icons of Streamlit and of its tables.
    "font-src": ["'self'", "data:"],
    "img-src": ["'self'", "data:"],
    # Includes the websocket: 'self' is the page's host and port, under ws and wss too.
    "connect-src": ["'self'"],
    "frame-ancestors": ["'none'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "object-src": ["'none'"],
}

# Addresses contain ids of uploads. So no other site gets the address as referrer, and no other site
# can show a page in a frame.
HEADERS = {
    "Content-Security-Policy": "; ".join(
        " ".join((name, *allowed)) for name, allowed in _POLICY.items()
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_SHARING = b"access-control-"
"""Streamlit lets pages from other ports of this machine read some of its answers. No page needs
that.
"""

_CLOSED = "/_stcore/metrics"


class _Guard:
    """Add HEADERS to every response, and remove headers that let pages of other origins read it.

    Also block Streamlit's own metrics, which would need no login.
    """

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            # A refused websocket also gets a response.
            if message["type"].endswith("http.response.start"):
                message["headers"] = [
                    pair for pair in message["headers"] if not pair[0].lower().startswith(_SHARING)
                ]
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        is_closed = scope["type"] == "http" and scope["path"].rstrip("/").endswith(_CLOSED)
        answer = PlainTextResponse("Not Found", status_code=404) if is_closed else self._app
        await answer(scope, receive, send_with_headers)


GUARD = Middleware(_Guard)


# Hosts and origins that may send requests. A page of another site can point its own name at this
# machine (DNS rebinding) and then read everything; the Host header reveals that. A page of another
# server, perhaps on another port of this machine, can open a websocket and send forms; the Origin
# header reveals that.


_LOCAL = ("localhost", "127.0.0.1", "[::1]")
_EVERYWHERE = ("", "0.0.0.0", "::")
"""Addresses that a server can listen on, but that no browser can request."""

_PORTS = {"http": 80, "https": 443}
_READS = ("GET", "HEAD", "OPTIONS")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([0-9]{1,5}))?", re.ASCII)
_SETTING = "hosts of [server] in evenkeel.toml"
_SHOWN = 100


_LOG = logging.getLogger("evenkeel")


class Name(NamedTuple):
    """A host name in lower case, as browsers write it. `port`: None if the text has no port."""

    host: str
    port: int | None = None


def name_of(text: str) -> Name | None:
    """Read `host` or `host:port`; return None for any other text."""
    match = _HOST.fullmatch(text.lower())
    host = match[1].rstrip(".") if match else ""
    return Name(host, int(match[2]) if match[2] else None) if match and host else None


class _Hosts:
    """Refuse requests for another host (421), and requests from pages of another origin (403)."""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None if scope["type"] == "lifespan" else _refusal(scope)
        if refusal and scope["type"] == "websocket":
            # A browser does not show the answer to a websocket request. The page only waits, so the
            # log has the reason.
            _LOG.warning(bytes(refusal.body).decode())
        await (refusal or self._app)(scope, receive, send)


def _refusal(scope: Scope) -> PlainTextResponse | None:
    headers = Headers(scope=scope)
    hosts = headers.getlist("host")
    host = name_of(hosts[0]) if len(hosts) == 1 else None
    if not host or not _is_own(host, scope):
        sentence = (
            f"The host {', '.join(hosts)[:_SHOWN]!r} is not allowed. If it is a name of this"
            f" server, add it to {_SETTING}."
        )
        return PlainTextResponse(sentence, 421)
    origin = headers.get("origin")
    if origin is None or (scope["type"] == "http" and scope["method"] in _READS):
        return None
    if not _may_ask(origin, host):
        sentence = (
            f"A page of {origin[:_SHOWN]!r} may not ask {hosts[0]!r}. If a proxy changes Host, add"
            f" its public name to {_SETTING}."
        )
        return PlainTextResponse(sentence, 403)
    # Streamlit only compares the texts of both headers. It would refuse a page behind a proxy that
    # changes Host, and a page whose address has no port.
    MutableHeaders(scope=scope)["host"] = origin.partition("://")[2]
    return None


def _is_own(host: Name, scope: Scope) -> bool:
    """Return whether a host name means this server.

    The address of the connection is always accepted, because the browser has connected to it.
    """
    if host.host in (*_LOCAL, _bracketed((scope.get("server") or ("",))[0])):
        return True
    ports = (None, host.port) if host.port else (None, *_PORTS.values())
    names = [*_public_names(), *_read([config.get_option("server.address") or ""])]
    return any(each.host == host.host and each.port in ports for each in names)


def _may_ask(origin: str, host: Name) -> bool:
    """Return whether a page of this origin may send requests that change data.

    The schemes may differ, because a proxy may end TLS.
    """
    scheme, _, address = origin.partition("://")
    page, usual = name_of(address), _PORTS.get(scheme)
    if not page or not usual:
        return False
    port = page.port or usual
    if page.host == host.host and port == (host.port or usual):
        return True
    # Not the address to listen on, because another server on this machine may have the default port
    # of that address.
    names = _public_names()
    is_bare = page.host != host.host and port == usual and Name(page.host) in names
    return is_bare or Name(page.host, port) in names


def _public_names() -> list[Name]:
    """Return the host names that the administrator has configured for browsers."""
    named = (
        [config.get_option("browser.serverAddress")]
        if config.is_manually_set("browser.serverAddress")
        else []
    )
    # If the configuration is wrong, pages show what is wrong. The hosts of the last valid
    # configuration remain allowed for this.
    return _read([*named, *last_good().hosts])


def _read(texts: list[str]) -> list[Name]:
    return [
        name for text in texts if text not in _EVERYWHERE and (name := name_of(_bracketed(text)))
    ]


def _bracketed(address: str) -> str:
    """Return an address as in a URL: IPv6 in brackets, and `::ffff:10.0.0.1` as IPv4.

    A socket for both IPv4 and IPv6 has IPv4 addresses with `::ffff:`.
    """
    address = address.removeprefix("::ffff:")
    return f"[{address}]" if address.count(":") > 1 and not address.startswith("[") else address


HOSTS = Middleware(_Hosts)


# The secret cookie with which a browser owns its shares. Each browser gets it with the first page
# that it loads.


_SECONDS = 400 * 86_400
"""Browsers store a cookie for at most this time."""


class _OwnerCookie:
    """Set the owner cookie if a browser loads a page without it. Scripts cannot read the cookie."""

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
    """Return whether a browser requests a page.

    The request's headers decide, because the response for a cached page has no content type.
    """
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and "text/html" in Headers(scope=scope).get("accept", "")
    )


def _added(scope: Scope) -> list[str]:
    """Return the `Set-Cookie` headers for a browser without the owner cookie, else an empty list.

    With TLS, an older owner cookie is replaced by a cookie with the safer name.
    """
    cookies, is_secure = HTTPConnection(scope).cookies, _is_over_tls(scope)
    if is_owner(cookies.get(SECURE_COOKIE if is_secure else COOKIE)):
        return []
    response = Response()
    options: dict[str, Any] = {"httponly": True, "samesite": "lax", "secure": is_secure}
    response.set_cookie(
        SECURE_COOKIE if is_secure else COOKIE,
        owner_in(cookies) or secrets.token_urlsafe(32),
        max_age=_SECONDS,
        **options,
    )
    if is_secure and COOKIE in cookies:
        response.delete_cookie(COOKIE, **options)
    return response.headers.getlist("set-cookie")


def _is_over_tls(scope: Scope) -> bool:
    """Return whether the browser uses https, to this server or to a trusted proxy."""
    scheme = Headers(scope=scope).get("x-forwarded-proto", "").partition(",")[0].strip()
    return "https" in (scope["scheme"], scheme)


OWNER_COOKIE = Middleware(_OwnerCookie)
