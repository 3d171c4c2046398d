"""Histories of real groups: consumers of Kafka's own client join and leave, and each group is read at every stable point."""

import time
from collections.abc import Iterator

import msgspec

from data.clusters.connection import Connection
from data.document import Document
from data.live.snapshot import live_groups
from tests.kafka.java_consumers import JavaConsumers

_CLIENT = "org.apache.kafka.clients.consumer."
PROTOCOLS = {
    "range": {"partition_assignment_strategy": _CLIENT + "RangeAssignor"},
    "roundrobin": {"partition_assignment_strategy": _CLIENT + "RoundRobinAssignor"},
    "sticky": {"partition_assignment_strategy": _CLIENT + "StickyAssignor"},
    "cooperative-sticky": {"partition_assignment_strategy": _CLIENT + "CooperativeStickyAssignor"},
    "uniform": {"group_protocol": "consumer", "group_remote_assignor": "uniform"},
    "broker-range": {"group_protocol": "consumer", "group_remote_assignor": "range"},
    "simple": {"share": "yes"},
}
"""Settings of a consumer for each assignor."""

STEPS = ("one member", "two", "three", "another subscription", "one left", "one more")
_LIMIT_SECONDS, _PAUSE_SECONDS = 60, 0.4


def histories(connection: Connection, consumers: JavaConsumers, protocols: Iterator[str]) -> dict[tuple[str, str], Document]:
    """Return the document of each group at each step; the groups live at the same time, every other member is static, racks go round."""
    found = {}
    actions = [lambda one, number=number: _start(consumers, one, number) for number in range(4)]
    actions += [lambda one: consumers.stop(f"{one}-0"), lambda one: _start(consumers, one, 4)]
    for step, act, count in zip(STEPS, actions, (1, 2, 3, 4, 3, 4), strict=True):
        for one in protocols:
            act(one)
        for one in protocols:
            found[one, step] = stable_document(connection, group_of(one), count)
    return found


def group_of(protocol: str) -> str:
    """Return the group of a protocol."""
    return f"group-{protocol}"


def stable_document(connection: Connection, group_id: str, member_count: int) -> Document:
    """Wait until a group stands still, and read it: Stable, its members there and with what they shall have, the same twice."""
    deadline, before, document = time.monotonic() + _LIMIT_SECONDS, None, None
    while time.monotonic() < deadline:
        listed = [one for one in connection.ask(connection.raw.listed) if one.group_id == group_id]
        document = live_groups(connection, listed)[0].document if listed else None
        now = _standing(document, member_count)
        if now is not None and now == before:
            return document
        before = now
        time.sleep(_PAUSE_SECONDS)
    raise AssertionError(f"{group_id} did not come to a stop in {_LIMIT_SECONDS} s: {msgspec.json.encode(document)}")


def _standing(document: Document | None, member_count: int) -> list | None:
    if document is None or document.state != "Stable" or len(document.members) != member_count:
        return None
    if document.type == "share" and not _share_group_stands(document):
        return None
    if any(member.current is not None for member in document.members):
        return None
    return [(member.member_id, member.owned) for member in document.members]


def _share_group_stands(document: Document) -> bool:
    """A share member learns what it has with its next heartbeat, and a topic is handed out once the share coordinator knows it."""
    given = {(topic, number) for member in document.members for topic, numbers in member.owned.items() for number in numbers}
    return len(given) == sum(topic.size for topic in document.topics) and all(member.epoch == document.group_epoch for member in document.members)


def _start(consumers: JavaConsumers, protocol: str, number: int) -> None:
    more = {"group_id": group_of(protocol)} | PROTOCOLS[protocol]
    if protocol != "simple":
        more["client_rack"] = "abc"[number % 3]
    if protocol != "simple" and number % 2:
        more["group_instance_id"] = f"{protocol}-static-{number}"
    consumers.start(f"{protocol}-{number}", "orders" if number == 3 else "orders,payments", **more)
