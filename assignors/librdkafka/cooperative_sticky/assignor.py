"""Cooperative-sticky of librdkafka: sticky in two rounds; what moves is revoked first and assigned next (KIP-429).

Reproduces `rd_kafka_sticky_assignor_assign_cb` of 2.6.1 and newer, and what the leader makes of its answer.
"""

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.librdkafka.client import LibrdkafkaAssignor
from evenkeel.assignors.librdkafka.cooperative_sticky.claims import claims
from evenkeel.assignors.librdkafka.cooperative_sticky.holdings import balanced_holdings
from evenkeel.assignors.librdkafka.cooperative_sticky.known_group import known_group
from evenkeel.assignors.librdkafka.cooperative_sticky.movements import LEADER_CRASH
from evenkeel.assignors.librdkafka.cooperative_sticky.partition_order import partition_order
from evenkeel.assignors.librdkafka.cooperative_sticky.racks import racks_in_play
from evenkeel.assignors.librdkafka.cooperative_sticky.withholding import sent


@dataclass(frozen=True)
class LibrdkafkaCooperativeStickyAssignor(LibrdkafkaAssignor):
    """The `cooperative-sticky` strategy: one algorithm for equal and for differing subscriptions. Some groups kill the leader."""

    name: ClassVar[str] = "cooperative-sticky"
    protocol: ClassVar[str] = "cooperative-sticky"
    quirks: ClassVar[tuple[str, ...]] = ("Q-34", "Q-35")
    is_cooperative: ClassVar[bool] = True
    quirk_owner: ClassVar[str] = "librdkafka's cooperative-sticky"
    uses_racks: ClassVar[bool] = True
    uses_generations: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what after this round, and what is withheld.

        Raises
        ------
        AssignorError
            `LeaderCrash` where the process of the leader dies, `Undefined` where it reads freed memory.
        """
        known = known_group(group)
        if not known.members.size:
            raise AssignorError(LEADER_CRASH, f"{self.name}: the leader dies of a group without members that subscribe to anything")
        claimed = claims(known)
        order = partition_order(known, claimed)
        return sent(group, known.members, balanced_holdings(known, claimed, order, racks_in_play(known)))
