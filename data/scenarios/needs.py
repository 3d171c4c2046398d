"""What a group must change to use another assignor, and how many restarts this needs."""

from enum import StrEnum
from math import inf

from evenkeel.assignors import ASSIGNORS, CLIENTS, JAVA
from evenkeel.assignors.protocol import CLASSIC, CONSUMER
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.leaders import client_of, in_use
from evenkeel.data.scenarios.scenario.scenario import Settings
from evenkeel.data.scenarios.switch_steps import client_package, rolling_restarts

AT_ONCE = inf
"""Number of restarts, if all members must stop at the same time."""


class Needs(StrEnum):
    """What a group must change to use an assignor, the smallest change first.

    `REBALANCE`: nothing, the group uses the assignor. `PACKAGE`: Evenkeel's package in each member.
    `PROTOCOL`: the consumer protocol (KIP-848). `JAR`: a jar on the brokers. `CLIENT`: another
    client, because the leader's client cannot have the assignor.
    """

    REBALANCE = "rebalance"
    SETTING = "setting"
    PROTOCOL = "protocol"
    PACKAGE = "package"
    JAR = "jar"
    CLIENT = "client"


BY_SETTING = (Needs.REBALANCE, Needs.SETTING)


def answering_client(observed: ObservedGroup, settings: Settings) -> str:
    """Return the client whose code assigns the group; Java if the brokers assign it."""
    return client_of(observed.leader, settings.client) if observed.is_classic else JAVA


def is_offered(observed: ObservedGroup, name: str) -> bool:
    """Return whether advice may recommend the assignor `name`.

    For a group of the consumer protocol, advice recommends neither the classic protocol nor a jar
    on the brokers.
    """
    if name in ASSIGNORS and ASSIGNORS[name].serves_own_type_only and name != in_use(observed):
        return False
    return observed.group_type != CONSUMER or (
        name in ASSIGNORS and ASSIGNORS[name].group_type == CONSUMER
    )


def needs_of(observed: ObservedGroup, name: str, client: str, used: str | None) -> Needs:
    """Return what the group must change to use an assignor; `used`: name of the assignor in use."""
    if name == used:
        return Needs.REBALANCE
    assignor = ASSIGNORS.get(name)
    if assignor is None or not assignor.is_in_kafka:
        if assignor is not None and client_package(client, assignor):
            return Needs.PACKAGE
        return Needs.JAR if client == JAVA else Needs.CLIENT
    if assignor.group_type == (observed.group_type or CLASSIC):
        return Needs.SETTING
    return Needs.PROTOCOL if CLIENTS[client].consumer_protocol else Needs.CLIENT


def restarts_of(observed: ObservedGroup, name: str, client: str, used: str | None) -> float | None:
    """Return how often every member must restart before the group uses the assignor.

    `AT_ONCE` if all members must stop at the same time. None if the client's settings are unknown,
    or if the number depends on the assignor in use and this assignor is unknown.
    """
    assignor = ASSIGNORS.get(name)
    if name == used:
        return 0
    is_open = (
        client != JAVA
        and used not in ASSIGNORS
        and assignor is not None
        and assignor.group_type == CLASSIC
    )
    if CLIENTS[client].settings is None or assignor is None or is_open:
        return None
    number = rolling_restarts(client, assignor, ASSIGNORS.get(used or ""), observed.group_type)
    return AT_ONCE if number is None else number
