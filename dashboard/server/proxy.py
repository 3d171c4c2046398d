"""A proxy in front of the server: it sends the user's name in a header.

This name header counts only if it comes from an address of the proxy; else it is removed. A
websocket keeps the headers of its first request, so the name may be outdated later. A websocket
with a name header is therefore closed after a while, and the browser opens a new one.
"""

import asyncio
import ipaddress
import os
import sys
from collections.abc import Iterable
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Receive, Scope, Send
from streamlit import config

from evenkeel.dashboard.shell.reader import FROM, user_headers
from evenkeel.data import audit, clock
from evenkeel.data.configuration import Configuration, configuration
from evenkeel.data.configuration.rights import Network
from evenkeel.data.errors import SnapshotError

_LOOPBACK = (Network("127.0.0.0/8"), Network("::1"))
_REWRITES = "FORWARDED_ALLOW_IPS"
_AGAIN = 1012
"""The close code that makes a browser connect again."""


def see_peers() -> None:
    """Start this process again if uvicorn would replace the sender's address.

    By default, uvicorn takes this address from `X-Forwarded-For`. An environment variable forbids
    this, but uvicorn reads the variable before it imports the app.
    """
    if user_headers() and _REWRITES not in os.environ:
        os.environ[_REWRITES] = ""
        sys.stdout.flush()
        # The listening socket of this start would remain open and block its port. Its number is
        # small, because the process has just started.
        os.closerange(3, 65_536)
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _is_rewritten() -> bool:
    return os.environ.get(_REWRITES) != ""


def require_safe_headers(chosen: Configuration | None) -> None:
    """Raise an error if anybody could send a name header that the server trusts.

    Raises
    ------
    SnapshotError
        Names the setting that is missing or must be removed.
    """
    if not user_headers():
        return
    address = config.get_option("server.address") or ""
    if not (chosen and chosen.login and chosen.login.trusted_proxy) and not _is_loopback(address):
        raise SnapshotError(
            "server.trustedUserHeaders is set and the server listens on"
            f" {address or 'every address'}: anyone could send these headers; expected"
            ' trusted_proxy = ["ADDRESS OF THE PROXY"] in [login] of evenkeel.toml, or an'
            " address that only this machine can reach"
        )
    if os.environ.get(_REWRITES):
        raise SnapshotError(
            f"{_REWRITES} hides the address of a request's sender, expected none together with"
            " server.trustedUserHeaders"
        )


def _is_loopback(address: str) -> bool:
    return address == "localhost" or any(network.holds(address) for network in _LOOPBACK)


def believe(scope: Scope) -> None:
    """Remove name headers that the proxy has not sent, and add the client's address as a header."""
    headers, names = MutableHeaders(scope=scope), user_headers()
    peer, _ = scope.get("client") or ("", 0)
    sent = [headers.getlist(name) for name in names]
    is_trusted = any(network.holds(peer) for network in _trusted())
    address = _address(peer, headers, is_trusted)
    is_named = is_trusted and not _is_rewritten()
    is_odd = any(sent) and (not is_named or any(len(values) > 1 for values in sent))
    dropped = {FROM, *names} if is_odd else {FROM}
    scope["headers"] = [
        pair for pair in scope["headers"] if pair[0].decode("latin-1").lower() not in dropped
    ]
    scope["headers"].append((FROM.encode(), address.encode("latin-1", "replace")))
    if is_odd:
        audit.write(
            "refusal",
            address=address,
            why="a name header that the proxy has not sent, or that was sent twice",
        )


def _trusted() -> Iterable[Network]:
    try:
        login = configuration().login
    except SnapshotError:
        return ()
    return login.trusted_proxy if login and login.trusted_proxy else _LOOPBACK


def _address(peer: str, headers: Headers, is_trusted: bool) -> str:
    """Return the client's address: from the proxy's header if the proxy is trusted, else `peer`."""
    forwarded = headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
    try:
        return str(ipaddress.ip_address(forwarded)) if is_trusted and forwarded else peer
    except ValueError:
        return peer


def for_a_while(receive: Receive, send: Send, seconds: float) -> tuple[Receive, Send]:
    """Return `receive` and `send` for a websocket that is closed after `seconds`.

    The browser then connects again.
    """
    end, is_over = clock.steady() + seconds, False

    async def heard() -> Message:
        nonlocal is_over
        # A message that has already arrived is received before a timeout of zero can end the
        # connection.
        with suppress(TimeoutError):
            if (left := end - clock.steady()) > 0:
                async with asyncio.timeout(left):
                    return await receive()
        if not is_over:
            is_over = True
            await send({"type": "websocket.close", "code": _AGAIN})
        return {"type": "websocket.disconnect", "code": _AGAIN}

    async def told(message: Message) -> None:
        if not is_over:
            await send(message)

    return heard, told
