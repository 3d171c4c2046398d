"""kafka-python's own classes give what ours give; `python -m tests.judge.clients_conformance` asks
many more groups, and aiokafka.
"""

import pytest

from evenkeel.assignors import CLIENTS
from tests.judge.clients_conformance import compare, kafka_python


@pytest.mark.parametrize("name", CLIENTS["kafka-python"].assignors)
def test_a_group_gets_another_answer_than_from_kafka_python(name):
    found = compare("kafka-python", name, kafka_python, random_groups=150, chained=100)

    assert found.differing is None
    assert found.counts["equal"] + found.counts["an error in both"] >= 240
