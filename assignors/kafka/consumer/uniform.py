"""Uniform: even counts over all members; members keep what they have where possible.

Reproduces `org.apache.kafka.coordinator.group.assignor.UniformAssignor`. It has one builder for equal and one for differing subscriptions.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment, NotKnownError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.kafka.consumer.heterogeneous import assign_differing
from evenkeel.assignors.kafka.consumer.homogeneous import assign_equal
from evenkeel.assignors.kafka.consumer.stored_targets import is_homogeneous
from evenkeel.assignors.kafka.release import Release

# KAFKA-18688: before it, no extra place was taken back.
_GIVES_BACK_SINCE = "4.0.1"
# 3.9 has an older algorithm for differing subscriptions, built like that of the sticky assignors.
_DIFFERING_SINCE = "4.0.0"


@dataclass(frozen=True)
class UniformAssignor(Release):
    """The broker's `uniform` strategy, KIP-848.

    With equal subscriptions counts differ by at most one. With differing ones they may be uneven by one for each link between overlapping
    subscriptions. Racks do not count. The stored target assignment is what members own in the snapshot, in its order.
    """

    group_type: ClassVar[str] = "consumer"
    name: ClassVar[str] = "uniform"
    protocol: ClassVar[str] = "uniform"
    known_since: ClassVar[str] = "3.9.0"
    label: ClassVar[str] = "KIP-848"
    release_difference: ClassVar[str] = "up to 4.0.0 an extra place is never taken back"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10", "Q-12")
    quirk_owner: ClassVar[str] = "Kafka's broker"
    uses_topic_ids: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what; without members nothing is assigned.

        Raises
        ------
        AssignorError
            `PartitionAssignorException` or `ArrayIndexOutOfBoundsException` where members own partitions beyond a topic's size;
            `NotKnownError` where subscriptions differ and this release is too old.
        """
        if not group.member_count:
            return Assignment(np.full(group.tp_count, UNASSIGNED, dtype=np.int32))
        if is_homogeneous(group):
            return assign_equal(group, self.jdk, gives_back=self.is_at_least(_GIVES_BACK_SINCE))
        if not self.is_at_least(_DIFFERING_SINCE):
            raise NotKnownError(self.name, self.kafka_version, _DIFFERING_SINCE, "members subscribe to different topics")
        return assign_differing(group)
