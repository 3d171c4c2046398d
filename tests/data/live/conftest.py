"""Three real brokers with racks, and what consumers of Kafka's own client did on them."""

import pytest
from confluent_kafka.admin import NewTopic

from data.clusters.connection import Connection
from data.clusters.profile import Profile
from tests.data.live.histories import PROTOCOLS, histories
from tests.kafka.broker import Brokers
from tests.kafka.java_consumers import JavaConsumers


@pytest.fixture(scope="session")
def racks():
    """A connection to three brokers in racks a, b and c, with the topics orders (7 partitions, 2 replicas) and payments (4, 1 replica)."""
    with Brokers(racks=["a", "b", "c"]) as brokers:
        connection = Connection(Profile("racks", {"bootstrap.servers": brokers.bootstrap()}))
        for made in connection.admin.create_topics([NewTopic("orders", 7, 2), NewTopic("payments", 4, 1)]).values():
            made.result()
        yield connection
        connection.close()


@pytest.fixture(scope="session")
def history(racks):
    """Documents by (protocol, step)."""
    with JavaConsumers(racks.profile.settings["bootstrap.servers"]) as consumers:
        return histories(racks, consumers, list(PROTOCOLS))
