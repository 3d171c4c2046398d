"""Every assignor with a Kafka name gives Kafka's answer; `python -m tests.judge.conformance` does
the same for many more groups.
"""

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, note, settings, strategies

from evenkeel.assignors import ASSIGNORS
from tests.generated.documents import group_documents
from tests.judge.conformance import ours
from tests.judge.differences import (
    BROKER_ASSIGNORS,
    chained_requests,
    differences,
    excuse,
    first,
    meaning,
    random_requests,
)

KAFKAS = [name for name in ASSIGNORS if name != "evenkeel-weighted"]
"""Without our own jar: `test_weighted` asks it."""


@pytest.mark.parametrize("assignor", KAFKAS)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=strategies.data())
def test_a_random_group_gets_another_answer_than_from_kafka(judge, assignor, data):
    request = {
        "assignor": assignor,
        "group": data.draw(group_documents(assignor in BROKER_ASSIGNORS)),
        "settings": {},
    }

    kafka, answer = judge.answer(**request), ours(request)

    note(f"Kafka: {kafka}\nours: {answer}")
    assert meaning(answer) == meaning(kafka)


@pytest.mark.parametrize("assignor", ["range", "sticky", "uniform", "broker-range"])
def test_groups_with_regular_expressions_get_kafkas_answers(judge, assignor):
    requests = first(
        random_requests(Random(f"expressions {assignor}"), assignor, expressions=True), 300
    )

    assert differing_of_judged(requests, judge, least=270) == []


@pytest.mark.parametrize("assignor", KAFKAS)
def test_random_groups_and_chains_of_rebalances_get_kafkas_answers(judge, assignor):
    random = Random(f"suite {assignor}")
    requests = first(random_requests(random, assignor), 300) + first(
        chained_requests(random, assignor, judge, 5), 300
    )

    assert differing_of_judged(requests, judge, least=540) == []


def differing_of_judged(requests, judge, least):
    """Return where answers differ; of the requests at least so many have an answer that is held to
    Kafka's.
    """
    excuses = Counter()

    def counted(request):
        answer = ours(request)
        excuses[excuse(answer)] += 1
        return answer

    found = list(differences(requests, judge, counted))
    assert excuses[None] >= least, excuses
    return found
