"""Sending: one POST to a receiver. Redirects are not followed.

A local address (this machine or its network link) is refused, unless the rule allows local
addresses.
"""

import http.client
import ipaddress
import socket
import ssl
from contextlib import suppress
from enum import StrEnum
from threading import Timer
from typing import NamedTuple
from urllib.parse import urlsplit

TIMEOUT_SECONDS = 5.0
_PORTS = {"http": 80, "https": 443}


class Outcome(StrEnum):
    """The result of one POST. `REFUSED`: do not retry. `FAILED`: a retry may succeed."""

    SENT = "sent"
    REFUSED = "refused"
    FAILED = "failed"


class Delivery(NamedTuple):
    """The outcome of a message. The reason contains no part of the address."""

    outcome: Outcome
    reason: str = ""


def post(url: str, body: bytes, key: str, is_local_allowed: bool) -> Delivery:
    """Send a JSON body. `key`: a receiver can ignore a message whose key it already knows."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        return Delivery(Outcome.REFUSED, "the address is not http or https")
    try:
        port = parts.port or _PORTS[parts.scheme]
        addresses = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, ValueError):
        return Delivery(Outcome.FAILED, "no such host")
    known = [str(each[4][0]) for each in addresses]
    if not is_local_allowed and any(map(_is_local, known)):
        return Delivery(Outcome.REFUSED, "the address is local: this machine or its network link")
    try:
        status = _status(parts.scheme, parts.hostname, known[0], port, _target(url), body, key)
    except (OSError, http.client.HTTPException) as error:
        return Delivery(Outcome.FAILED, f"no answer ({type(error).__name__})")
    if 200 <= status < 300:
        return Delivery(Outcome.SENT)
    outcome = Outcome.REFUSED if status < 500 else Outcome.FAILED
    return Delivery(outcome, f"the answer is {status}")


def _is_local(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(ip, "ipv4_mapped", None)
    ip = mapped or ip
    return ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast


def _target(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _status(
    scheme: str, host: str, address: str, port: int, target: str, body: bytes, key: str
) -> int:
    # Connect to the checked address; a second look-up of the name may return another address.
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)
    connection.sock = socket.create_connection((address, port), TIMEOUT_SECONDS)
    # The socket's own timeout restarts with every byte.
    limit = Timer(TIMEOUT_SECONDS, _cut, [connection])
    limit.daemon = True
    try:
        limit.start()
        if scheme == "https":
            context = ssl.create_default_context()
            secure = context.wrap_socket(
                connection.sock, server_hostname=host, do_handshake_on_connect=False
            )
            connection.sock = secure
            secure.do_handshake()
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": key.encode("ascii", "backslashreplace").decode(),
        }
        connection.request("POST", target, body, headers)
        return connection.getresponse().status
    finally:
        limit.cancel()
        connection.close()


def _cut(connection: http.client.HTTPConnection) -> None:
    with suppress(OSError, AttributeError):
        # Not `SSLSocket.shutdown`: it drops the encryption first.
        socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)
