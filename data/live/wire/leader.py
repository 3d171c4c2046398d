"""Leader: whose code assigned a classic group, told by the bytes of the assignments, which the leader has written."""

from collections.abc import Iterable, Sequence
from typing import Any

from evenkeel.data.document import Leader
from evenkeel.data.document.client_ids import named_by
from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.wire.consumer_protocol import subscription
from evenkeel.data.live.wire.fingerprints import ONLY_OF, clients_that_send
from evenkeel.data.live.wire.handwriting import Written, clients_that_write, written

_SHOWS_LATE = "sarama"


def leader_of(members: Iterable[Any], protocol: str) -> Leader | None:
    """Return who leads, of the members of a DescribeGroups answer; None where the bytes fit no known client.

    Of the clients that the members use, one that writes such assignments leads. It is certain where one is left. Of several the likeliest
    is taken: by what the other members sent, by client ids, and else the client that is used more.
    """
    members = list(members)
    if protocol in ONLY_OF:
        return Leader(ONLY_OF[protocol], certain=True) if members else None
    try:
        assignments = [written(bytes(one.member_assignment), _user_data(one)) for one in members if one.member_assignment]
    except SnapshotError:
        return None
    sent = clients_of(members, protocol)
    fitting = _fitting(frozenset().union(*sent), assignments, protocol)
    if not assignments or not fitting:
        return None
    client = _likeliest(fitting, sent, [one.client_id for one in members])
    is_certain = len(fitting) == 1 and all(sent) and (client != _SHOWS_LATE or _is_surely_sarama(members, assignments))
    return Leader(client, certain=is_certain)


def clients_of(members: Iterable[Any], protocol: str) -> list[frozenset[str]]:
    """Return for each member the clients that it can be; none where its bytes fit no known client, or are missing."""
    return [_clients_of(bytes(one.member_metadata), protocol) for one in members]


def _clients_of(data: bytes, protocol: str) -> frozenset[str]:
    try:
        return clients_that_send(subscription(data), protocol) if data else frozenset()
    except SnapshotError:
        return frozenset()


def _user_data(member: Any) -> bytes | None:
    return subscription(bytes(member.member_metadata)).user_data if member.member_metadata else None


def _fitting(used: frozenset[str], assignments: Sequence[Written], protocol: str) -> list[str]:
    """Return the clients among `used` that write such assignments; sarama's beside franz-go are not sorted, because it walks a Go map."""
    fitting = [client for client in clients_that_write(assignments, protocol) if client in used]
    is_sorted = all(one.is_sorted for one in assignments)
    return [client for client in fitting if client != _SHOWS_LATE or not (is_sorted and "franz-go" in fitting)]


def _likeliest(fitting: list[str], sent: list[frozenset[str]], client_ids: Iterable[str]) -> str:
    """Return a client that every member can be before one that some member cannot be, then one with its default client id."""
    common = frozenset.intersection(*filter(None, sent))
    named = named_by(client_ids)
    return min(fitting, key=lambda client: (client not in common, client not in named, fitting.index(client)))


def _is_surely_sarama(members: Iterable[Any], assignments: Iterable[Written]) -> bool:
    """Tell whether it cannot be a Java client of before 3.3 either, which sent versions 0 and 1."""
    return any(one.user_data for one in assignments) or any(bytes(one.member_metadata)[:2] == b"\0\2" for one in members)
