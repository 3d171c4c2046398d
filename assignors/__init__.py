"""Assignors: pure functions of columns. `ASSIGNORS` of a group, `TASK_ASSIGNORS` of a Streams application, by name in order of display."""

from evenkeel.assignors.kafka.consumer.uniform import UniformAssignor
from evenkeel.assignors.kafka.lag_based import LagBasedAssignor
from evenkeel.assignors.kafka.range import BrokerRangeAssignor, RangeAssignor
from evenkeel.assignors.kafka.round_robin import RoundRobinAssignor
from evenkeel.assignors.kafka.share import SimpleAssignor
from evenkeel.assignors.kafka.sticky.assignor import CooperativeStickyAssignor, StickyAssignor
from evenkeel.assignors.kafka.streams.group_sticky import StreamsGroupStickyAssignor
from evenkeel.assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from evenkeel.assignors.kafka.streams.legacy_sticky import FallbackPriorTaskAssignor, LegacyStickyTaskAssignor
from evenkeel.assignors.kafka.streams.public_sticky import StickyTaskAssignor
from evenkeel.assignors.librdkafka.cooperative_sticky.assignor import LibrdkafkaCooperativeStickyAssignor
from evenkeel.assignors.librdkafka.range import LibrdkafkaRangeAssignor
from evenkeel.assignors.librdkafka.round_robin import LibrdkafkaRoundRobinAssignor
from evenkeel.assignors.other_clients.aiokafka import AiokafkaRangeAssignor, AiokafkaRoundRobinAssignor, AiokafkaStickyAssignor
from evenkeel.assignors.other_clients.franz_go.eager import FranzGoRangeAssignor, FranzGoRoundRobinAssignor
from evenkeel.assignors.other_clients.franz_go.sticky import FranzGoCooperativeStickyAssignor, FranzGoStickyAssignor
from evenkeel.assignors.other_clients.kafka_go import KafkaGoRangeAssignor, KafkaGoRoundRobinAssignor
from evenkeel.assignors.other_clients.kafka_python.eager import KafkaPythonRangeAssignor, KafkaPythonRoundRobinAssignor
from evenkeel.assignors.other_clients.kafka_python.sticky import KafkaPythonCooperativeStickyAssignor, KafkaPythonStickyAssignor
from evenkeel.assignors.other_clients.kafkajs import KafkajsRoundRobinAssignor
from evenkeel.assignors.other_clients.platformatic.cooperative_sticky import PlatformaticCooperativeStickyAssignor
from evenkeel.assignors.other_clients.platformatic.round_robin import PlatformaticRoundRobinAssignor
from evenkeel.assignors.other_clients.sarama import SaramaRangeAssignor, SaramaRoundRobinAssignor

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

JAVA = "java"
"""The client whose classes `ASSIGNORS` has; it leads where nothing else is known."""

CLIENT_ASSIGNORS = {
    JAVA: {
        RangeAssignor.name: RangeAssignor,
        RoundRobinAssignor.name: RoundRobinAssignor,
        StickyAssignor.name: StickyAssignor,
        CooperativeStickyAssignor.name: CooperativeStickyAssignor,
    },
    "librdkafka": {
        LibrdkafkaRangeAssignor.name: LibrdkafkaRangeAssignor,
        LibrdkafkaRoundRobinAssignor.name: LibrdkafkaRoundRobinAssignor,
        LibrdkafkaCooperativeStickyAssignor.name: LibrdkafkaCooperativeStickyAssignor,
    },
    "kafka-python": {
        KafkaPythonRangeAssignor.name: KafkaPythonRangeAssignor,
        KafkaPythonRoundRobinAssignor.name: KafkaPythonRoundRobinAssignor,
        KafkaPythonStickyAssignor.name: KafkaPythonStickyAssignor,
        KafkaPythonCooperativeStickyAssignor.name: KafkaPythonCooperativeStickyAssignor,
    },
    "aiokafka": {
        AiokafkaRangeAssignor.name: AiokafkaRangeAssignor,
        AiokafkaRoundRobinAssignor.name: AiokafkaRoundRobinAssignor,
        AiokafkaStickyAssignor.name: AiokafkaStickyAssignor,
    },
    "franz-go": {
        FranzGoRangeAssignor.name: FranzGoRangeAssignor,
        FranzGoRoundRobinAssignor.name: FranzGoRoundRobinAssignor,
        FranzGoStickyAssignor.name: FranzGoStickyAssignor,
        FranzGoCooperativeStickyAssignor.name: FranzGoCooperativeStickyAssignor,
    },
    "sarama": {
        SaramaRangeAssignor.name: SaramaRangeAssignor,
        SaramaRoundRobinAssignor.name: SaramaRoundRobinAssignor,
    },
    "kafka-go": {
        KafkaGoRangeAssignor.name: KafkaGoRangeAssignor,
        KafkaGoRoundRobinAssignor.name: KafkaGoRoundRobinAssignor,
    },
    "kafkajs": {KafkajsRoundRobinAssignor.name: KafkajsRoundRobinAssignor},
    "platformatic": {
        PlatformaticRoundRobinAssignor.name: PlatformaticRoundRobinAssignor,
        PlatformaticCooperativeStickyAssignor.name: PlatformaticCooperativeStickyAssignor,
    },
}
"""What each client answers where it leads a classic group, by client and name; a name that a client does not have is missing."""

_GO_MAPS = "it walks Go maps, whose order is random"

NO_FUNCTION = {
    "sarama": {StickyAssignor.name: _GO_MAPS, CooperativeStickyAssignor.name: _GO_MAPS},
}
"""Client -> name -> why equal inputs give different answers, for assignors that no class can reproduce."""
