"""Sticky and cooperative-sticky of franz-go, for members that all subscribe to the same topics.

Reproduces `StickyBalancer` and `CooperativeStickyBalancer` of franz-go 1.22.2 without the option `BalanceRacks`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment, Assumed, NoFunctionError
from evenkeel.assignors.group import NO_TP, GroupSnapshot
from evenkeel.assignors.other_clients.client import ClientAssignor
from evenkeel.assignors.other_clients.franz_go.claims import read_claims
from evenkeel.assignors.other_clients.franz_go.plan import Plan
from evenkeel.assignors.other_clients.franz_go.topic_orders import topic_orders
from evenkeel.assignors.other_clients.member_orders import static_first
from evenkeel.assignors.other_clients.withholding import withholding

GO_MAPS = Assumed("order of Go maps", np.empty(0, dtype=np.int64))
"""The leader walks topics, or stale claims, in the order of a Go map, which differs from run to run."""

DIFFERING = "where subscriptions differ it walks Go maps, whose order is random"


@dataclass(frozen=True)
class FranzGoStickyAssignor(ClientAssignor):
    """The `sticky` strategy. Its members send an empty list, because they give up everything before they join."""

    client: ClassVar[str] = "franz-go"
    name: ClassVar[str] = "sticky"
    protocol: ClassVar[str] = "sticky"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10",)
    quirk_owner: ClassVar[str] = "franz-go's sticky assignors"
    uses_generations: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what, one of the answers where Go's order of topics decides.

        Raises
        ------
        NoFunctionError
            Where subscriptions differ.
        """
        if not group.is_listed[np.ix_(np.unique(group.subscription), group.in_play)].all():
            raise NoFunctionError(self.name, self.client, DIFFERING)
        if not group.member_count:
            return Assignment(np.full(group.tp_count, UNASSIGNED, dtype=np.int32))
        members = static_first(group)
        claims = read_claims(group, members.places)
        answers, orders, kept = [], topic_orders(group, members.rows), Plan(group.member_count, claims)
        takers = kept.takers(int(group.partition_count[group.in_play].sum()) - len(claims.holder))
        for free in orders.of_free(group, claims.holder):
            plan = kept.given(free, takers)
            plan.even_out(group)
            answers.append(_owners(group, members.rows, plan.held))
        differ = any(not np.array_equal(answers[0], answer) for answer in answers[1:])
        is_open = differ or kept.is_chance or (orders.are_some and len(answers) > 1)
        return Assignment(answers[0], assumed=(GO_MAPS,) if is_open else ())


@dataclass(frozen=True)
class FranzGoCooperativeStickyAssignor(FranzGoStickyAssignor):
    """The `cooperative-sticky` strategy, franz-go's default."""

    name: ClassVar[str] = "cooperative-sticky"
    protocol: ClassVar[str] = "cooperative-sticky"
    is_cooperative: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what after this round, and what is withheld; raises as FranzGoStickyAssignor does."""
        answer = super().assign(group)
        return withholding(answer, np.flatnonzero(_is_moving(group, answer.owner)))


def _owners(group: GroupSnapshot, members: np.ndarray, held: list[list[int]]) -> np.ndarray:
    owner = np.full(group.tp_count, UNASSIGNED, dtype=np.int32)
    for number, tps in enumerate(held):
        owner[tps] = members[number]
    return owner


def _is_moving(group: GroupSnapshot, owner: np.ndarray) -> np.ndarray:
    """Tell, bool (P,), whose new owner has no claim of the highest generation while another member claims it."""
    (rows,) = (group.claim_tp != NO_TP).nonzero()
    tp, member = group.claim_tp[rows], group.claim_member[rows]
    generation = group.generation[member]
    highest = np.full(group.tp_count, np.iinfo(np.int32).min)
    np.maximum.at(highest, tp, generation)
    is_owners = owner[tp] == member
    has_claim, is_lost = np.zeros(group.tp_count, dtype=bool), np.zeros(group.tp_count, dtype=bool)
    has_claim[tp[is_owners & (generation == highest[tp])]] = True
    is_lost[tp[~is_owners]] = True
    return is_lost & ~has_claim & (owner != UNASSIGNED)
