"""Settings of the brokers of a test: what one node needs, four listeners, users, a log of
requests.
"""

from pathlib import Path
from typing import NamedTuple

from tests.brokers.certificates import Certificates
from tests.services.ports import free_ports

LISTENERS = {
    "PLAIN": "PLAINTEXT",
    "SASL": "SASL_PLAINTEXT",
    "TLS": "SSL",
    "SASLTLS": "SASL_SSL",
    "CONTROLLER": "PLAINTEXT",
}
"""Listener names and their security protocols."""

USERS = {
    "admin": "admin-secret-7c1",
    "evenkeel": "evenkeel-secret-2f9",
    "nobody": "nobody-secret-5d3",
}
"""Passwords of PLAIN and SCRAM users; `admin` may do everything, the others what the test grants.
"""

_PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
_SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"


class Node(NamedTuple):
    """One broker, controller too: its number, rack, folder and the port of each listener."""

    number: int
    rack: str | None
    folder: Path
    ports: dict[str, int]


def nodes(folder: Path, racks: list[str | None]) -> list[Node]:
    """Return one node for each rack, on ports that nobody uses."""
    free = iter(free_ports(len(racks) * len(LISTENERS)))
    return [
        Node(number, rack, folder / f"broker-{number}", {name: next(free) for name in LISTENERS})
        for number, rack in enumerate(racks, 1)
    ]


def properties(
    node: Node,
    all_nodes: list[Node],
    certificates: Certificates,
    with_acls: bool,
    more: dict[str, str],
) -> str:
    """Return the `server.properties` of one node."""
    return "".join(
        f"{key}={value}\n"
        for key, value in (
            _base(node, all_nodes) | _security(certificates, with_acls) | more
        ).items()
    )


def _base(node: Node, all_nodes: list[Node]) -> dict[str, str]:
    copies = str(min(len(all_nodes), 3))
    listeners = ",".join(f"{name}://127.0.0.1:{port}" for name, port in node.ports.items())
    return {
        "node.id": str(node.number),
        "process.roles": "broker,controller",
        "controller.quorum.voters": ",".join(
            f"{one.number}@127.0.0.1:{one.ports['CONTROLLER']}" for one in all_nodes
        ),
        "controller.listener.names": "CONTROLLER",
        "inter.broker.listener.name": "PLAIN",
        "listeners": listeners,
        "advertised.listeners": listeners.rpartition(",")[0],
        "listener.security.protocol.map": ",".join(
            f"{name}:{protocol}" for name, protocol in LISTENERS.items()
        ),
        "log.dirs": str(node.folder / "data"),
        "group.initial.rebalance.delay.ms": "0",
        "group.coordinator.rebalance.protocols": "classic,consumer,share,streams",
        "auto.create.topics.enable": "false",
        "offsets.topic.num.partitions": "4",
        "transaction.state.log.num.partitions": "2",
        "share.coordinator.state.topic.num.partitions": "2",
        "offsets.topic.replication.factor": copies,
        "transaction.state.log.replication.factor": copies,
        "share.coordinator.state.topic.replication.factor": copies,
        "transaction.state.log.min.isr": "1",
        "share.coordinator.state.topic.min.isr": "1",
    } | ({"broker.rack": node.rack} if node.rack else {})


def _security(certificates: Certificates, with_acls: bool) -> dict[str, str]:
    plain = " ".join(f'user_{user}="{password}"' for user, password in USERS.items())
    settings = {
        "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-512",
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(certificates.broker),
    }
    for listener in ("sasl", "sasltls"):
        settings[f"listener.name.{listener}.plain.sasl.jaas.config"] = f"{_PLAIN} required {plain};"
        settings[f"listener.name.{listener}.scram-sha-512.sasl.jaas.config"] = f"{_SCRAM} required;"
    if with_acls:
        settings["authorizer.class.name"] = (
            "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
        )
        settings["super.users"] = "User:admin;User:ANONYMOUS"
    return settings
