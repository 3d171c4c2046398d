"""Login: what Streamlit is told of the providers of `[login]`, and a gate that asks of each request
who sends it.

A server without `[login]` and `[[rights]]` has neither. What needs no login on the others: the
files of the pages, the page that asks for one, /healthz without its reasons, and shares that their
authors have opened to whoever has the link.
"""

import re
import sys
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from http.cookies import SimpleCookie
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config, runtime
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from evenkeel.dashboard.loading.reader import (
    EVERYBODY,
    FROM,
    Reader,
    acting,
    identified,
    user_headers,
)
from evenkeel.dashboard.server.bodies import problem
from evenkeel.dashboard.server.proxy import believe, for_a_while, require_safe_headers
from evenkeel.data import audit
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.conversion import resolved
from evenkeel.data.configuration.reading import begin_serving, configuration_at_start
from evenkeel.data.configuration.rights import LoginSettings
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import required

_CALLBACK = "/oauth2callback"
_SHORTEST_SECRET = 32


def settings() -> dict[str, Any]:
    """Return what `st.App` is told; end the process with one sentence where `[login]`, `[[rights]]`
    or the address is not safe.
    """
    try:
        begin_serving()
        chosen = configuration_at_start()
        require_safe_headers(chosen)
        return (
            {"secrets": {"auth": _auth(chosen.login)}}
            if chosen and chosen.login and chosen.login.providers
            else {}
        )
    except SnapshotError as error:
        sys.exit(f"evenkeel: {error}")


@required("login")
def _auth(login: LoginSettings) -> dict[str, Any]:
    secret = resolved("login.cookie_secret", login.cookie_secret)
    if len(secret) < _SHORTEST_SECRET:
        raise SnapshotError(
            f"login.cookie_secret has fewer than {_SHORTEST_SECRET} characters, expected that many random ones"
        )
    shared = {"redirect_uri": f"{login.address.rstrip('/')}{_CALLBACK}", "cookie_secret": secret}
    # Streamlit makes the cookie of a login that has begun before it looks at the secrets.
    config.set_option("server.cookieSecret", secret)
    return shared | {
        name: {
            "client_id": one.client_id,
            "client_secret": resolved(f"login.providers.{name}.client_secret", one.client_secret),
            "server_metadata_url": one.server_metadata_url,
            "client_kwargs": {
                "scope": one.scope,
                "prompt": one.prompt,
                "timeout": _PROVIDER_SECONDS,
            },
        }
        for name, one in login.providers.items()
    }


_PROVIDER_SECONDS = 10


# The gate.


_OPEN = (
    "/_stcore/health",
    "/_stcore/script-health-check",
    "/_stcore/host-config",
    "/_stcore/bidi-components/",
    "/_stcore/stream",
)
_PROGRAMS = ("/api/", "/metrics", "/_stcore/", "/mcp")
"""What a program asks: closed to whoever is unknown, what may be added below them too."""

_SHARE, _MEDIA, _UPLOAD = "/api/shares/", "/media/", "/_stcore/upload_file/"
_LOGIN, _LOGOUT = "/auth/login", "/auth/logout"
REFUSED = "login"
"""The parameter of an address that says why a login has not succeeded."""


class _Login:
    """Finds out who asks, lets routes ask the same, and refuses what is not for the reader."""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            # A page asks for itself, at each of its runs; by then the server may be closed.
            await self._app(scope, *_of_tab(scope, receive, send))
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if _is_closed() or user_headers():
            believe(scope)
        path, has_key = _path(scope), "authorization" in Headers(scope=scope)
        try:
            is_open = not configuration().is_closed
            who = (
                EVERYBODY
                if is_open
                else await run_in_threadpool(_who, scope)
                if has_key
                else _who(scope)
            )
        except SnapshotError as error:
            # Pages say what is wrong with the configuration; nothing else is answered until it is
            # right.
            is_page = not (
                _is_program(scope["path"])
                or _is_program(path)
                or path.startswith((_MEDIA, _LOGIN, _CALLBACK))
            )
            await (self._app if is_page else problem(str(error), 503))(scope, receive, send)
            return
        if is_open:
            await self._app(scope, receive, send)
            return
        refusal = _refusal(scope["path"], path, who, has_key)
        if refusal:
            audit.write(
                "refusal",
                **_facts(who),
                what=path if path in ("/metrics", "/mcp") else f"/{path.split('/')[1]}/",
                why=who.why,
            )
        with acting(who):
            await (refusal or self._app)(
                scope, receive, _answering(scope, path, who, send) if path in _WATCHED else send
            )
        if not refusal and path.startswith(_MEDIA) and scope["method"] == "GET":
            audit.write("export", **_facts(who))


def _is_closed() -> bool:
    """Tell whether readers must say who they are: while the configuration is wrong, they must."""
    with suppress(SnapshotError):
        return configuration().is_closed
    return True


def _who(scope: Scope) -> Reader:
    return identified(Headers(scope=scope), HTTPConnection(scope).cookies)


def _facts(who: Reader) -> dict[str, str]:
    return {"who": who.identity, "name": who.name, "address": who.address}


def _path(scope: Scope) -> str:
    """Return the path of one of Streamlit's own routes, below `server.baseUrlPath`; those for
    programs are not below it.
    """
    path, base = scope["path"], (config.get_option("server.baseUrlPath") or "").strip("/")
    return path.removeprefix(f"/{base}") if base and path.startswith(f"/{base}/") else path


def _is_program(path: str) -> bool:
    return path.startswith(_PROGRAMS) and not path.startswith(_OPEN)


def _refusal(asked: str, path: str, who: Reader, has_key: bool) -> Response | None:
    """Return the answer to what is not for the reader, None for everything else; `path`: below the
    base of Streamlit's routes.
    """
    if path.startswith(_MEDIA):
        return None if _key_of(who, path) in _OFFERED else PlainTextResponse("File not found", 404)
    if not (_is_program(asked) or _is_program(path)) or (asked.startswith(_SHARE) and not has_key):
        return None
    if not who.is_known:
        said = f"this server needs a key: {who.why or 'none was sent'}; expected the header Authorization: Bearer KEY"
        answer = problem(said, 401)
        answer.headers["WWW-Authenticate"] = "Bearer"
        return answer
    if path.startswith(_UPLOAD) and not (
        who.grants.may_anywhere("upload") and _is_own_session(path.split("/")[3], who)
    ):
        return PlainTextResponse("your rights do not include this upload", 403)
    return None


def _is_own_session(session_id: str, who: Reader) -> bool:
    """Tell whether a tab is the reader's own."""
    client = runtime.get_instance().get_client(session_id) if runtime.exists() else None
    context = client and client.client_context
    return (
        bool(context)
        and identified(_lowered(context.headers), context.cookies).identity == who.identity
    )


def _lowered(headers: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    return {name.lower(): value for name, value in headers}


def _of_tab(scope: Scope, receive: Receive, send: Send) -> tuple[Receive, Send]:
    """Return how a tab is heard and told: one to which a name was sent, believed or not, ends after
    a while and may be named anew.
    """
    is_named = any(Headers(scope=scope).get(name) for name in user_headers())
    believe(scope)
    told = _noting_files(scope, send)
    return for_a_while(receive, told, _renew_seconds()) if is_named else (receive, told)


def _renew_seconds() -> float:
    login = None
    with suppress(SnapshotError):
        login = configuration().login
    return (login or LoginSettings()).renew.total_seconds()


# Files of pages are for the reader to whose tab they were offered: the address of one tells what is
# in it, and could be passed on.


_ADDRESS = re.compile(rb"/media/([0-9a-f]{16,128})")
_OFFERED: OrderedDict[tuple[str, str, str], None] = OrderedDict()
_MOST_OFFERED = 100_000


def _noting_files(scope: Scope, send: Send) -> Send:
    """Return how messages go to a tab: each address of a file in them is noted for its reader, and
    for what the reader may see by then.

    Nothing is noted for a tab whose login has ended: its files are for the reader that it had, and
    not for whoever is unknown.
    """
    identity = _identity(scope)

    async def sent(message: Message) -> None:
        nonlocal identity
        addresses = (
            {found.decode() for found in _ADDRESS.findall(message.get("bytes") or b"")}
            if _is_closed()
            else ()
        )
        # Nobody is let in by a wrong configuration.
        with suppress(SnapshotError):
            who = _who(scope) if addresses else None
            identity = identity or (who.identity if who else "")
            if who and who.identity == identity:
                _note_files(addresses, who, message)
        await send(message)

    return sent


def _identity(scope: Scope) -> str:
    try:
        return _who(scope).identity if _is_closed() else ""
    except SnapshotError:
        return ""


def _note_files(addresses: Iterable[str], who: Reader, message: Message) -> None:
    # What was made at a click is named to the tab that has clicked, and to no other.
    made = ForwardMsg.FromString(message["bytes"]).backend_operation_response.deferred_file.url
    for found in addresses:
        if found in made or _holds(who, found):
            _OFFERED[who.identity, who.scope, found] = None
    while len(_OFFERED) > _MOST_OFFERED:
        _OFFERED.popitem(last=False)


def _holds(who: Reader, file_id: str) -> bool:
    """Tell whether a tab of the reader has a file: a page may also repeat the address of another
    reader's as a text.
    """
    if not runtime.exists():
        return False
    files = runtime.get_instance().media_file_mgr._files_by_session_and_coord
    return any(
        file_id in some.values() and _is_own_session(session, who)
        for session, some in list(files.items())
    )


def _key_of(who: Reader, path: str) -> tuple[str, str, str]:
    return who.identity, who.scope, path.removeprefix(_MEDIA).partition(".")[0]


# What a login leads to is written down, and a login that fails says so on the page.


_WATCHED = (_LOGIN, _LOGOUT, _CALLBACK)


def _answering(scope: Scope, path: str, who: Reader, send: Send) -> Send:
    """Return how an answer of Streamlit's own routes is sent on."""
    is_replaced = False

    async def sent(message: Message) -> None:
        nonlocal is_replaced
        if message["type"] == "http.response.start":
            message = message | {"headers": [_secured(pair) for pair in message["headers"]]}
            headers = Headers(raw=message["headers"])
            reason = _failure(scope, path, message["status"], headers)
            _note(path, who, headers, reason)
            if reason:
                is_replaced = True
                message = _redirect(reason, message["headers"])
        elif is_replaced:
            message = {"type": "http.response.body", "body": b""}
        await send(message)

    return sent


def _secured(pair: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """Return a header, a cookie for TLS alone where browsers reach this server by https: Streamlit
    never says so.
    """
    is_cookie = pair[0].lower() == b"set-cookie" and b"secure" not in {
        part.strip().lower() for part in pair[1].split(b";")
    }
    return (pair[0], pair[1] + b"; Secure") if is_cookie and _is_by_https() else pair


def _is_by_https() -> bool:
    with suppress(SnapshotError):
        login = configuration().login
        return login is not None and login.address.startswith("https:")
    return False


def _failure(scope: Scope, path: str, status: int, headers: Headers) -> str:
    if path == _LOGIN and (status >= 400 or headers.get("location", "").startswith("/")):
        return "provider" if status >= 400 else "again"
    # Without a query a provider sends back whoever has logged out there.
    return "refused" if path == _CALLBACK and scope["query_string"] and not _claims(headers) else ""


def _redirect(reason: str, headers: list[tuple[bytes, bytes]]) -> Message:
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    answer = RedirectResponse(
        f"/{base}/?{REFUSED}={reason}" if base else f"/?{REFUSED}={reason}", 302
    )
    cookies = [pair for pair in headers if pair[0].lower() == b"set-cookie"]
    return {
        "type": "http.response.start",
        "status": 302,
        "headers": [*answer.raw_headers, *cookies],
    }


def _note(path: str, who: Reader, headers: Headers, reason: str) -> None:
    if path == _LOGOUT:
        audit.write("logout", **_facts(who))
    elif reason:
        audit.write("refusal", address=who.address, what="login", why=_WHY[reason])
    elif path == _CALLBACK and (claims := _claims(headers)):
        found = identified({FROM: who.address}, claims)
        audit.write("login" if found.is_known else "refusal", **_facts(found), why=found.why)


_WHY = {
    "provider": "the provider did not answer",
    "again": "the page that asked for the login was too old",
    "refused": "the provider has not confirmed the login, or another browser began it",
}


def _claims(headers: Headers) -> dict[str, str]:
    """Return the cookies of a login that an answer sets, none where nobody was logged in."""
    jar: SimpleCookie = SimpleCookie()
    for value in headers.getlist("set-cookie"):
        jar.load(value)
    found = {
        name: one.value
        for name, one in jar.items()
        if name.startswith(USER_COOKIE_NAME) and one.value and one["max-age"] != "0"
    }
    return found if USER_COOKIE_NAME in found else {}


LOGIN = Middleware(_Login)
