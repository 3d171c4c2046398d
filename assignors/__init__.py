"""Assignors: pure functions of columns. The registries `ASSIGNORS`, `TASK_ASSIGNORS` and `CLIENTS`
contain them by name, in display order.
"""

from evenkeel.assignors.clients import CLIENTS, JAVA
from evenkeel.assignors.kafka.consumer.uniform import UniformAssignor
from evenkeel.assignors.kafka.lag_based import LagBasedAssignor
from evenkeel.assignors.kafka.range import BrokerRangeAssignor, RangeAssignor
from evenkeel.assignors.kafka.round_robin import RoundRobinAssignor
from evenkeel.assignors.kafka.share import SimpleAssignor
from evenkeel.assignors.kafka.sticky.assignor import CooperativeStickyAssignor, StickyAssignor
from evenkeel.assignors.kafka.streams.assignor import StreamsSettings
from evenkeel.assignors.kafka.streams.group_sticky import StreamsGroupStickyAssignor
from evenkeel.assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from evenkeel.assignors.kafka.streams.legacy_sticky import (
    FallbackPriorTaskAssignor,
    LegacyStickyTaskAssignor,
)
from evenkeel.assignors.kafka.streams.public_sticky import StickyTaskAssignor
from evenkeel.assignors.protocol import Assignor
from evenkeel.assignors.weighted import WeightedAssignor

__all__ = ["ASSIGNORS", "CLIENTS", "JAVA", "TASK_ASSIGNORS"]

ASSIGNORS: dict[str, type[Assignor]] = {
    RangeAssignor.name: RangeAssignor,
    RoundRobinAssignor.name: RoundRobinAssignor,
    StickyAssignor.name: StickyAssignor,
    CooperativeStickyAssignor.name: CooperativeStickyAssignor,
    LagBasedAssignor.name: LagBasedAssignor,
    UniformAssignor.name: UniformAssignor,
    BrokerRangeAssignor.name: BrokerRangeAssignor,
    WeightedAssignor.name: WeightedAssignor,
    SimpleAssignor.name: SimpleAssignor,
}

TASK_ASSIGNORS: dict[str, type[StreamsSettings]] = {
    HighAvailabilityTaskAssignor.name: HighAvailabilityTaskAssignor,
    LegacyStickyTaskAssignor.name: LegacyStickyTaskAssignor,
    FallbackPriorTaskAssignor.name: FallbackPriorTaskAssignor,
    StickyTaskAssignor.name: StickyTaskAssignor,
    StreamsGroupStickyAssignor.name: StreamsGroupStickyAssignor,
}
