"""Every task assignor gives Kafka's answer; `python -m tests.judge.streams_conformance` does the same for many more applications."""

from itertools import islice
from random import Random

import pytest

from assignors import TASK_ASSIGNORS
from tests.judge.streams_conformance import chained_requests, differences, random_requests


@pytest.mark.parametrize("assignor", TASK_ASSIGNORS)
def test_random_applications_and_chains_of_rebalances_get_kafkas_answers(judge, assignor):
    random = Random(f"suite {assignor}")
    requests = [*islice(random_requests(random, assignor), 200), *islice(chained_requests(random, assignor, judge), 200)]

    assert list(differences(requests, judge)) == []
