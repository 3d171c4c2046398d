"""A result as its lines tell it has the figures of the result itself."""

import json

from evenkeel.data.group.columns import assignment_by_name
from evenkeel.data.scenarios.run.step_drains import drain_of
from evenkeel.data.scenarios.run.step_figures import figures_of_steps
from evenkeel.data.scenarios.run.stored_result import stored_result, with_stored_drains
from evenkeel.data.scenarios.run.walk import lines_of
from tests.data.scenarios.scenarios import PAYMENTS, member, result

STEPS = (
    [{"op": "remove_members", "member_ids": ["pay-b"]}],
    [
        {"op": "add_members", "like": "pay-a", "count": 2, "seed": 7},
        {"op": "set_partition_count", "topic": "orders", "count": 6},
    ],
    [{"op": "restart_members", "member_ids": ["pay-a"]}],
    [
        {"op": "set_lag", "topic": "orders", "partition": 0, "lag": 5},
        {"op": "add_topic", "name": "more", "partitions": 2},
    ],
)
ALL = ("range", "sticky", "cooperative-sticky", "uniform", "lag")


def told(of):
    return stored_result(of.scenario, json.loads(json.dumps(lines_of(of))))


def test_the_figures_are_those_of_the_result():
    run = result(*STEPS, assignors=ALL)

    assert figures_of_steps(told(run).steps) == figures_of_steps(run.steps)


def test_its_lines_have_the_figures_of_the_lines_of_which_it_was_read():
    run = result(*STEPS, assignors=ALL)
    keys = ("assignment", "moved_partitions", "moved_lag", "rebalances", "never_ends", "max_lag")

    for line, stored in zip(lines_of(run)[1:], lines_of(told(run))[1:], strict=True):
        assert [stored[key] for key in keys] == [line[key] for key in keys]


def test_members_have_what_the_lines_say():
    run = result(*STEPS, assignors=ALL)

    for answers, stored in zip(run.steps, told(run).steps, strict=True):
        for name in ALL:
            has = assignment_by_name(stored[name].group, stored[name].assignment)
            assert has == assignment_by_name(answers[name].group, answers[name].assignment)


def test_an_error_is_told():
    run = result([], kafka_version="3.5.0")

    (listed, step) = told(run).steps
    assert str(step["sticky"].error) == str(run.steps[1]["sticky"].error)
    assert listed["sticky"].assignment is None


def test_members_that_an_edit_makes_have_the_names_of_the_lines():
    group = PAYMENTS | {
        "members": [member("member-1", {"orders": [0, 1, 2, 3]}, client_id="client-1")]
    }
    run = result([{"op": "add_members", "like": "member-1", "count": 1}], group=group)
    lines = lines_of(run)
    (new,) = set(lines[-1]["assignment"]) - {"member-1"}
    lines[-1]["assignment"] = {
        "member-1": lines[-1]["assignment"]["member-1"],
        "member-2": lines[-1]["assignment"][new],
    }

    answer = stored_result(run.scenario, lines).steps[1]["sticky"]

    assert answer.group.snapshot.member_id == ("member-1", "member-2")
    assert answer.moved_partitions == answer.moves.moved_count == 2


def test_times_to_drain_are_those_of_the_lines_and_an_answer_that_has_changed_has_none():
    run = result(*STEPS[:1])
    drain = {
        "low_seconds": 40.0,
        "seconds": 45.5,
        "high_seconds": None,
        "is_never": False,
        "excess": 0.0,
    }
    drain |= dict.fromkeys(
        ("unknown_rates", "unknown_capacities", "assumed_capacities", "grown_topics"), 0
    )
    lines = [
        line | {"drain": drain} if "step" in line else line
        for line in json.loads(json.dumps(lines_of(run)))
    ]
    lines[-1]["max_lag"] += 1

    assert stored_result(run.scenario, lines).drains[1]["sticky"] == drain_of(drain)
    assert with_stored_drains(run, lines).drains == [{"sticky": drain_of(drain)}, {}]
    assert with_stored_drains(run, lines_of(run)).drains == []
