"""Leader: the client that computed the assignment of a classic group, inferred from the bytes of
the assignment.

This module reads the bytes. `assignors.CLIENTS` describes the bytes that each client writes.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from evenkeel.assignors import CLIENTS
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import Leader
from evenkeel.data.live.wire.consumer_protocol import Subscription, subscription
from evenkeel.data.live.wire.reader import Reader


class _LeaderAssignment(NamedTuple):
    """The assignment of a member. `is_sorted`: topics and partition numbers ascend. `is_echo`: the
    leader sent back the user data of the member's subscription.
    """

    version: int
    user_data: bytes | None
    is_sorted: bool
    is_echo: bool


class LeaderFacts(NamedTuple):
    """Facts that follow from the bytes of a classic group.

    `leader`: client of the leader, None if the bytes fit no known client. `possible`: possible
    clients of each member, empty if its bytes are missing or fit no client. `sent`: subscription of
    each member, None if missing or unreadable.
    """

    leader: Leader | None
    possible: list[frozenset[str]]
    sent: list[Subscription | None]


def told_by(members: Iterable[Any], protocol: str) -> LeaderFacts:
    """Return the facts that follow from the members in a DescribeGroups answer.

    The leader's client must be the client of a member, and must write assignments like these. If
    only one client fits, `certain` may be true. If several fit, the likeliest is chosen: first by
    the subscriptions of the members, then by their client ids, then by how common a client is.
    """
    members = list(members)
    sent = [_subscription(member) for member in members]
    if (only := _only_of(protocol)) is not None:
        leader = Leader(only, certain=True) if members else None
        return LeaderFacts(leader, [frozenset([only] if own else []) for own in sent], sent)
    possible = [_clients_that_send(own, protocol) for own in sent]
    return LeaderFacts(_leader(members, protocol, possible, sent), possible, sent)


def _leader(
    members: list[Any],
    protocol: str,
    possible: list[frozenset[str]],
    sent: list[Subscription | None],
) -> Leader | None:
    try:
        assignments = [
            _written(member, own)
            for member, own in zip(members, sent, strict=True)
            if member.member_assignment
        ]
    except SnapshotError:
        return None
    fitting = _fitting(frozenset().union(*possible), assignments, protocol)
    if not assignments or not fitting:
        return None
    client = _likeliest(fitting, possible, [member.client_id for member in members])
    is_certain = (
        len(fitting) == 1
        and all(possible)
        and CLIENTS[client].is_sure([own for own in sent if own], assignments)
    )
    return Leader(client, certain=is_certain)


def _only_of(protocol: str) -> str | None:
    """Return the only client that has this protocol. None if no client or several clients have
    it.
    """
    return next(
        (name for name, client in CLIENTS.items() if protocol in client.own_protocols), None
    )


def _subscription(member: Any) -> Subscription | None:
    try:
        return subscription(bytes(member.member_metadata)) if member.member_metadata else None
    except SnapshotError:
        return None


def _written(member: Any, sent: Subscription | None) -> _LeaderAssignment:
    """Decode the assignment of a member.

    Raises
    ------
    SnapshotError
        If the bytes are not an assignment, or if the member's subscription cannot be read.
    """
    if sent is None and member.member_metadata:
        raise SnapshotError("member metadata: unreadable, expected a subscription")
    reader = Reader(bytes(member.member_assignment), "member assignment")
    version = reader.int16()
    runs = reader.runs()
    topics = [topic for topic, _ in runs]
    is_sorted = topics == sorted(set(topics)) and all(
        numbers == sorted(numbers) for _, numbers in runs
    )
    user_data = reader.nullable_bytes()
    return _LeaderAssignment(version, user_data, is_sorted, user_data == (sent and sent.user_data))


def _clients_that_send(sent: Subscription | None, protocol: str) -> frozenset[str]:
    return (
        frozenset(name for name, client in CLIENTS.items() if client.sends(sent, protocol))
        if sent
        else frozenset()
    )


def _fitting(
    used: frozenset[str], assignments: Sequence[_LeaderAssignment], protocol: str
) -> list[str]:
    """Return the clients among `used` that would write these assignments, most common first."""
    fitting = [
        name
        for name, client in CLIENTS.items()
        if name in used and all(client.writes(assignment, protocol) for assignment in assignments)
    ]
    is_sorted = all(written.is_sorted for written in assignments)
    return [
        name
        for name in fitting
        if not (is_sorted and set(CLIENTS[name].yields_sorted_to) & set(fitting))
    ]


def _likeliest(
    fitting: list[str], possible: list[frozenset[str]], client_ids: Iterable[str | None]
) -> str:
    """Return the likeliest client. Best is a client that fits every member. Among equals, best is a
    client whose default client id a member has; then the most common client.
    """
    common = frozenset.intersection(*filter(None, possible))
    ids = [client_id or "" for client_id in client_ids]
    named = {client for client in fitting if any(map(CLIENTS[client].has_default_id, ids))}
    return min(
        fitting,
        key=lambda client: (client not in common, client not in named, fitting.index(client)),
    )
