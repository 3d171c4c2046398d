"""A member that subscribes by a regular expression, on a real broker."""

import pytest
from confluent_kafka import Consumer

from evenkeel.assignors import ASSIGNORS
from evenkeel.data.group.columns import assignment_by_name, observed_from_document
from tests.data.live.histories import stable_document
from tests.waiting import until


@pytest.fixture
def by_expression(racks):
    consumer = Consumer(
        {
            "bootstrap.servers": racks.profile.settings["bootstrap.servers"],
            "group.id": "by-expression",
            "group.protocol": "consumer",
        }
    )
    consumer.subscribe(["^ord.*"])
    until(lambda: (consumer.poll(0.1), consumer.assignment())[1], pause=0)
    yield stable_document(racks, "by-expression", 1)
    consumer.close()


def test_its_topics_are_those_that_match_and_our_answer_is_the_brokers(by_expression):
    (member,) = by_expression.members

    assert (member.subscribed, member.subscribed_regex) == ([], "(^ord.*)")
    assert [topic.name for topic in by_expression.topics] == ["orders"]

    observed = observed_from_document(by_expression)
    answer = assignment_by_name(observed, ASSIGNORS["uniform"]().assign(observed.snapshot))
    assert answer == {member.member_id: {"orders": [0, 1, 2, 3, 4, 5, 6]}}
    assert {topic: sorted(numbers) for topic, numbers in member.owned.items()} == {
        "orders": [0, 1, 2, 3, 4, 5, 6]
    }
