"""Steps of a scenario: where each starts, what it costs, and what causes no rebalance."""

import re

import pytest

from evenkeel.data.errors import SnapshotError
from tests.data.scenarios.scenarios import PAYMENTS, has, member, result

UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


def test_a_member_that_dies_leaves_its_partitions_to_the_others():
    answer = result([{"op": "remove_members", "member_ids": ["pay-b"]}]).steps[1]["sticky"]

    assert has(answer) == {"pay-a": "orders-0 orders-1 orders-2 orders-3"}
    assert (answer.moved_partitions, answer.moved_lag, answer.balance.max_lag) == (2, 320, 1340)
    # An eager rebalance stops all four; those of the dead member have no owner either.
    assert answer.paused_partitions == 4


def test_what_a_dead_member_had_pauses_under_a_cooperative_assignor_too():
    answer = result(
        [{"op": "remove_members", "member_ids": ["pay-b"]}], assignors=("cooperative-sticky",)
    ).steps[1]["cooperative-sticky"]

    assert (answer.paused_partitions, answer.rounds) == (2, 1)


def test_a_step_starts_from_where_the_same_assignor_ended_the_step_before():
    steps = result(
        [{"op": "remove_members", "member_ids": ["pay-b"]}],
        [{"op": "remove_members", "member_ids": []}],
        assignors=("range", "lag"),
    ).steps

    assert all(steps[2][name].start is steps[1][name].group for name in ("range", "lag"))


def test_the_first_step_starts_from_the_group_as_listed_and_not_from_the_answer_to_it():
    run = result([], assignors=("lag",))

    assert has(run.steps[0]["lag"]) == {"pay-a": "orders-1 orders-2", "pay-b": "orders-0 orders-3"}
    assert run.steps[1]["lag"].start is run.listed


def test_generations_go_on_from_step_to_step():
    run = result([{"op": "remove_members", "member_ids": ["pay-b"]}], [])

    assert run.steps[1]["sticky"].group.snapshot.generation.tolist() == [8]
    assert run.steps[2]["sticky"].group.snapshot.generation.tolist() == [9]


def test_new_members_of_a_classic_group_are_named_by_client_id_and_uuid():
    answer = result([{"op": "add_members", "like": "pay-a", "count": 2, "seed": 7}]).steps[1][
        "sticky"
    ]

    new = [
        member_id
        for member_id in answer.group.snapshot.member_id
        if member_id not in ("pay-a", "pay-b")
    ]
    assert len(new) == len(set(new)) == 2
    assert all(re.fullmatch(f"pay-{UUID}", member_id) for member_id in new)
    assert sorted(answer.balance.partition_count.tolist()) == [1, 1, 1, 1]


def test_new_members_of_a_broker_group_have_a_uuid_of_22_characters():
    group = PAYMENTS | {"type": "consumer", "assignor": "uniform"}
    answer = result(
        [{"op": "add_members", "like": "pay-a", "count": 1}], group=group, assignors=("uniform",)
    ).steps[1]["uniform"]

    (new,) = set(answer.group.snapshot.member_id) - {"pay-a", "pay-b"}
    assert re.fullmatch("[A-Za-z0-9_][A-Za-z0-9_-]{21}", new)


def test_a_static_member_is_named_by_its_instance_id():
    answer = result(
        [{"op": "add_members", "like": "pay-a", "count": 1, "instance_ids": ["pay-9"]}]
    ).steps[1]["sticky"]

    (new,) = set(answer.group.snapshot.member_id) - {"pay-a", "pay-b"}
    assert re.fullmatch(f"pay-9-{UUID}", new)


def test_another_seed_makes_other_ids_and_the_same_seed_the_same():
    def ids(seed: int):
        return (
            result([{"op": "add_members", "like": "pay-a", "count": 1, "seed": seed}])
            .steps[1]["sticky"]
            .group.snapshot.member_id
        )

    assert ids(1) == ids(1) != ids(2)


def test_a_dynamic_restart_takes_two_rebalances():
    answer = result([{"op": "restart_members", "member_ids": ["pay-a"]}]).steps[1]["sticky"]

    assert answer.rebalances[0].group.snapshot.member_id == ("pay-b",)
    assert (len(answer.rebalances), answer.rounds, answer.paused_partitions) == (2, 2, 8)


def test_a_restart_within_one_join_phase_takes_one_rebalance():
    answer = result([{"op": "restart_members", "member_ids": ["pay-a"], "together": True}]).steps[
        1
    ]["sticky"]

    assert (len(answer.rebalances), answer.rounds, answer.paused_partitions) == (1, 1, 4)


def test_a_member_that_comes_back_in_the_same_join_phase_counts_as_the_same_one_in_moves():
    answer = result(
        [{"op": "restart_members", "member_ids": ["pay-a", "pay-b"], "together": True}],
        assignors=("range",),
    ).steps[1]["range"]

    owners = {tuple(sorted(topics.split())) for topics in has(answer).values()}
    assert owners == {("orders-0", "orders-1"), ("orders-2", "orders-3")}
    assert answer.moved_partitions in (0, 4)
    assert dict(answer.renamed).keys() == {"pay-a", "pay-b"}


def test_a_static_restart_keeps_everything_and_causes_no_rebalance():
    group = PAYMENTS | {
        "members": [
            member("pay-a", {"orders": [0, 1]}, instance_id="a"),
            member("pay-b", {"orders": [2, 3]}, instance_id="b"),
        ]
    }
    answer = result(
        [{"op": "restart_members", "member_ids": ["pay-a"]}], group=group, assignors=("range",)
    ).steps[1]["range"]

    (new,) = set(answer.group.snapshot.member_id) - {"pay-b"}
    assert re.fullmatch(f"a-{UUID}", new)
    assert has(answer) == {new: "orders-0 orders-1", "pay-b": "orders-2 orders-3"}
    assert (answer.rounds, answer.moved_partitions, answer.paused_partitions) == (0, 0, 0)
    assert answer.group.snapshot.generation.tolist() == [7, 7]


def test_a_static_restart_beside_a_death_rebalances():
    group = PAYMENTS | {
        "members": [
            member("pay-a", {"orders": [0, 1]}, instance_id="a"),
            member("pay-b", {"orders": [2, 3]}),
        ]
    }
    step = [
        {"op": "restart_members", "member_ids": ["pay-a"]},
        {"op": "remove_members", "member_ids": ["pay-b"]},
    ]
    answer = result(step, group=group).steps[1]["sticky"]

    assert answer.rounds == 1
    assert list(has(answer).values()) == ["orders-0 orders-1 orders-2 orders-3"]


def test_edits_that_are_off_do_nothing():
    off = result([{"op": "remove_members", "member_ids": ["pay-b"], "off": True}])

    assert has(off.steps[1]["sticky"]) == has(result([]).steps[1]["sticky"])


def test_new_partitions_are_empty_and_their_racks_assumed():
    topic = {
        "name": "orders",
        "partitions": [
            {"end_offset": 9, "committed_offset": 4, "racks": ["a", "b"]},
            {"end_offset": 9, "racks": ["b", "c"]},
        ],
    }
    group = PAYMENTS | {"topics": [topic], "auto_offset_reset": "earliest"}
    grown = (
        result([{"op": "set_partition_count", "topic": "orders", "count": 5}], group=group)
        .steps[1]["sticky"]
        .group
    )

    names, start = grown.snapshot.rack_name, grown.snapshot.replica_start.tolist()
    racks = [
        [names[row] for row in grown.snapshot.replica_rack[low:high]]
        for low, high in zip(start, start[1:], strict=False)
    ]
    assert racks == [["a", "b"], ["b", "c"], ["a", "b"], ["b", "c"], ["a", "b"]]
    assert (grown.snapshot.end_offset.tolist(), grown.snapshot.committed_offset.tolist()) == (
        [9, 9, 0, 0, 0],
        [4, -1, -1, -1, -1],
    )
    assert [path for path in grown.assumed if "racks" in path] == [
        f"topics[0].partitions[{number}].racks" for number in (2, 3, 4)
    ]


def test_a_new_partition_has_no_lag_where_the_reset_policy_is_unknown():
    answer = result([{"op": "set_partition_count", "topic": "orders", "count": 6}]).steps[1][
        "sticky"
    ]

    assert (answer.balance.total_lag, answer.balance.unknown_lag_partitions) == (1340, 0)


def test_a_topic_that_an_expression_matches_is_subscribed_to_when_it_appears():
    subscribed = member("pay-a", {}, subscribed=[], subscribed_regex="ord.*")
    group = PAYMENTS | {"type": "consumer", "assignor": "uniform", "members": [subscribed]}
    steps = (
        [{"op": "add_topic", "name": "ordinals", "partitions": 1}],
        [{"op": "remove_topic", "name": "orders"}],
    )
    run = result(*steps, group=group, assignors=("uniform",))

    assert has(run.steps[1]["uniform"]) == {
        "pay-a": "orders-0 orders-1 orders-2 orders-3 ordinals-0"
    }
    assert has(run.steps[2]["uniform"]) == {"pay-a": "ordinals-0"}


def test_time_passes_at_the_rates_given():
    # pay-a has 60 and 960 behind and reads 40/s; 10/s come into each: in 10 s, partition 0 falls by
    # 100 - in its share - and is empty first.
    edit = {
        "op": "advance",
        "seconds": 10,
        "in_rate": {"orders": 10},
        "capacity": {"pay-a": 40, "pay-b": 20},
    }
    joined = result([edit], assignors=("range",)).steps[1]["range"].rebalances[0].joined

    ends, committed = joined.snapshot.end_offset.tolist(), joined.snapshot.committed_offset.tolist()
    assert ends == [200, 1100, 200, 400]
    # 20/s each until partition 0 is empty after 6 s; then it needs 10/s and partition 1 gets 30/s.
    # pay-b: 10/s each, no change.
    assert [end - commit for end, commit in zip(ends, committed, strict=False)] == [
        0,
        960 - 6 * 10 - 4 * 20,
        60,
        260,
    ]


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (
            {"op": "remove_members", "member_ids": ["pay-a", "pay-z"]},
            'steps[0].edits[0].member_ids[1]: no member "pay-z"',
        ),
        (
            {"op": "remove_members", "member_ids": ["pay-a", "pay-a"]},
            'steps[0].edits[0].member_ids[1]: member "pay-a" twice, expected once',
        ),
        (
            {"op": "add_members", "count": 1, "like": "pay-z"},
            'steps[0].edits[0].like: no member "pay-z"',
        ),
        (
            {"op": "add_members", "count": 1},
            (
                "steps[0].edits[0].like: missing, expected a member to be like, or subscribed, or"
                " subscribed_regex"
            ),
        ),
        (
            {"op": "add_members", "count": 2, "like": "pay-a", "instance_ids": ["x"]},
            "steps[0].edits[0].instance_ids: 1 ids, expected 2, one for each new member",
        ),
        (
            {"op": "set_partition_count", "topic": "orders", "count": 3},
            (
                "steps[0].edits[0].count: found 3, expected at least 4: Kafka cannot shrink topic"
                ' "orders"'
            ),
        ),
        (
            {"op": "set_partition_count", "topic": "nope", "count": 3},
            'steps[0].edits[0].topic: no topic "nope"',
        ),
        (
            {"op": "add_topic", "name": "orders", "partitions": 3},
            'steps[0].edits[0].name: topic "orders" exists already, expected a new name',
        ),
        (
            {"op": "set_lag", "topic": "orders", "partition": 4, "lag": 1},
            (
                'steps[0].edits[0].partition: found 4, but topic "orders" has 4 partitions, counted'
                " from 0"
            ),
        ),
        (
            {"op": "advance", "seconds": 1, "in_rate": {"orders": 1}, "capacity": {"pay-a": 1}},
            (
                'steps[0].edits[0].capacity: no rate of member "pay-b", expected a rate, or "*" for'
                " all others"
            ),
        ),
    ],
)
def test_an_edit_that_names_what_is_not_there_is_refused_with_its_path(edit, told):
    with pytest.raises(SnapshotError, match=re.escape(told)):
        result([edit])


def test_steps_after_an_error_have_that_error():
    run = result([], [], kafka_version="3.5.0")

    errors = [step["sticky"].error for step in run.steps]
    assert [(error.java_class, str(error)) for error in errors] == [
        ("RequestError", "sticky: unknown for Kafka 3.5.0, known since 3.7.1")
    ] * 3
    assert [step["sticky"].assignment for step in run.steps] == [None] * 3
