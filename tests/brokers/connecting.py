"""Connections to brokers of a test, which answer late on a busy machine."""

from time import monotonic

from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.errors import UnansweredError
from evenkeel.data.live.connection import Connection
from tests.brokers.broker import Brokers

_LIMIT_SECONDS = 240
"""A broker among several that start at once has taken longer than the 15 s of an operator."""


def connected(brokers: Brokers, name: str) -> Connection:
    """Return a connection that waits for each answer of the brokers. `name`: of the cluster."""
    bootstrap = {"bootstrap.servers": brokers.bootstrap()}
    profile = Profile(name, bootstrap | {"socket.timeout.ms": str(_LIMIT_SECONDS * 1000)})
    deadline = monotonic() + _LIMIT_SECONDS
    while True:
        try:
            return Connection(profile)
        except UnansweredError:
            if monotonic() > deadline:
                raise
