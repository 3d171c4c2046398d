"""One JVM with Kafka's classes for all tests of this folder."""

import pytest

from tests.judge.judge import Judge


@pytest.fixture(scope="session")
def judge():
    """Kafka's own classes."""
    with Judge() as kafka:
        yield kafka
