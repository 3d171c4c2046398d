"""Whose code assigns a group, and with which assignors."""

from collections.abc import Callable, Mapping

from evenkeel.assignors import ASSIGNORS, CLIENTS, JAVA
from evenkeel.assignors.protocol import Assignor, no_function, not_offered
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.document import Leader
from evenkeel.data.errors import SnapshotError

Made = Callable[[], Assignor]

_CLASSIC = "classic"


def other_leader(observed: ObservedGroup) -> str | None:
    """Return the client that leads, None for Java, for an unknown leader, and for groups that a broker assigns."""
    leader = observed.leader
    return leader.client if leader and leader.client != JAVA and observed.group_type in (None, _CLASSIC) else None


def client_of(leader: Leader | None, chosen: object = None) -> str:
    """Return the client whose code answers: the chosen one, else the leader, else Java.

    Raises
    ------
    SnapshotError
        Where no client of this name is known.
    """
    client = chosen if chosen is not None else leader.client if leader else JAVA
    if not isinstance(client, str) or client not in CLIENTS:
        raise SnapshotError(f'settings.client: found "{client}", expected one of {", ".join(CLIENTS)}')
    return client


def led_by(client: str, assignors: Mapping[str, Made] = ASSIGNORS) -> dict[str, Made]:
    """Return the assignors where a client leads: its own where clients ship theirs, all others as they are."""
    return {name: _of_client(client, name) if is_clients(name, made) else made for name, made in assignors.items()}


def is_clients(name: str, made: Made) -> bool:
    """Tell whether each client has its own code under this name."""
    return name in CLIENTS[JAVA].assignors and made is ASSIGNORS[name]


def _of_client(client: str, name: str) -> Made:
    own, protocol = CLIENTS[client].assignors, ASSIGNORS[name].protocol
    if name in own:
        return own[name]
    why = CLIENTS[client].no_function.get(name)
    return no_function(client, name, protocol, why) if why else not_offered(client, name, protocol, list(own))
