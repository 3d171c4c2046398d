"""Every assignor of librdkafka gives its own code's answer; `python -m
tests.judge.librdkafka_conformance` does the same for many more groups.
"""

from random import Random

import pytest

from evenkeel.assignors import CLIENTS
from tests.judge.differences import chained_requests, differences, first, random_requests
from tests.judge.librdkafka_conformance import ours, requests_to

pytestmark = pytest.mark.timeout(1500)  # the first one on a machine builds librdkafka

GROUPS = 80


@pytest.mark.parametrize("assignor", CLIENTS["librdkafka"].assignors)
def test_random_groups_and_chains_of_rebalances_get_librdkafkas_answers(judge, assignor):
    random = Random(f"suite {assignor}")
    requests = first(random_requests(random, assignor), GROUPS) + first(
        chained_requests(random, assignor, judge, 5), GROUPS
    )

    assert list(differences(requests_to(requests), judge, ours)) == []
