"""Range and roundrobin of kafka-python: where static and dynamic members alternate, some members get nothing.

Reproduces `RangePartitionAssignor` and `RoundRobinPartitionAssignor` of kafka-python 3.0.12.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.arrays import deal_in_turn
from evenkeel.assignors.assignment import UNASSIGNED, Assignment, AssignorError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing import even_ranges
from evenkeel.assignors.other_clients.client import ClientAssignor
from evenkeel.assignors.other_clients.kafka_python.last_runs import taking_part


@dataclass(frozen=True)
class KafkaPythonRangeAssignor(ClientAssignor):
    """The `range` strategy. Who takes part is decided for each topic among its subscribers."""

    client: ClassVar[str] = "kafka-python"
    name: ClassVar[str] = "range"
    protocol: ClassVar[str] = "range"
    kafka_python_class: ClassVar[str] = "RangePartitionAssignor"
    quirks: ClassVar[tuple[str, ...]] = ("Q-31", "Q-10")
    quirk_owner: ClassVar[str] = "kafka-python's range and roundrobin"
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what."""
        reported = group.subscribers_in(np.arange(group.member_count, dtype=np.int32))
        members = tuple(taking_part(group, each) for each in reported.members)
        count = np.array([each.size for each in members])[reported.set_of_topic]
        return Assignment(even_ranges(group, reported._replace(members=members, count_of_topic=count)))


@dataclass(frozen=True)
class KafkaPythonRoundRobinAssignor(ClientAssignor):
    """The `roundrobin` strategy, for members that all subscribe to the same topics."""

    client: ClassVar[str] = "kafka-python"
    name: ClassVar[str] = "roundrobin"
    protocol: ClassVar[str] = "roundrobin"
    kafka_python_class: ClassVar[str] = "RoundRobinPartitionAssignor"
    quirks: ClassVar[tuple[str, ...]] = ("Q-31", "Q-10")
    quirk_owner: ClassVar[str] = "kafka-python's range and roundrobin"
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what.

        Raises
        ------
        AssignorError
            KeyError where it is the turn of a member that does not list the topic: kafka-python means to skip it, and looks it up by the
            wrong key. The group then hangs in CompletingRebalance.
        """
        owner = np.full(group.tp_count, UNASSIGNED, dtype=np.int32)
        tps = np.flatnonzero(group.in_play[group.tp_topic])
        members = taking_part(group, np.arange(group.member_count, dtype=np.int32))
        dealt = np.empty(tps.size, dtype=np.int32)
        if tps.size:
            deal_in_turn(dealt, members)
        _require_listed(group, dealt, group.tp_topic[tps])
        owner[tps] = dealt
        return Assignment(owner)


def _require_listed(group: GroupSnapshot, members: np.ndarray, topics: np.ndarray) -> None:
    foreign = np.flatnonzero(~group.is_listed[group.subscription[members], topics])
    if foreign.size:
        member, topic = group.member_id[members[foreign[0]]], group.topic_name[topics[foreign[0]]]
        raise AssignorError(
            "KeyError", f"roundrobin: it is the turn of {member}, which does not subscribe to {topic}, expected a subscriber"
        )
