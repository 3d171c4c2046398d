"""Connections by cluster: one for each cluster and process, kept from the first question on, or one that is open for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.configuration.profile import Profile
from evenkeel.data.live.connection import Connection

_KEPT: dict[str, Connection] = {}
_OPENING: dict[str, Lock] = {}


def kept(profile: Profile) -> Connection:
    """Return the connection of this process to a cluster; a new one where its settings have changed.

    Raises
    ------
    SnapshotError
        When the cluster cannot be reached.
    """
    # A lock for each: a cluster that does not answer does not hold up questions to the others.
    with _OPENING.setdefault(profile.name, Lock()):
        found = _KEPT.get(profile.name)
        if found is not None and found.profile == profile:
            return found
        opened = _KEPT[profile.name] = Connection(profile)
    if found is not None:
        found.close()
    return opened


def drop(connection: Connection) -> None:
    """Close a connection: the next question opens another."""
    name = connection.profile.name
    with _OPENING.setdefault(name, Lock()):
        if _KEPT.get(name) is connection:
            del _KEPT[name]
    connection.close()


@contextmanager
def connected(cluster: str) -> Iterator[Connection]:
    """Open another connection, to a cluster by name or by an address that the configuration allows, and close it."""
    connection = Connection(profile_of(cluster))
    try:
        yield connection
    finally:
        connection.close()
