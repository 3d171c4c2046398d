"""Histories of real groups: consumers of Kafka's own client join and leave, and each group is read
at every stable point.
"""

import time
from collections.abc import Mapping, Sequence

import msgspec

from evenkeel.assignors import ASSIGNORS
from evenkeel.data.group.columns import assignment_by_name, observed_from_document
from evenkeel.data.group.document import Document, in_order, with_partitions
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.documents import live_groups
from tests.brokers.java_consumers import JavaConsumers

_CLASSIC = {
    "range": "RangeAssignor",
    "roundrobin": "RoundRobinAssignor",
    "sticky": "StickyAssignor",
    "cooperative-sticky": "CooperativeStickyAssignor",
}
_HEARTBEAT_MS = "500"
PROTOCOLS = {
    name: {
        "partition_assignment_strategy": f"org.apache.kafka.clients.consumer.{assignor}",
        "heartbeat_interval_ms": _HEARTBEAT_MS,
    }
    for name, assignor in _CLASSIC.items()
} | {
    "uniform": {"group_protocol": "consumer", "group_remote_assignor": "uniform"},
    "broker-range": {"group_protocol": "consumer", "group_remote_assignor": "range"},
    "simple": {"share": "yes"},
}
"""Settings of a consumer for each assignor. Members learn of a rebalance with their next heartbeat:
many heartbeats make it short.
"""

QUICK_HEARTBEATS = {
    f"group.{kind}.{limit}heartbeat.interval.ms": _HEARTBEAT_MS
    for kind in ("consumer", "share")
    for limit in ("", "min.")
}
"""Settings of brokers, which decide for the members of their own protocols."""

STEPS = ("one member", "two", "three", "another subscription", "one left", "one more")
_LIMIT_SECONDS, _PAUSE_SECONDS = 240, 0.4


def histories(
    connection: Connection, consumers: JavaConsumers, protocols: Sequence[str]
) -> dict[tuple[str, str], Document]:
    """Return the document of each group at each step; the groups live at the same time, every other
    member is static, racks go round.
    """
    found = {}
    actions = [lambda one, number=number: _start(consumers, one, number) for number in range(4)]
    actions += [lambda one: consumers.stop(f"{one}-0"), lambda one: _start(consumers, one, 4)]
    for step, act, count in zip(STEPS, actions, (1, 2, 3, 4, 3, 4), strict=True):
        for one in protocols:
            act(one)
        documents = stable_documents(connection, {group_of(one): count for one in protocols})
        found |= {(one, step): documents[group_of(one)] for one in protocols}
    return found


def group_of(protocol: str) -> str:
    """Return the group of a protocol."""
    return f"group-{protocol}"


def stable_document(connection: Connection, group_id: str, member_count: int) -> Document:
    """Wait until a group stands still, and read it."""
    return stable_documents(connection, {group_id: member_count})[group_id]


def stable_documents(
    connection: Connection, member_counts: Mapping[str, int], limit_seconds: float = _LIMIT_SECONDS
) -> dict[str, Document]:
    """Wait until groups stand still, and read them: Stable, their members there and with what they
    shall have, the same twice.
    """
    deadline, before, found = time.monotonic() + limit_seconds, {}, {}
    while left := member_counts.keys() - found.keys():
        listed = [one for one in connection.ask(connection.raw.listed) if one.group_id in left]
        documents = {one.group_id: one.document for one in live_groups(connection, listed)}
        now = {one: _standing(documents.get(one), member_counts[one]) for one in left}
        found |= {
            one: documents[one]
            for one in left
            if now[one] is not None and now[one] == before.get(one)
        }
        if time.monotonic() > deadline:
            raise AssertionError(
                f"{sorted(left)} did not come to a stop in {limit_seconds} s:"
                f" {msgspec.json.encode(documents)}"
            )
        before = now
        time.sleep(_PAUSE_SECONDS)
    return found


def answer_to(
    document: Document, assignor: str, before: Document | None
) -> dict[str, dict[str, list[int]]]:
    """Return what one of our broker's assignors gives to each member that has its target of the
    document before; see `targets`.
    """
    had = {member.member_id: member.owned for member in before.members} if before else {}
    members = [
        msgspec.structs.replace(member, owned=had.get(member.member_id))
        for member in document.members
    ]
    observed = observed_from_document(msgspec.structs.replace(document, members=members))
    return _in_order(assignment_by_name(observed, ASSIGNORS[assignor]().assign(observed.snapshot)))


def targets(document: Document) -> dict[str, dict[str, list[int]]]:
    """Return what each member has or shall have, numbers ascending."""
    return _in_order({member.member_id: member.owned for member in document.members})


def _in_order(
    owned: Mapping[str, Mapping[str, Sequence[int]] | None],
) -> dict[str, dict[str, list[int]]]:
    return {member: with_partitions(in_order(topics or {})) for member, topics in owned.items()}


def _standing(document: Document | None, member_count: int) -> list | None:
    if document is None or document.state != "Stable" or len(document.members) != member_count:
        return None
    if not _is_given_out(document) or (
        document.type == "share"
        and any(member.epoch != document.group_epoch for member in document.members)
    ):
        return None
    if any(member.current is not None for member in document.members):
        return None
    return [(member.member_id, member.owned) for member in document.members]


def _is_given_out(document: Document) -> bool:
    """Tell whether each partition has an owner.

    A cooperative group withholds some for a round; a share member learns what it has with its next
    heartbeat.
    """
    given = {
        (topic, number)
        for member in document.members
        for topic, numbers in member.owned.items()
        for number in numbers
    }
    return len(given) == sum(topic.size for topic in document.topics)


def _start(consumers: JavaConsumers, protocol: str, number: int) -> None:
    more = {"group_id": group_of(protocol)} | PROTOCOLS[protocol]
    if protocol != "simple":
        more["client_rack"] = "abc"[number % 3]
    if protocol != "simple" and number % 2:
        more["group_instance_id"] = f"{protocol}-static-{number}"
    consumers.start(f"{protocol}-{number}", "orders" if number == 3 else "orders,payments", **more)
