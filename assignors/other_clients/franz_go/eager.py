"""Range and roundrobin of franz-go: as Kafka's own, without racks.

Reproduces `RangeBalancer` and `RoundRobinBalancer` of franz-go 1.22.2 without the option `BalanceRacks`.
"""

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.other_clients.eager import OrderedRangeAssignor, OrderedRoundRobinAssignor
from evenkeel.assignors.other_clients.member_orders import static_first


@dataclass(frozen=True)
class FranzGoRangeAssignor(OrderedRangeAssignor):
    """The `range` strategy."""

    client: ClassVar[str] = "franz-go"
    quirk_owner: ClassVar[str] = "franz-go's range"
    members_in_order = staticmethod(static_first)


@dataclass(frozen=True)
class FranzGoRoundRobinAssignor(OrderedRoundRobinAssignor):
    """The `roundrobin` strategy."""

    client: ClassVar[str] = "franz-go"
    quirk_owner: ClassVar[str] = "franz-go's roundrobin"
    members_in_order = staticmethod(static_first)
