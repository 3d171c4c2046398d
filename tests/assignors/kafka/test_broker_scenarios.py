"""Kafka's own test scenarios for the broker's assignors, through the builder of target assignments.

Left out, because only a direct call of the class reaches them: ids of topics without metadata (PartitionAssignorException "doesn't exist"), stored maps that iterate in
the order in which a test lists them, and "partitions run out" with the type heterogeneous although subscriptions are equal.
"""

from collections import Counter

import pytest

from tests.assignors.asking import ask
from tests.recorded import vectors
from tests.recorded.scenarios import scenarios


@pytest.mark.parametrize("scenario", [each for each in scenarios() if each.assignor in ("uniform", "broker-range", "simple")], ids=str)
def test_a_scenario_of_kafkas_tests_ends_otherwise(scenario):
    answer = ask(scenario.assignor, scenario.group)

    assert scenario.agrees_with(answer), answer


def test_middle_sized_groups_get_kafkas_digests():
    differing = [name for name, found, expected in vectors.broker(ask) if found != expected]

    assert differing == []


def test_a_large_sample_is_complete_valid_and_even():
    topics = [f"topic{number}" for number in range(1, 100)]
    members = [{"member_id": f"member{number}", "subscribed": topics} for number in range(1, 50)]
    group = {"format": "evenkeel.group/1", "topics": [{"name": topic, "partitions": 3} for topic in topics], "members": members}

    held = ask("uniform", group)["assignment"]

    owners = Counter((topic, number) for topics in held.values() for topic, numbers in topics.items() for number in numbers)
    assert owners == Counter({(topic, number): 1 for topic in topics for number in range(3)})
    sizes = [sum(map(len, topics.values())) for topics in held.values()]
    assert (min(sizes), max(sizes)) == (6, 7)
