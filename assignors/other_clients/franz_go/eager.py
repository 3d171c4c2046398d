"""Range and roundrobin of franz-go: as Kafka's own, without racks.

Reproduces `RangeBalancer` and `RoundRobinBalancer` of franz-go 1.22.2 without the option `BalanceRacks`.
"""

from dataclasses import dataclass
from typing import ClassVar

from assignors.assignment import Assignment
from assignors.group import GroupSnapshot
from assignors.group.dealing.even_ranges import even_ranges
from assignors.group.dealing.ring import owners_in_ring
from assignors.other_clients.client import ClientAssignor
from assignors.other_clients.member_orders import static_first


@dataclass(frozen=True)
class FranzGoRangeAssignor(ClientAssignor):
    """The `range` strategy."""

    client: ClassVar[str] = "franz-go"
    name: ClassVar[str] = "range"
    protocol: ClassVar[str] = "range"
    quirks: ClassVar[tuple[str, ...]] = ("remainder", "Q-10")
    quirk_owner: ClassVar[str] = "franz-go's range"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what."""
        return Assignment(even_ranges(group, group.subscribers_in(static_first(group).rows)))


@dataclass(frozen=True)
class FranzGoRoundRobinAssignor(ClientAssignor):
    """The `roundrobin` strategy."""

    client: ClassVar[str] = "franz-go"
    name: ClassVar[str] = "roundrobin"
    protocol: ClassVar[str] = "roundrobin"
    quirks: ClassVar[tuple[str, ...]] = ("Q-3", "Q-10")
    quirk_owner: ClassVar[str] = "franz-go's roundrobin"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what."""
        order = static_first(group)
        return Assignment(owners_in_ring(group, group.subscribers_in(order.rows), order.places))
