"""Three real brokers with racks, and what consumers of Kafka's own client did on them."""

import pytest

from tests.brokers.broker import Brokers
from tests.brokers.connecting import connected
from tests.brokers.java_consumers import JavaConsumers
from tests.brokers.topics import create_topic
from tests.data.live.histories import PROTOCOLS, QUICK_HEARTBEATS, histories


@pytest.fixture(scope="session")
def racks():
    """A connection to three brokers in racks a, b and c, with the topics orders (7 partitions, 2
    replicas) and payments (4, 1 replica).
    """
    with Brokers(racks=["a", "b", "c"], settings=QUICK_HEARTBEATS) as brokers:
        connection = connected(brokers, "racks")
        create_topic(connection.admin, "orders", 7, replicas=2)
        create_topic(connection.admin, "payments", 4)
        yield connection
        connection.close()


@pytest.fixture(scope="session")
def java_consumers(racks):
    """The JVM of the consumers on these brokers."""
    with JavaConsumers(racks.profile.settings["bootstrap.servers"]) as consumers:
        yield consumers


@pytest.fixture(scope="session")
def history(racks, java_consumers):
    """Documents by (protocol, step)."""
    found = histories(racks, java_consumers, list(PROTOCOLS))
    java_consumers.stop_all()
    return found
