"""Cooperative-sticky of @platformatic/kafka: keep, fill, and bring members above the mean down and those below it up.

Reproduces `cooperativeStickyAssigner` of @platformatic/kafka 2.12.1; 1.x has none.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing import fill
from evenkeel.assignors.other_clients.client import ClientAssignor
from evenkeel.assignors.other_clients.leaders_topics import LEADERS_SUBSCRIPTION
from evenkeel.assignors.other_clients.platformatic.levelling import bring_to_the_mean
from evenkeel.assignors.other_clients.platformatic.ownership import lost_by_claimants, ownership
from evenkeel.assignors.other_clients.withholding import withholding


@dataclass(frozen=True)
class PlatformaticCooperativeStickyAssignor(ClientAssignor):
    """The `cooperative-sticky` strategy. Only topics that the leader subscribes to are assigned."""

    client: ClassVar[str] = "platformatic"
    name: ClassVar[str] = "cooperative-sticky"
    protocol: ClassVar[str] = "cooperative-sticky"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10",)
    quirk_owner: ClassVar[str] = "platformatic's cooperative-sticky"
    is_cooperative: ClassVar[bool] = True
    uses_generations: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what after this round, and what is withheld.

        Where subscriptions differ the answer is that of the first member as leader; it says so if another leader would answer otherwise.
        """
        leaders = {int(row): None for row in group.subscription}
        answers = [_led_by(group, group.topic_lists[row]) for row in leaders]
        if not answers:
            return Assignment(np.full(group.tp_count, UNASSIGNED, dtype=np.int32))
        first = answers[0]
        is_same = all(np.array_equal(first.owner, each.owner) and np.array_equal(first.withheld, each.withheld) for each in answers)
        return Assignment(first.owner, withheld=first.withheld, assumed=() if is_same else (LEADERS_SUBSCRIPTION,))


def _led_by(group: GroupSnapshot, topics: np.ndarray) -> Assignment:
    """Return the answer of a leader that subscribes to these topics."""
    is_wanted = np.zeros(group.topic_count, dtype=bool)
    is_wanted[topics] = True
    is_assignable = (is_wanted & group.in_play)[group.tp_topic]
    before = ownership(group, is_assignable)
    owner = before.owner.copy()
    count = np.bincount(owner[owner != UNASSIGNED], minlength=group.member_count)
    fill(group, np.flatnonzero(is_assignable & (owner == UNASSIGNED)), owner, count, group.subscribers_by_id)
    bring_to_the_mean(group, owner, count)
    moving = np.flatnonzero((owner != before.owner) & lost_by_claimants(group, before, owner))
    return withholding(Assignment(owner), moving)
