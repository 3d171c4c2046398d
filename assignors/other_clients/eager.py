"""Range and roundrobin over the members in an order of the client's own."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing import even_ranges, owners_in_ring
from evenkeel.assignors.group.orders import MemberOrder
from evenkeel.assignors.other_clients.client import ClientAssignor


@dataclass(frozen=True)
class OrderedAssignor(ClientAssignor):
    """A strategy of which clients differ in the order of the members alone."""

    @staticmethod
    @abstractmethod
    def members_in_order(group: GroupSnapshot) -> MemberOrder:
        """Return the members in the order in which the client's leader serves them."""


@dataclass(frozen=True)
class OrderedRangeAssignor(OrderedAssignor):
    """Each topic's partitions in contiguous runs, one run per subscriber."""

    name: ClassVar[str] = "range"
    protocol: ClassVar[str] = "range"
    quirks: ClassVar[tuple[str, ...]] = ("remainder", "Q-10")

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what."""
        return Assignment(even_ranges(group, group.subscribers_in(self.members_in_order(group).rows)))


@dataclass(frozen=True)
class OrderedRoundRobinAssignor(OrderedAssignor):
    """All partitions in turn over one ring of members."""

    name: ClassVar[str] = "roundrobin"
    protocol: ClassVar[str] = "roundrobin"
    quirks: ClassVar[tuple[str, ...]] = ("Q-3", "Q-10")

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what."""
        order = self.members_in_order(group)
        return Assignment(owners_in_ring(group, group.subscribers_in(order.rows), order.places))
