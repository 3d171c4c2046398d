"""The judge is judged first: it gives the answers that Kafka's own tests state."""

import pytest

from tests.recorded import vectors
from tests.recorded.scenarios import scenarios


@pytest.mark.parametrize("scenario", list(scenarios()), ids=str)
def test_the_judge_answers_a_scenario_as_kafkas_tests_state(judge, scenario):
    answer = judge.answer(scenario.assignor, scenario.group)

    assert scenario.agrees_with(answer), answer


@pytest.mark.parametrize("family", [vectors.racks, vectors.sticky, vectors.broker])
def test_the_judge_gives_the_digests_of_middle_sized_groups(judge, family):
    differing = [name for name, found, expected in family(judge.answer) if found != expected]

    assert differing == []


def test_a_leader_that_remembers_a_higher_generation_looks_for_older_owners(judge):
    group = {
        "topics": [{"name": "topic", "partitions": [{}, {"racks": ["a"]}]}],
        "members": [
            {"member_id": "m7-3f0c7", "subscribed": [], "rack": "a", "owned": {"topic": [0]}},
            {"member_id": "BB", "subscribed": ["topic"], "rack": "b"},
            {"member_id": "C", "subscribed": ["topic", "unknown"]},
        ],
    }

    fresh = judge.answer("sticky", group)
    remembering = judge.answer("sticky", group, {"max_generation": 9})

    assert fresh["assignment"] == {"m7-3f0c7": {}, "BB": {"topic": [0]}, "C": {"topic": [1]}}
    assert remembering["error"]["type"] == "NullPointerException"


def test_a_regular_expression_subscribes_to_the_topics_that_match(judge):
    group = {
        "topics": [{"name": "orders", "partitions": 2}, {"name": "other", "partitions": 2}],
        "members": [
            {"member_id": "A", "subscribed": [], "subscribed_regex": "ord.*"},
            {"member_id": "B", "subscribed": ["orders"]},
        ],
    }

    answers = {
        assignor: judge.answer(assignor, group)["assignment"] for assignor in ("range", "uniform")
    }

    assert answers == dict.fromkeys(answers, {"A": {"orders": [0]}, "B": {"orders": [1]}})


def test_a_class_that_is_not_there_is_an_error_by_name(judge):
    error = judge.answer("com.example.Missing", {"topics": [], "members": []})["error"]

    assert error["type"] == "KafkaException"
    assert "com.example.Missing ClassNotFoundException" in error["message"]
