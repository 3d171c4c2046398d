"""Sticky and cooperative-sticky of kafka-python.

Reproduces `StickyPartitionAssignor` and `CooperativeStickyAssignor` of kafka-python 3.0.12.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import NO_TP, GroupSnapshot
from evenkeel.assignors.other_clients.client import ClientAssignor
from evenkeel.assignors.other_clients.python_sticky.assign import assign_python_sticky
from evenkeel.assignors.other_clients.withholding import withholding


@dataclass(frozen=True)
class KafkaPythonStickyAssignor(ClientAssignor):
    """The `sticky` strategy: members report what they own in user data of kafka-python's own layout."""

    client: ClassVar[str] = "kafka-python"
    name: ClassVar[str] = "sticky"
    protocol: ClassVar[str] = "sticky"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10",)
    quirk_owner: ClassVar[str] = "kafka-python's sticky"
    kafka_python_class: ClassVar[str] = "StickyPartitionAssignor"
    uses_generations: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what."""
        return assign_python_sticky(group, moves_both=True)


@dataclass(frozen=True)
class KafkaPythonCooperativeStickyAssignor(ClientAssignor):
    """The `cooperative-sticky` strategy: what moves is withheld from its new owner until the old one has given it up."""

    client: ClassVar[str] = "kafka-python"
    name: ClassVar[str] = "cooperative-sticky"
    protocol: ClassVar[str] = "cooperative-sticky"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10",)
    quirk_owner: ClassVar[str] = "kafka-python's cooperative-sticky"
    is_cooperative: ClassVar[bool] = True
    kafka_python_class: ClassVar[str] = "CooperativeStickyAssignor"
    uses_generations: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what after this round, and what is withheld: what another member claims, the last one in the order reported."""
        answer = assign_python_sticky(group, moves_both=True)
        claimant = np.full(group.tp_count, UNASSIGNED, dtype=np.int32)
        exists = group.claim_tp != NO_TP
        # numpy keeps the last value that is written to a place, as Python's dictionary does.
        claimant[group.claim_tp[exists]] = group.claim_member[exists]
        (moving,) = ((claimant != UNASSIGNED) & (answer.owner != UNASSIGNED) & (claimant != answer.owner)).nonzero()
        return withholding(answer, moving)
