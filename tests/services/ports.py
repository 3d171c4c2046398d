"""Ports of loopback."""

import random
import socket
from contextlib import ExitStack, suppress

_PORTS = (15_000, 32_000)
"""Below those that Linux gives to outgoing connections."""


def free_port() -> int:
    """Return a port as `free_ports` does."""
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """Return ports that nobody uses, and that the system gives to no connection before a server has
    taken them.
    """
    found: set[int] = set()
    with ExitStack() as opened:
        while len(found) < count:
            port = random.SystemRandom().randrange(*_PORTS)
            each = opened.enter_context(socket.socket())
            with suppress(OSError):
                each.bind(("127.0.0.1", port))
                found.add(port)
    return list(found)
