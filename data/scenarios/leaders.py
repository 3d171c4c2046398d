"""Whose code assigns a group, and with which assignors."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain

from evenkeel.assignors import ASSIGNORS, CLIENTS, JAVA
from evenkeel.assignors.kafka.release import NEWEST, Release, of_release
from evenkeel.assignors.protocol import Assignor, no_function, not_offered
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.document import Leader
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.scenario.scenario import Settings

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


# Families: which clients the members of a group use, where that shows.


def families(observed: ObservedGroup) -> tuple[str | None, ...]:
    """Return the client of each member, None where it does not show: few keep their library's client id; librdkafka sends an empty rack."""
    rack_of = observed.snapshot.rack_of
    return tuple(_family(client_id or "", rack_of(row)) for row, client_id in enumerate(observed.client_id))


def possible_leaders(observed: ObservedGroup) -> list[str]:
    """Return the clients that may lead the group, the present leader first: every client that a member is known to use."""
    leader = [observed.leader.client] if observed.leader else []
    return list(dict.fromkeys([*leader, *filter(None, families(observed))]))


def _family(client_id: str, rack: str | None) -> str | None:
    by_rack = (name for name, client in CLIENTS.items() if client.sends_empty_rack) if rack == "" else ()
    by_id = (name for name, client in CLIENTS.items() if client.has_default_id(client_id))
    return next(chain(by_rack, by_id), None)


# Which assignor a group uses now.


def runs_ours(observed: ObservedGroup) -> bool:
    """Tell whether the group runs an assignor of Evenkeel's package: by its protocol, and by what its members sent."""
    client = other_leader(observed)
    return client is not None and CLIENTS[client].package_of(observed.assignor) is not None


def is_in_use(observed: ObservedGroup, assignor: type[Assignor]) -> bool | None:
    """Tell whether the group uses an assignor; None if unknown, also where clients and brokers both have this name, such as `range`."""
    if observed.assignor is None:
        return None
    if observed.assignor not in _protocols(assignor):
        return False
    if observed.group_type is None:
        return None if is_ambiguous(observed) else True
    return observed.group_type == assignor.group_type


def is_ambiguous(observed: ObservedGroup) -> bool:
    """Tell whether the group's assignor may be the clients' or the brokers': they share the name, and the group's type is unknown."""
    return observed.group_type is None and observed.assignor is not None and _serves_several_types(observed.assignor)


def _serves_several_types(protocol: str) -> bool:
    return len({assignor.group_type for assignor in ASSIGNORS.values() if assignor.protocol == protocol}) > 1


def _protocols(assignor: type[Assignor]) -> set[str]:
    """Return the words that groups report for an assignor: a client may have one of its own."""
    own = {own.protocol for client in CLIENTS.values() if (own := client.assignors.get(assignor.name))}
    packaged = {one.protocol for client in CLIENTS.values() for one in client.packaged if one.answers is assignor}
    return {assignor.protocol} | own | packaged


def in_use(observed: ObservedGroup) -> str | None:
    """Return the name in `ASSIGNORS` of the assignor that the group uses, None if it is unknown or not among them."""
    return next((name for name, assignor in ASSIGNORS.items() if is_in_use(observed, assignor)), None)


def with_settings(made: Made, settings: Settings) -> Assignor:
    """Make an assignor with a scenario's settings; SnapshotError for one that it does not take."""
    try:
        assignor = of_release(made, settings.kafka_version or NEWEST)
        ours = {"jdk": settings.jdk, "max_generation": settings.max_generation}
        given = {key: value for key, value in ours.items() if value is not None}
        return replace(assignor, **given) if given and isinstance(assignor, Release) else assignor
    except ValueError as error:
        raise SnapshotError(f"settings: {error}") from None
