"""Strategies that several clients share. Clients differ only in the order of members, or in the
topics that they assign.

Go and Python compare strings by code point. Java compares them in another order.
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from evenkeel.assignors.arrays import row_ranges
from evenkeel.assignors.assignment import UNASSIGNED, Assignment, Assumption
from evenkeel.assignors.clients.client import ClientAssignor
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing.ranges import even_ranges
from evenkeel.assignors.group.dealing.rings import deal_and_tell, owners_in_ring
from evenkeel.assignors.group.orders import MemberOrder
from evenkeel.assignors.group.snapshot import topics_as_sent
from evenkeel.assignors.trace import Withheld, asked, recording

LEADERS_SUBSCRIPTION = Assumption("leader's subscription", np.empty(0, dtype=np.int64))
"""Members sent different lists of topics, and the answer depends on the leader's list."""


@dataclass(frozen=True)
class OrderedAssignor(ClientAssignor):
    """A strategy that is the same in several clients, except for the order of members."""

    @staticmethod
    @abstractmethod
    def members_in_order(group: GroupSnapshot) -> MemberOrder:
        """Return the members in the order of the client's leader."""


@dataclass(frozen=True)
class OrderedRangeAssignor(OrderedAssignor):
    """Each subscriber gets a contiguous run of each topic's partitions."""

    name: ClassVar[str] = "range"
    quirks: ClassVar[tuple[str, ...]] = ("remainder", "Q-10")

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners."""
        return Assignment(
            even_ranges(group, group.subscribers_in(self.members_in_order(group).rows))
        )


@dataclass(frozen=True)
class OrderedRoundRobinAssignor(OrderedAssignor):
    """All members form one ring. The partitions of all topics are assigned around the ring, in
    turn.
    """

    name: ClassVar[str] = "roundrobin"
    quirks: ClassVar[tuple[str, ...]] = ("Q-3", "Q-10")

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners."""
        order = self.members_in_order(group)
        return Assignment(owners_in_ring(group, group.subscribers_in(order.rows), order.places))


def by_member_id(group: GroupSnapshot) -> MemberOrder:
    """Order members by member id, for clients that ignore static membership."""
    rows = sorted(range(group.member_count), key=group.member_id.__getitem__)
    return MemberOrder(np.array(rows, dtype=np.int32), ())


def static_first(group: GroupSnapshot) -> MemberOrder:
    """Order members: static members by instance id, then dynamic members by member id. Members with
    the same instance id keep the reported order.
    """

    def key(row: int) -> tuple[bool, str]:
        instance = group.instance_id[row]
        return instance is None, group.member_id[row] if instance is None else instance

    return MemberOrder(np.array(sorted(range(group.member_count), key=key), dtype=np.int32), ())


def leaders_topics_to_all(group: GroupSnapshot, members: np.ndarray) -> Assignment:
    """Assign the partitions of the leader's topics to `members` (int32) in turn, even to members
    that do not subscribe to a topic. Topics are in the order of the leader's subscription.

    This is the round-robin of the JavaScript clients. If members sent different lists of topics,
    the first member is assumed to be the leader. The assignment reports this assumption if another
    leader would give a different assignment.
    """
    lists = {
        (topics := topics_as_sent(group, member)).tobytes(): topics
        for member in range(group.member_count)
    }
    if not lists:
        return Assignment(group.unowned())
    first, *others = lists.values()
    answers = [_dealt(group, first, members)]
    # Only the first leader's answer is returned, so only this answer is traced.
    with recording(None):
        answers += [_dealt(group, topics, members) for topics in others]
    is_same = all(np.array_equal(answers[0], answer) for answer in answers[1:])
    return Assignment(answers[0], assumed=() if is_same else (LEADERS_SUBSCRIPTION,))


def _dealt(group: GroupSnapshot, topics: np.ndarray, members: np.ndarray) -> np.ndarray:
    tps = row_ranges(group.first_tp[topics], group.first_tp[topics + 1])
    owner = group.unowned()
    dealt = np.empty(tps.size, dtype=np.int32)
    deal_and_tell(dealt, members, tps)
    owner[tps] = dealt
    return owner


def withholding(answer: Assignment, moving: np.ndarray) -> Assignment:
    """Return the assignment with the partitions `moving` (row numbers, int64) withheld. A
    cooperative leader assigns a moving partition only after its owner has revoked it.
    """
    owner = answer.owner.copy()
    owner[moving] = UNASSIGNED
    if (trace := asked()) is not None:
        for tp in trace.of(moving):
            trace.add(tp, Withheld(int(answer.owner[tp]), UNASSIGNED))
    return replace(
        answer,
        owner=owner,
        withheld=np.column_stack((answer.owner[moving], moving)).astype(np.int32),
    )
