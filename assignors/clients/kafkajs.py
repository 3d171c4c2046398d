"""kafkajs has one assignor. It deals the topics of the leader to all members, in member id order.

Reproduces `RoundRobinAssigner` of kafkajs 2.2.4.
"""

import re
from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.clients.client import Client, ClientAssignor, WrittenAssignment, by_name
from evenkeel.assignors.clients.strategies import LEADERS_SUBSCRIPTION, leaders_topics_to_all
from evenkeel.assignors.group import GroupSnapshot


@dataclass(frozen=True)
class KafkajsRoundRobinAssignor(ClientAssignor):
    """The `RoundRobinAssigner` strategy. A member can get partitions of topics to which it does not
    subscribe.
    """

    client: ClassVar[str] = "kafkajs"
    name: ClassVar[str] = "roundrobin"
    protocol: ClassVar[str] = "RoundRobinAssigner"
    quirks: ClassVar[tuple[str, ...]] = ("Q-32", "Q-10")
    quirk_owner: ClassVar[str] = "kafkajs's roundrobin"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners."""
        # JavaScript compares strings by UTF-16 code unit, like Java.
        return leaders_topics_to_all(group, group.members_by_id)


def _writes(assignment: WrittenAssignment, _protocol: str) -> bool:
    return (assignment.version, assignment.user_data) == (0, b"")


CLIENT = Client(
    name="kafkajs",
    assignors=by_name(KafkajsRoundRobinAssignor),
    assumes=(LEADERS_SUBSCRIPTION,),
    releases="2.2",
    default_client_id=re.compile("kafkajs"),
    own_protocols=(KafkajsRoundRobinAssignor.protocol,),
    writes=_writes,
)
