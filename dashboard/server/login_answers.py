"""Answers of Streamlit's login routes. One cookie of Evenkeel replaces Streamlit's login cookies.

The audit records each login. If a login fails, the page says why.
"""

import json
import re
import time
from contextlib import suppress
from http.cookies import SimpleCookie
from typing import NamedTuple, TypedDict

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import Message, Scope, Send
from streamlit import config
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import (
    create_signed_value,
    decode_signed_value,
)
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from evenkeel.dashboard.shell.login_cookie import COOKIE, SKEW_SECONDS, login_of, signed
from evenkeel.dashboard.shell.reader import FROM, Reader, identified
from evenkeel.data import audit
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError

LOGIN_PATH, LOGOUT, CALLBACK = "/auth/login", "/auth/logout", "/oauth2callback"
WATCHED = (LOGIN_PATH, LOGOUT, CALLBACK)
_REFUSED = "login"
"""The address's parameter with the reason of a failed login."""

_LONGEST_COOKIE = 4096
_CLAIMS = re.compile(rf'{USER_COOKIE_NAME}(_\d+)?=(?!"")'.encode())
"""Streamlit's cookies with all claims of a token. A header that deletes a cookie does not match."""

_ALL = re.compile(rf'{USER_COOKIE_NAME}\w*=(?!"")'.encode())
"""The same cookies, and the cookies with the token itself, which the provider needs at logout."""


class _Outcome(NamedTuple):
    """Result of a login route. `reason`: why the login failed, empty if it did not.

    `who`: the person who logs in. `cookie`: header of the login cookie, None if it is unchanged.
    """

    reason: str = ""
    who: Reader | None = None
    cookie: str | None = None


def name_provider(scope: Scope, who: Reader) -> None:
    """Add a cookie to a logout request. It names the provider at which the person is logged in."""
    provider = json.dumps({"provider": who.identity.partition(":")[0]})
    value = create_signed_value(get_cookie_secret(), USER_COOKIE_NAME, provider)
    scope["headers"] = [*scope["headers"], (b"cookie", f"{USER_COOKIE_NAME}=".encode() + value)]


def answering(scope: Scope, path: str, who: Reader, send: Send) -> Send:
    """Return `send` for the answer of a login route; it records the login and replaces cookies.

    After a failed login, the browser is redirected to a page that says why.
    """
    is_replaced = False

    async def sent(message: Message) -> None:
        nonlocal is_replaced
        if message["type"] == "http.response.start":
            outcome = _outcome(
                scope, path, message["status"], Headers(raw=message["headers"]), who.address
            )
            _note(path, who, outcome)
            dropped = _ALL if outcome.reason else _CLAIMS
            pairs = [pair for pair in message["headers"] if not dropped.match(pair[1])]
            if outcome.cookie is not None:
                pairs.append((b"set-cookie", outcome.cookie.encode()))
            message = {**message, "headers": [_secured(pair) for pair in pairs]}
            if outcome.reason:
                is_replaced = True
                message = _redirect(outcome.reason, message["headers"])
        elif is_replaced:
            message = {"type": "http.response.body", "body": b""}
        await send(message)

    return sent


def _secured(pair: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """Add `Secure` to a cookie header, if browsers reach this server by https. Streamlit never adds
    it.
    """
    is_cookie = pair[0].lower() == b"set-cookie" and b"secure" not in {
        part.strip().lower() for part in pair[1].split(b";")
    }
    return (pair[0], pair[1] + _SECURE) if is_cookie and _is_by_https() else pair


_SECURE = b"; Secure"


def _is_by_https() -> bool:
    with suppress(SnapshotError):
        login = configuration().login
        return login is not None and login.address.startswith("https:")
    return False


def _outcome(scope: Scope, path: str, status: int, headers: Headers, address: str) -> _Outcome:
    if path == LOGIN_PATH:
        if status >= 400:
            return _Outcome("provider")
        is_old = headers.get("location", "").startswith("/")
        return _Outcome("again" if is_old else "")
    if path == LOGOUT:
        return _Outcome(cookie=_cookie("", 0))
    # After a logout at the provider, the provider sends the person back without a query.
    return _logged_in(headers, address) if scope["query_string"] else _Outcome()


def _logged_in(headers: Headers, address: str) -> _Outcome:
    """Return the result of a login, from the claims in Streamlit's cookies."""
    given: SimpleCookie = SimpleCookie()
    for value in headers.getlist("set-cookie"):
        given.load(value)
    secret = get_cookie_secret()
    values = {
        name: decode_signed_value(secret, name, cookie.value) for name, cookie in given.items()
    }
    claims = get_cookie_with_chunks(values.get, USER_COOKIE_NAME)
    if not claims:
        return _Outcome("refused", cookie=_cookie("", 0) if USER_COOKIE_NAME in given else None)
    try:
        login = login_of(json.loads(claims), configuration())
        value = signed(login, secret)
        who = identified({FROM: address}, {COOKIE: value})
    except SnapshotError as error:
        # The configuration became wrong during the login, so nobody is let in.
        who = Reader("unknown", address=address, why=str(error))
    if not who.is_known:
        return _Outcome("refused", who, _cookie("", 0))
    cookie = _cookie(value, int(login.end + SKEW_SECONDS - time.time()))
    if len(cookie) + len(_SECURE) > _LONGEST_COOKIE:
        return _Outcome("large", cookie=_cookie("", 0))
    return _Outcome("", who, cookie)


def _cookie(value: str, seconds: int) -> str:
    """Return the header that sets the login cookie. `seconds`: its lifetime; 0 deletes the
    cookie.
    """
    answer = Response()
    answer.set_cookie(
        COOKIE, value, max_age=seconds, path=f"/{base()}", httponly=True, samesite="lax"
    )
    return answer.headers["set-cookie"]


def base() -> str:
    """Return the base path of Streamlit's own routes, without slashes."""
    return (config.get_option("server.baseUrlPath") or "").strip("/")


def _redirect(reason: str, headers: list[tuple[bytes, bytes]]) -> Message:
    first = f"/{base()}/" if base() else "/"
    answer = RedirectResponse(f"{first}?{_REFUSED}={reason}", 302)
    cookies = [pair for pair in headers if pair[0].lower() == b"set-cookie"]
    return {
        "type": "http.response.start",
        "status": 302,
        "headers": [*answer.raw_headers, *cookies],
    }


class _Facts(TypedDict):
    who: str
    name: str
    address: str


def facts(who: Reader) -> _Facts:
    """Return the facts about a reader that each line of the audit has."""
    return {"who": who.identity, "name": who.name, "address": who.address}


def _note(path: str, who: Reader, outcome: _Outcome) -> None:
    if path == LOGOUT:
        audit.write("logout", **facts(who))
    elif outcome.who and outcome.who.is_known:
        audit.write("login", **facts(outcome.who))
    elif outcome.reason:
        why = outcome.who.why if outcome.who else _WHY[outcome.reason]
        audit.write("refusal", address=who.address, what="login", why=why)


_WHY = {
    "provider": "the provider did not answer",
    "again": "the page that asked for the login was too old",
    "refused": "the provider has not confirmed the login, or another browser began it",
    "large": f"the claims that [[rights]] uses do not fit into a cookie of {_LONGEST_COOKIE} bytes",
}
