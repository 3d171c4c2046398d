"""One real Kafka broker for all tests that change nothing of its rights."""

import pytest

from tests.kafka.broker import Brokers


@pytest.fixture(scope="session")
def broker():
    """The broker."""
    with Brokers(logs_requests=True) as started:
        yield started
