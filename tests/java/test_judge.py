"""The judge is judged first: it gives the answers that Kafka's own tests state."""

import pytest

from tests.scenarios import vectors
from tests.scenarios.scenarios import scenarios


@pytest.mark.parametrize("scenario", list(scenarios()), ids=str)
def test_the_judge_answers_a_scenario_as_kafkas_tests_state(judge, scenario):
    answer = judge.answer(scenario.assignor, scenario.group)

    assert scenario.agrees_with(answer), answer


@pytest.mark.parametrize("family", [vectors.racks, vectors.sticky, vectors.broker])
def test_the_judge_gives_the_digests_of_middle_sized_groups(judge, family):
    differing = [name for name, found, expected in family(judge.answer) if found != expected]

    assert differing == []


def test_a_leader_that_remembers_a_higher_generation_gives_claims_of_older_ones_back(judge):
    group = {
        "topics": [{"name": "t0", "partitions": 6}, {"name": "t1", "partitions": 2}],
        "members": [
            {"member_id": "A", "subscribed": ["t0"], "owned": {"t0": [0, 1, 2, 3]}, "generation": 1},
            {"member_id": "B", "subscribed": ["t0", "t1"], "owned": {"t0": [0, 4, 5], "t1": [0, 1]}, "generation": 1},
        ],
    }

    fresh = judge.answer("sticky", group)
    remembering = judge.answer("sticky", group, {"max_generation": 5})

    assert fresh["error"] is None
    assert remembering["error"] is None


def test_a_regular_expression_subscribes_to_the_topics_that_match(judge):
    group = {
        "topics": [{"name": "orders", "partitions": 2}, {"name": "other", "partitions": 2}],
        "members": [{"member_id": "A", "subscribed": [], "subscribed_regex": "ord.*"}, {"member_id": "B", "subscribed": ["orders"]}],
    }

    answers = {assignor: judge.answer(assignor, group)["assignment"] for assignor in ("range", "uniform")}

    assert answers == dict.fromkeys(answers, {"A": {"orders": [0]}, "B": {"orders": [1]}})


def test_a_class_that_is_not_there_is_an_error_by_name(judge):
    error = judge.answer("com.example.Missing", {"topics": [], "members": []})["error"]

    assert error["type"] == "KafkaException"
    assert "com.example.Missing ClassNotFoundException" in error["message"]
