"""aiokafka: range and roundrobin, both in member id order, and sticky. Instance ids have no effect.

Reproduces `aiokafka.coordinator.assignors` of aiokafka 0.14.0.
"""

import re
from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.clients.client import (
    EAGER,
    STICKY,
    Client,
    ClientAssignor,
    Layout,
    PackagedAssignor,
    SentSubscription,
    Settings,
    WrittenAssignment,
    by_name,
)
from evenkeel.assignors.clients.python_sticky import PYTHON_SETS, VERSION_1, assign_python_sticky
from evenkeel.assignors.clients.strategies import (
    OrderedRangeAssignor,
    OrderedRoundRobinAssignor,
    by_member_id,
)
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.kafka.lag_based import LagBasedAssignor


@dataclass(frozen=True)
class AiokafkaRangeAssignor(OrderedRangeAssignor):
    """The `range` strategy (`RangePartitionAssignor`)."""

    client: ClassVar[str] = "aiokafka"
    quirk_owner: ClassVar[str] = "aiokafka's range"
    members_in_order = staticmethod(by_member_id)


@dataclass(frozen=True)
class AiokafkaRoundRobinAssignor(OrderedRoundRobinAssignor):
    """The `roundrobin` strategy (`RoundRobinPartitionAssignor`), aiokafka's default."""

    client: ClassVar[str] = "aiokafka"
    quirk_owner: ClassVar[str] = "aiokafka's roundrobin"
    members_in_order = staticmethod(by_member_id)


@dataclass(frozen=True)
class AiokafkaStickyAssignor(ClientAssignor):
    """The `sticky` strategy (`StickyPartitionAssignor`). aiokafka's members report no
    generation.
    """

    client: ClassVar[str] = "aiokafka"
    name: ClassVar[str] = "sticky"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10",)
    quirk_owner: ClassVar[str] = "aiokafka's sticky"
    uses_generations: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners."""
        return assign_python_sticky(group, moves_both=False)


def _sends(sent: SentSubscription, protocol: str) -> bool:
    if own := CLIENT.package_of(protocol):
        return own.sends(sent)
    if sent.version != 0 or sent.user_data is None:
        return False
    # The user data start with an array's length, which is below 65,536. kafka-python's user data
    # start with a version.
    return (
        protocol == STICKY and sent.user_data[:2] != VERSION_1
        if sent.user_data
        else protocol in (*EAGER, STICKY)
    )


def _writes(assignment: WrittenAssignment, _protocol: str) -> bool:
    return (assignment.version, assignment.user_data) == (0, b"")


CLIENT = Client(
    name="aiokafka",
    assignors=by_name(AiokafkaRangeAssignor, AiokafkaRoundRobinAssignor, AiokafkaStickyAssignor),
    assumes=(PYTHON_SETS,),
    releases="0.14",
    default_client_id=re.compile("aiokafka-.*"),
    sends=_sends,
    writes=_writes,
    sticky_layouts=(Layout.GENERATION_LAST,),
    settings=Settings(
        "partition_assignment_strategy=[{}]",
        names={
            "range": "RangePartitionAssignor",
            "roundrobin": "RoundRobinPartitionAssignor",
            STICKY: "StickyPartitionAssignor",
        },
        between=", ",
        language="python",
        release="aiokafka 0.14",
    ),
    packaged=(
        PackagedAssignor(
            "lag", LagBasedAssignor, "evenkeel_assignors.aio_kafka", "LagAssignor(settings)"
        ),
    ),
)
