"""One process with librdkafka's code for all tests of this folder."""

import os

import pytest

from tests.judge.librdkafka.judge import LibrdkafkaJudge
from tests.judge.librdkafka.library import missing_tools


@pytest.fixture(scope="session")
def judge():
    """librdkafka's own code; a read of freed memory is seen."""
    if missing := missing_tools():
        reason = f"librdkafka cannot be built here: missing {', '.join(missing)}"
        assert not os.environ.get("CI"), reason
        pytest.skip(reason)
    with LibrdkafkaJudge() as librdkafka:
        yield librdkafka
