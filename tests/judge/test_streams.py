"""Every task assignor gives Kafka's answer; `python -m tests.judge.streams_conformance` does the
same for many more applications.
"""

from itertools import islice
from random import Random

import pytest

from evenkeel.assignors import TASK_ASSIGNORS
from tests.judge.streams_conformance import (
    asked_whole,
    chained_requests,
    differences,
    random_requests,
)


@pytest.mark.parametrize(
    ("assignor", "whole"),
    [(assignor, whole) for assignor in TASK_ASSIGNORS for whole in asked_whole(assignor)],
)
def test_random_applications_and_chains_of_rebalances_get_kafkas_answers(judge, assignor, whole):
    random = Random(f"suite {assignor} {whole}")
    chained = chained_requests(random, assignor, judge, whole=whole)
    requests = [*islice(random_requests(random, assignor, whole=whole), 200), *islice(chained, 200)]

    assert list(differences(requests, judge)) == []
