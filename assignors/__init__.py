"""Assignors: pure functions of columns. `ASSIGNORS` of a group, `TASK_ASSIGNORS` of a Streams application, by name in order of display."""

from assignors.kafka.classic.cooperative_sticky import CooperativeStickyAssignor
from assignors.kafka.classic.lag_based import LagBasedAssignor
from assignors.kafka.classic.range import RangeAssignor
from assignors.kafka.classic.round_robin import RoundRobinAssignor
from assignors.kafka.classic.sticky import StickyAssignor
from assignors.kafka.consumer.range import BrokerRangeAssignor
from assignors.kafka.consumer.uniform import UniformAssignor
from assignors.kafka.share.simple import SimpleAssignor
from assignors.kafka.streams.fallback_prior import FallbackPriorTaskAssignor
from assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from assignors.kafka.streams.legacy_sticky import LegacyStickyTaskAssignor

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
}

JAVA = "java"
"""The client whose classes `ASSIGNORS` has; it leads where nothing else is known."""

CLIENT_ASSIGNORS = {
    JAVA: {
        RangeAssignor.name: RangeAssignor,
        RoundRobinAssignor.name: RoundRobinAssignor,
        StickyAssignor.name: StickyAssignor,
        CooperativeStickyAssignor.name: CooperativeStickyAssignor,
    },
    "librdkafka": {},
    "kafka-python": {},
    "aiokafka": {},
    "franz-go": {},
    "sarama": {},
    "kafka-go": {},
    "kafkajs": {},
    "platformatic": {},
}
"""What each client answers where it leads a classic group, by client and name; a name that a client does not have is missing."""

_GO_MAPS = "it walks Go maps, whose order is random"

NO_FUNCTION = {
    "sarama": {StickyAssignor.name: _GO_MAPS, CooperativeStickyAssignor.name: _GO_MAPS},
}
"""Client -> name -> why equal inputs give different answers, for assignors that no class can reproduce."""
