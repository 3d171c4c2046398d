"""Brokers up to 4.0.0 give other answers than the newest, and so do we; `python -m
tests.judge.conformance --kafka 3.9.0` does the same for many more groups.
"""

from random import Random

import pytest

from tests.judge.conformance import ours
from tests.judge.differences import (
    chained_requests,
    differences,
    excuse,
    first,
    of_release,
    random_requests,
)
from tests.judge.judge import Judge

GROUPS = 150


@pytest.fixture(scope="module", params=["3.9.0", "4.0.0"])
def older(request):
    """A release and its classes."""
    with Judge(request.param) as kafka:
        yield request.param, kafka


def requests_to(older, assignor):
    version, judge = older
    random = Random(f"{assignor} {version}")
    requests = first(random_requests(random, assignor), GROUPS) + first(
        chained_requests(random, assignor, judge, 5), GROUPS
    )
    return list(of_release(iter(requests), version))


@pytest.mark.parametrize("assignor", ["uniform", "broker-range"])
def test_random_groups_and_chains_of_rebalances_get_the_answers_of_an_older_broker(older, assignor):
    requests = requests_to(older, assignor)

    differing = list(differences(requests, older[1], ours))

    assert differing == []
    assert sum(not excuse(ours(request)) for request in requests) >= GROUPS // 2


def test_the_newest_uniform_gives_other_answers_than_an_older_broker(older):
    requests = [request | {"settings": {}} for request in requests_to(older, "uniform")]

    differing = list(differences(requests, older[1], ours))

    assert len(differing) > 20
