"""Sticky and cooperative-sticky: members keep their partitions as long as partition counts are
even.

Reproduces `org.apache.kafka.clients.consumer.StickyAssignor` and `CooperativeStickyAssignor`
(KIP-429). As in Kafka's AbstractStickyAssignor, both assignors first decide which claims are valid.
Then they use one of two algorithms: `constrained` if all members subscribe to the same topics, else
`general`.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment, AssignorError, Assumption
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.racks import Racks, has_racks
from evenkeel.assignors.kafka.release import Release
from evenkeel.assignors.kafka.sticky.claims import Outcome, believed, read_claims
from evenkeel.assignors.kafka.sticky.constrained import assign_constrained
from evenkeel.assignors.kafka.sticky.general import assign_general
from evenkeel.assignors.protocol import CLASSIC, TopicOrder
from evenkeel.assignors.trace import Withheld, asked


@dataclass(frozen=True)
class AbstractStickyAssignor(Release):
    """Base of both assignors."""

    group_type: ClassVar[str] = CLASSIC
    known_since: ClassVar[str] = "3.7.1"
    quirks: ClassVar[tuple[str, ...]] = ("Q-4", "Q-5", "Q-6", "Q-8", "Q-9")
    quirk_owner: ClassVar[str] = "Kafka's sticky assignors"
    uses_racks: ClassVar[bool] = True
    uses_generations: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True
    topic_order: ClassVar[TopicOrder] = TopicOrder.KEPT_FIRST

    def _outcome(self, group: GroupSnapshot) -> Outcome:
        try:
            return assign_sticky(group, self.max_generation)
        except AssignorError as error:
            raise error.named(self.name) from error


@dataclass(frozen=True)
class StickyAssignor(AbstractStickyAssignor):
    """The eager `sticky` strategy.

    All members first give up all partitions, so a partition that moves gets its new owner in the
    same round. In the user data of its subscription, a member reports the partitions that it owns,
    and the generation in which it got these partitions.
    """

    name: ClassVar[str] = "sticky"
    java_class: ClassVar[str] = "org.apache.kafka.clients.consumer.StickyAssignor"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners."""
        outcome = self._outcome(group)
        return Assignment(outcome.owner, outcome.extra, assumed=outcome.assumed)


@dataclass(frozen=True)
class CooperativeStickyAssignor(AbstractStickyAssignor):
    """The `cooperative-sticky` strategy. Members continue to consume during the rebalance.

    A partition that moves while its old owner still has it is withheld until the next round.
    """

    name: ClassVar[str] = "cooperative-sticky"
    java_class: ClassVar[str] = "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"
    is_cooperative: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners after this round, and the withheld partitions."""
        outcome = self._outcome(group)
        withheld = np.column_stack(
            (outcome.owner[outcome.transferred], outcome.transferred)
        ).astype(np.int32)
        if (trace := asked()) is not None:
            for tp in trace.of(outcome.transferred):
                trace.add(tp, Withheld(int(outcome.owner[tp]), UNASSIGNED))
        outcome.owner[outcome.transferred] = UNASSIGNED
        return Assignment(outcome.owner, outcome.extra, withheld, outcome.assumed)


def assign_sticky(group: GroupSnapshot, max_generation: int, is_watched: bool = False) -> Outcome:
    """Return the assignment of a sticky assignor.

    Parameters
    ----------
    max_generation : int
        Highest generation that the leader has seen before.
    is_watched : bool
        Whether the result includes `left_rack`, which takes longer.

    Raises
    ------
    AssignorError
        ArithmeticException, IllegalStateException or NullPointerException if Kafka's class throws
        this exception. RequestError if Kafka's class never ends.
    """
    claims = read_claims(group)
    owned = believed(group, claims)
    racks = racks_in_play(group, len(claims.beyond))
    is_equal, assumed = equality(group)
    if is_equal:
        outcome = assign_constrained(group, owned, racks)
    else:
        highest = max(max_generation, int(group.generation.max()))
        outcome = assign_general(group, claims, owned, racks, highest, is_watched)
    return outcome._replace(assumed=assumed) if assumed else outcome


class Equality(NamedTuple):
    """Result of `equality`.

    `is_equal`: whether the leader treats all subscriptions as equal. `assumed`: as in Assignment.
    """

    is_equal: bool
    assumed: tuple[Assumption, ...] = ()


def equality(group: GroupSnapshot) -> Equality:
    """Compare the subscriptions as the leader does.

    The leader compares each list with the set of topics of the first list that is not empty, by
    length and by content. Earlier lists, which are empty, count as equal. A list with a repeated
    topic is longer than the set, so it counts as different.
    """
    subscriptions = group.subscriptions
    if subscriptions.is_regular or group.member_count < 2:
        return Equality(subscriptions.in_use < 2)
    order = group.member_map_order
    walked = group.subscription[order.rows]
    first = np.flatnonzero(subscriptions.list_size[walked])[:1]
    if not first.size:
        return Equality(True)
    expected = set(group.topic_lists[walked[first[0]]].tolist())
    same = np.array(
        [
            topics.size == len(expected) and expected.issuperset(topics.tolist())
            for topics in group.topic_lists
        ]
    )
    return Equality(bool(same[walked[first[0] + 1 :]].all()), order.assumed)


def racks_in_play(group: GroupSnapshot, beyond_count: int) -> Racks | None:
    """Return the racks of members and replicas. None if racks have no effect.

    Racks have no effect if no member's rack has a replica, or all partitions have replicas in the
    same racks.
    """
    if not has_racks(group):
        return None
    has = np.zeros((group.tp_count + beyond_count, len(group.rack_name)), dtype=bool)
    known = group.replica_rack != NO_RACK
    has[
        np.repeat(np.arange(group.tp_count), np.diff(group.replica_start))[known],
        group.replica_rack[known],
    ] = True
    playing = (
        has[: group.tp_count]
        if group.in_play.all()
        else has[: group.tp_count][group.in_play[group.tp_topic]]
    )
    everywhere = np.any(playing, axis=0)
    shared = everywhere[group.member_rack[group.member_rack != NO_RACK]].any()
    return Racks(group.member_rack, has) if shared and (playing != everywhere).any() else None
