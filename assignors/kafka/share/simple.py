"""Simple: a share group's partitions, each assigned to as many members as it takes to give every member one.

Reproduces `org.apache.kafka.coordinator.group.assignor.SimpleAssignor` as rewritten in 4.2. It has one builder for equal and one for
differing subscriptions.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.kafka.consumer.subscriptions import are_equal
from evenkeel.assignors.kafka.release import Release
from evenkeel.assignors.kafka.share.heterogeneous import assign_differing
from evenkeel.assignors.kafka.share.homogeneous import assign_equal


@dataclass(frozen=True)
class SimpleAssignor(Release):
    """The `simple` strategy of share groups, KIP-932.

    Members keep what they have unless it is too much. Where there are more members than partitions, several members share one: `owner`
    names one of them and `extra` the others. The stored target assignment is what members own in the snapshot, in its order. Every
    partition of a known topic counts as initialised.
    """

    group_type: ClassVar[str] = "share"
    name: ClassVar[str] = "simple"
    protocol: ClassVar[str] = "simple"
    known_since: ClassVar[str] = "4.2.0"
    quirks: ClassVar[tuple[str, ...]] = ("Q-29",)
    quirk_owner: ClassVar[str] = "Kafka's simple assignor"
    uses_topic_ids: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who has what; without members nothing is assigned.

        Raises
        ------
        AssignorError
            `NoSuchElementException` where members own partitions beyond a topic's size and too few members are left to give to.
        """
        if not group.member_count:
            return Assignment(np.full(group.tp_count, UNASSIGNED, dtype=np.int32))
        return (assign_equal if are_equal(group) else assign_differing)(group, self.jdk)
