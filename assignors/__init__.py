"""Assignors: pure functions of columns; registries by name in the order of display: `ASSIGNORS`, `TASK_ASSIGNORS`, `CLIENTS`."""

from evenkeel.assignors.clients import CLIENTS, JAVA
from evenkeel.assignors.kafka.classic.cooperative_sticky import CooperativeStickyAssignor
from evenkeel.assignors.kafka.classic.lag_based import LagBasedAssignor
from evenkeel.assignors.kafka.classic.range import RangeAssignor
from evenkeel.assignors.kafka.classic.round_robin import RoundRobinAssignor
from evenkeel.assignors.kafka.classic.sticky import StickyAssignor
from evenkeel.assignors.kafka.consumer.range import BrokerRangeAssignor
from evenkeel.assignors.kafka.consumer.uniform import UniformAssignor
from evenkeel.assignors.kafka.share.simple import SimpleAssignor
from evenkeel.assignors.kafka.streams.fallback_prior import FallbackPriorTaskAssignor
from evenkeel.assignors.kafka.streams.group_sticky import StreamsGroupStickyAssignor
from evenkeel.assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from evenkeel.assignors.kafka.streams.legacy_sticky import LegacyStickyTaskAssignor
from evenkeel.assignors.kafka.streams.streams_sticky import StickyTaskAssignor

__all__ = ["ASSIGNORS", "CLIENTS", "JAVA", "TASK_ASSIGNORS"]

ASSIGNORS = {
    RangeAssignor.name: RangeAssignor,
    RoundRobinAssignor.name: RoundRobinAssignor,
    StickyAssignor.name: StickyAssignor,
    CooperativeStickyAssignor.name: CooperativeStickyAssignor,
    LagBasedAssignor.name: LagBasedAssignor,
    UniformAssignor.name: UniformAssignor,
    BrokerRangeAssignor.name: BrokerRangeAssignor,
    SimpleAssignor.name: SimpleAssignor,
}

TASK_ASSIGNORS = {
    HighAvailabilityTaskAssignor.name: HighAvailabilityTaskAssignor,
    LegacyStickyTaskAssignor.name: LegacyStickyTaskAssignor,
    FallbackPriorTaskAssignor.name: FallbackPriorTaskAssignor,
    StickyTaskAssignor.name: StickyTaskAssignor,
    StreamsGroupStickyAssignor.name: StreamsGroupStickyAssignor,
}
