"""The example cluster: one day of generated groups, stored as slots in a lake in this package.

The cluster has no broker. Pages show the latest slot as the present state.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from evenkeel.data.lake.place import Place

NAME = "example"
PLACE = Place(str(Path(__file__).resolve().parent / "example_cluster"))

BROKER: Mapping[str, str] = MappingProxyType(
    {
        "group.version": "1",
        "group.coordinator.rebalance.protocols": "classic,consumer,streams",
        "group.consumer.migration.policy": "bidirectional",
        "group.consumer.max.size": "2147483647",
        "group.consumer.assignors": "uniform,range",
        "group.consumer.session.timeout.ms": "45000",
        "group.consumer.heartbeat.interval.ms": "5000",
    }
)
"""Broker settings of the example cluster: the defaults of Kafka 4.1."""
