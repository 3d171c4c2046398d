"""Steps, rounds and restarts by the code of the client that leads."""

from evenkeel.data.scenarios.leaders import led_by
from evenkeel.data.scenarios.run.rolling_restart import cost, rolling_restart
from evenkeel.data.scenarios.scenario.scenario import content_hash
from tests.data.scenarios.scenarios import PAYMENTS, member, result, scenario

LIBRDKAFKA = {"client": "librdkafka", "certain": True}
TWO = [{"name": "t", "partitions": 6}, {"name": "u", "partitions": 8}]
KILLING = {
    **PAYMENTS,
    "topics": TWO,
    "leader": LIBRDKAFKA,
    "members": [
        member("a", subscribed=["t"]),
        member("b", {"t": [*range(6)], "u": [*range(8)]}, subscribed=["t", "u"]),
        member("c", subscribed=["t", "u"]),
    ],
}
DIES = [{"op": "remove_members", "member_ids": ["pay-b"]}]


def test_the_client_counts_in_the_content_hash_only_where_it_is_given():
    assert content_hash(scenario()) == content_hash(scenario(client=None))
    assert (
        len(
            {
                content_hash(scenario(**settings))
                for settings in ({}, {"client": "java"}, {"client": "librdkafka"})
            }
        )
        == 3
    )


def test_a_step_is_answered_by_the_leader_and_by_the_client_of_the_settings_before_it():
    led = PAYMENTS | {"leader": LIBRDKAFKA}

    errors = [
        result(DIES, group=led, **settings).steps[1]["sticky"].error
        for settings in ({}, {"client": "java"})
    ]

    assert (errors[0].java_class, errors[1]) == ("NotOffered", None)


def test_a_step_in_which_the_leader_dies_ends_the_scenario_of_that_assignor_alone():
    found = result(DIES[:0], group=KILLING, assignors=("cooperative-sticky", "range"))

    assert [answer.error and answer.error.java_class for answer in found.steps[1].values()] == [
        "LeaderCrash",
        None,
    ]


def test_librdkafka_rests_after_a_second_round_and_a_restart_takes_one_rebalance_plus_two():
    led = PAYMENTS | {"leader": LIBRDKAFKA, "assignor": "cooperative-sticky"}
    joins = [{"op": "add_members", "like": "pay-a", "count": 2, "seed": 7}]
    found = result(joins, group=led, assignors=("cooperative-sticky",))
    answer = found.steps[1]["cooperative-sticky"]

    assert (
        answer.rounds,
        answer.never_ends,
        answer.balance.max_partitions,
        answer.balance.min_partitions,
    ) == (2, False, 1, 1)
    assignor = led_by("librdkafka")["cooperative-sticky"]()
    assert cost(found.listed, rolling_restart(found.listed), assignor).rebalances == 6


def test_a_group_with_racks_may_never_rest_under_librdkafka_while_it_rests_under_java():
    racks = [{"racks": racks} for racks in (["z"], ["x", "y"], ["z"])]
    members = [
        member("a", {"t": [0]}, subscribed=["t"], rack="x"),
        member("b", subscribed=["t"], rack="y"),
    ]
    led = PAYMENTS | {
        "leader": LIBRDKAFKA,
        "topics": [{"name": "t", "partitions": racks}],
        "members": members,
    }

    ends = [
        result([], group=led, assignors=("cooperative-sticky",), **settings).steps[1]
        for settings in ({}, {"client": "java"})
    ]

    assert [end["cooperative-sticky"].never_ends for end in ends] == [True, False]
