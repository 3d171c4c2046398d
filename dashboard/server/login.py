"""Login: Streamlit's settings for the providers in `[login]`, and the check of each request.

Without `[login]` and `[[rights]]`, nothing is checked. Otherwise a request needs a login, except
for the files of the pages, the login page, /healthz (without reasons), and shares that everybody
with the link may open.
"""

import re
import sys
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config, runtime
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from evenkeel.dashboard.server.bodies import problem
from evenkeel.dashboard.server.login_answers import (
    CALLBACK,
    LOGIN_PATH,
    LOGOUT,
    WATCHED,
    answering,
    base,
    facts,
    name_provider,
)
from evenkeel.dashboard.server.proxy import believe, for_a_while, require_safe_headers
from evenkeel.dashboard.shell.reader import EVERYBODY, Reader, acting, identified, user_headers
from evenkeel.data import audit
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.conversion import resolved
from evenkeel.data.configuration.reading import begin_serving, configuration_at_start
from evenkeel.data.configuration.rights import LoginSettings
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import required

_SHORTEST_SECRET = 32


def settings() -> dict[str, Any]:
    """Return the settings for `st.App`.

    If `[login]`, `[[rights]]` or the address is unsafe, print one sentence and end the process.
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
            f"login.cookie_secret is too short, expected at least {_SHORTEST_SECRET} random"
            " characters"
        )
    shared = {"redirect_uri": f"{login.address.rstrip('/')}{CALLBACK}", "cookie_secret": secret}
    # Streamlit creates the cookie of a started login before it reads the secrets.
    config.set_option("server.cookieSecret", secret)
    return shared | {
        name: {
            "client_id": provider.client_id,
            "client_secret": resolved(
                f"login.providers.{name}.client_secret", provider.client_secret
            ),
            "server_metadata_url": provider.server_metadata_url,
            "client_kwargs": {
                "scope": provider.scope,
                "prompt": provider.prompt,
                "timeout": _PROVIDER_SECONDS,
            },
        }
        for name, provider in login.providers.items()
    }


_PROVIDER_SECONDS = 10


# The gate that checks each request.


_OPEN = (
    "/_stcore/health",
    "/_stcore/script-health-check",
    "/_stcore/host-config",
    "/_stcore/bidi-components/",
    "/_stcore/stream",
)
_PROGRAMS = ("/api/", "/metrics", "/_stcore/", "/mcp")
"""Paths that programs request. Unknown readers may not request these paths or paths below them."""

_SHARE, _MEDIA, _UPLOAD = "/api/shares/", "/media/", "/_stcore/upload_file/"


class _Login:
    """Identify the reader of each request, and refuse requests that this reader may not send.

    The reader is passed to the routes.
    """

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            # A page checks its reader at each run, because the server may be closed by then.
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
            if is_open:
                who = EVERYBODY
            elif has_key:
                who = await run_in_threadpool(_who, scope)
            else:
                who = _who(scope)
        except SnapshotError as error:
            # Pages show faults of the configuration. All other requests are refused until it is
            # right.
            is_page = not (
                _is_program(scope["path"])
                or _is_program(path)
                or path.startswith((_MEDIA, LOGIN_PATH, CALLBACK))
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
                **facts(who),
                what=path if path in ("/metrics", "/mcp") else f"/{path.split('/')[1]}/",
                why=who.why,
            )
        if path == LOGOUT and who.kind == "login":
            name_provider(scope, who)
        with acting(who):
            await (refusal or self._app)(
                scope, receive, answering(scope, path, who, send) if path in WATCHED else send
            )
        if not refusal and path.startswith(_MEDIA) and scope["method"] == "GET":
            audit.write("export", **facts(who))


def _is_closed() -> bool:
    """Return whether readers must log in. They must also log in if the configuration is wrong."""
    with suppress(SnapshotError):
        return configuration().is_closed
    return True


def _who(scope: Scope) -> Reader:
    return identified(Headers(scope=scope), HTTPConnection(scope).cookies)


def _path(scope: Scope) -> str:
    """Return the path without `server.baseUrlPath`, as Streamlit's routes have it.

    The routes for programs are not below this base path.
    """
    path, first = scope["path"], base()
    return path.removeprefix(f"/{first}") if first and path.startswith(f"/{first}/") else path


def _is_program(path: str) -> bool:
    return path.startswith(_PROGRAMS) and not path.startswith(_OPEN)


def _refusal(path_sent: str, path: str, who: Reader, has_key: bool) -> Response | None:
    """Return the response that refuses a request, None if the reader may send the request.

    `path`: the path without `server.baseUrlPath`.
    """
    if path.startswith(_MEDIA):
        return None if _key_of(who, path) in _OFFERED else PlainTextResponse("File not found", 404)
    if not (_is_program(path_sent) or _is_program(path)) or (
        path_sent.startswith(_SHARE) and not has_key
    ):
        return None
    if not who.is_known:
        sentence = (
            f"this server needs a key: {who.why or 'none was sent'}; expected the header"
            " Authorization: Bearer KEY"
        )
        answer = problem(sentence, 401)
        answer.headers["WWW-Authenticate"] = "Bearer"
        return answer
    if path.startswith(_UPLOAD) and not (
        who.grants.may_anywhere("upload") and _is_own_session(path.split("/")[3], who)
    ):
        return PlainTextResponse("your rights do not include this upload", 403)
    return None


def _is_own_session(session_id: str, who: Reader) -> bool:
    client = runtime.get_instance().get_client(session_id) if runtime.exists() else None
    context = client.client_context if client else None
    return (
        context is not None
        and identified(_lowered(context.headers), context.cookies).identity == who.identity
    )


def _lowered(headers: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    return {name.lower(): value for name, value in headers}


def _of_tab(scope: Scope, receive: Receive, send: Send) -> tuple[Receive, Send]:
    """Return `receive` and `send` for the websocket of a browser tab.

    If the request has a header with a user name, trusted or not, the websocket is closed after a
    while. The tab then connects again, with a new header.
    """
    is_named = any(Headers(scope=scope).get(name) for name in user_headers())
    believe(scope)
    noting = _noting_files(scope, send)
    return for_a_while(receive, noting, _renew_seconds()) if is_named else (receive, noting)


def _renew_seconds() -> float:
    login = None
    with suppress(SnapshotError):
        login = configuration().login
    return (login or LoginSettings()).renew.total_seconds()


# Only the reader who was offered a page's file may load it. A file's address depends only on its
# content, and a reader could pass it on.


_ADDRESS = re.compile(rb"/media/([0-9a-f]{16,128})")
_OFFERED: OrderedDict[tuple[str, str, str], None] = OrderedDict()
_MOST_OFFERED = 100_000


def _noting_files(scope: Scope, send: Send) -> Send:
    """Return a `send` that also records which files a tab's messages offer, and to which reader.

    If the tab's login has ended, nothing is recorded: the files are meant for the former reader.
    """
    identity = _identity(scope)

    async def sent(message: Message) -> None:
        nonlocal identity
        addresses = (
            {address.decode() for address in _ADDRESS.findall(message.get("bytes") or b"")}
            if _is_closed()
            else ()
        )
        # A wrong configuration lets nobody in.
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
    # The address of a file that a click creates is sent only to the tab with the click.
    made = ForwardMsg.FromString(message["bytes"]).backend_operation_response.deferred_file.url
    for address in addresses:
        if address in made or _holds(who, address):
            _OFFERED[who.identity, who.scope, address] = None
    while len(_OFFERED) > _MOST_OFFERED:
        _OFFERED.popitem(last=False)


def _holds(who: Reader, file_id: str) -> bool:
    """Return whether a file is offered in a tab of this reader.

    The address alone is no proof: a page can show the address of another reader's file as text.
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


LOGIN = Middleware(_Login)
