"""The facts about a group or an application on which its readiness depends."""

from collections.abc import Iterable, Sequence

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.clients import JAVA
from evenkeel.assignors.protocol import CLASSIC, CONSUMER
from evenkeel.assignors.readiness.facts import (
    STREAMS_PROTOCOL,
    Facts,
    Member,
)
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Application
from evenkeel.data.readiness.environment import REMOTE
from evenkeel.data.scenarios.leaders import families

# Known facts about a group.


def facts_of(
    observed: ObservedGroup,
    clients: Sequence[frozenset[str]] | None = None,
    malformed: Iterable[str] = (),
    protocol: str | None = None,
) -> Facts:
    """Return the known facts about a group.

    `clients`: for each member, the clients that could have written its bytes. `malformed`: members
    whose bytes cannot be read.

    If `clients` is None, Evenkeel recognises a member's client by its default client id or by an
    empty rack, and assumes that all other members have the leader's client.
    """
    group, bad, has_bytes = observed.snapshot, frozenset(malformed), clients is not None
    protocol = observed.assignor or protocol
    if clients is None:
        clients = [
            _alone(name or (observed.leader.client if observed.leader else None))
            for name in families(observed)
        ]
    if protocol == STREAMS_PROTOCOL:
        clients = [_alone(JAVA)] * group.member_count
    elif not _is_known(protocol):
        clients = [frozenset()] * group.member_count
    nothing = (None,) * group.member_count
    user_data = (
        nothing
        if observed.assignment_user_data is None
        else [None if n < 0 else n for n in observed.assignment_user_data.tolist()]
    )
    expressions = observed.subscribed_regex or nothing
    members = zip(
        group.member_id,
        observed.client_id,
        group.instance_id,
        clients,
        observed.protocol or nothing,
        user_data,
        (member in bad for member in group.member_id),
        map(bool, expressions),
        strict=True,
    )
    known = {name for possible in clients for name in possible}
    leader = next(iter(known)) if len(known) == 1 else None
    if observed.leader:
        leader = observed.leader.client
    return Facts(
        observed.group_id,
        observed.group_type
        or (CLASSIC if observed.protocol_type or _is_of_clients(protocol) else None),
        observed.group_state,
        observed.protocol_type,
        protocol,
        tuple(Member(*member) for member in members),
        leader,
        bool(observed.leader and observed.leader.certain),
        not observed.may_have_members,
        has_bytes,
        observed.current is not None and bool((observed.current.owner != UNASSIGNED).any()),
    )


def facts_of_application(application: Application) -> Facts:
    """Return the known facts about a Kafka Streams application.

    A classic application always sends user data.
    """
    ids = [
        member.member_id for process in application.processes or () for member in process.consumers
    ]
    members = tuple(Member(member_id, clients=_alone(JAVA)) for member_id in ids)
    return Facts(
        application.application_id,
        application.type or CLASSIC,
        "Stable" if ids else None,
        CONSUMER,
        STREAMS_PROTOCOL,
        members,
    )


def _alone(name: str | None) -> frozenset[str]:
    return frozenset([name] if name else [])


def _is_known(protocol: str | None) -> bool:
    """Return whether a known client has an assignor with this name.

    The bytes of other assignors do not show the client.
    """
    own = (made.protocol for client in CLIENTS.values() for made in client.assignors.values())
    return (
        protocol is None
        or protocol in own
        or any(protocol in client.own_protocols for client in CLIENTS.values())
    )


def _is_of_clients(protocol: str | None) -> bool:
    """Return whether clients, and no brokers, have an assignor with this name."""
    return protocol is not None and protocol not in REMOTE and _is_known(protocol)
