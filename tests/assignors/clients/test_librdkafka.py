"""Small groups and what librdkafka 2.12.1's own code answers, sends and withholds; the sort and the
order of topics behind it.
"""

import pytest
from hypothesis import given, strategies

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.clients.librdkafka.cooperative_sticky import (
    LibrdkafkaCooperativeStickyAssignor,
)
from evenkeel.assignors.clients.librdkafka.known_group import answered_order, merge_sort
from evenkeel.assignors.rounds.classic import rounds
from tests.assignors.groups import Member, group, spelled, tps

ASSIGNOR = LibrdkafkaCooperativeStickyAssignor()
MIXED = {"d": Member("t", instance="a"), "b": Member("t"), "a": Member("t", instance="b")}


def sent_and_withheld(snapshot):
    answer = ASSIGNOR.assign(snapshot)
    later = Assignment(answer.owner * 0 - 1, withheld=answer.withheld).handed_out()
    return spelled(snapshot, answer), {
        member: given for member, given in spelled(snapshot, later).items() if given
    }


def claiming(owned, generation=1, topics="t", **more):
    return Member(topics, owned=owned, generation=generation, **more)


@pytest.mark.parametrize(
    ("snapshot", "sent", "withheld"),
    [
        (
            group({"t": 3}, A=claiming("t-0 t-1 t-2"), B="t"),
            {"A": "t-1 t-2", "B": ""},
            {"B": "t-0"},
        ),
        (
            group({"t": 2, "u": 2}, A="t u", B="t u", C="u"),
            {"A": "t-0 u-1", "B": "t-1", "C": "u-0"},
            {},
        ),
        (
            group({"t": 2}, A=claiming("t-0 t-1", 2), B=claiming("t-1", 2)),
            {"A": "t-0", "B": "t-1"},
            {},
        ),
    ],
    ids=["a member joins", "nothing is owned", "two claims of one generation"],
)
def test_what_another_member_owns_is_withheld(snapshot, sent, withheld):
    assert sent_and_withheld(snapshot) == (sent, withheld)


def test_the_last_claimant_counts_as_the_owner_also_with_an_older_generation():
    snapshot = group({"t": 2}, A=claiming("t-0 t-1", 2), B=claiming("t-1", 1))

    assert sent_and_withheld(snapshot) == ({"A": "", "B": ""}, {"A": "t-1", "B": "t-0"})


@pytest.mark.parametrize(
    ("topics", "members", "sent"),
    [
        (
            {"t": 2},
            {"A": claiming("gone-0 t-0 t-7"), "B": claiming("t-1")},
            {"A": "gone-0 t-0 t-7", "B": "t-1"},
        ),
        (
            {"t": 2, "u": 2},
            {"A": claiming("t-0 u-0"), "B": claiming("t-1")},
            {"A": "t-0 u-0", "B": "t-1"},
        ),
    ],
    ids=["what does not exist", "a topic to which nobody subscribes any more"],
)
def test_what_nobody_is_given_goes_back_to_its_owner(topics, members, sent):
    snapshot = group(topics, members)

    assert sent_and_withheld(snapshot) == (sent, {})
    assert rounds(snapshot, ASSIGNOR).is_settled


@pytest.mark.parametrize(
    ("rack", "sent", "withheld"),
    [
        (None, {"A": "t-0", "B": "t-1"}, {"A": "t-2"}),
        ("", {"A": "", "B": "t-1"}, {"A": "t-2", "B": "t-0"}),
    ],
)
def test_an_empty_rack_is_a_rack_that_matches_nothing(rack, sent, withheld):
    members = {"A": claiming("t-0", rack=rack), "B": claiming("t-1 t-2", rack="x")}

    assert sent_and_withheld(group({"t": 3}, members, racks={"t": ["x", "x", "y"]})) == (
        sent,
        withheld,
    )


def test_topics_that_nobody_owns_go_in_reverse_of_the_brokers_order():
    topics = " ".join(f"t{number}" for number in range(6))
    snapshot = group(dict.fromkeys(topics.split(), 1), A=claiming("t0-0", topics=topics), B=topics)

    assert spelled(snapshot, ASSIGNOR.assign(snapshot)) == {
        "A": "t0-0 t2-0 t4-0",
        "B": "t1-0 t3-0 t5-0",
    }


def test_a_member_that_subscribes_to_nothing_is_left_out_with_what_it_owns():
    snapshot = group({"t": 2}, A=claiming("t-0", topics=""), B="t")

    assert sent_and_withheld(snapshot) == ({"A": "", "B": "t-0 t-1"}, {})


@pytest.mark.parametrize(
    "snapshot",
    [
        group({"t": 6}),
        group({"t": 6}, A=""),
        group({"t": 6, "u": 8}, a="t", b=claiming(tps("t-0..5 u-0..7"), topics="t u"), c="t u"),
    ],
    ids=["no members", "no subscriptions", "a partition comes back and moves again"],
)
def test_some_groups_kill_the_leader(snapshot):
    with pytest.raises(AssignorError) as raised:
        ASSIGNOR.assign(snapshot)

    assert raised.value.java_class == "LeaderCrash"


def answer(name, topics, members, racks=None):
    snapshot = group(topics, members, racks=racks)
    return spelled(snapshot, CLIENTS["librdkafka"].assignors[name]().assign(snapshot))


@pytest.mark.parametrize(
    ("name", "topics", "members", "given"),
    [
        (
            "range",
            {"t": 3},
            {"A": Member("t"), "B": Member("t", instance="x")},
            {"A": "t-0 t-1", "B": "t-2"},
        ),
        (
            "range",
            {"t": 3},
            {"c": Member("t", instance="z"), "b": Member("t", instance="a"), "a": Member("t")},
            {"c": "t-2", "b": "t-1", "a": "t-0"},
        ),
        ("range", {"t": 5}, MIXED, {"d": "t-0 t-1", "b": "t-4", "a": "t-2 t-3"}),
        ("roundrobin", {"t": 5}, MIXED, {"d": "t-0 t-3", "b": "t-2", "a": "t-1 t-4"}),
    ],
)
def test_static_members_do_not_come_first(name, topics, members, given):
    assert answer(name, topics, members) == given


def test_roundrobin_skips_members_that_do_not_subscribe_and_answers_a_group_without_members():
    assert answer("roundrobin", {"t": 1, "u": 2, "v": 3}, {"A": "t", "B": "t u", "C": "t u v"}) == {
        "A": "t-0",
        "B": "u-0",
        "C": "u-1 v-0 v-1 v-2",
    }
    assert answer("roundrobin", {"t": 1}, {}) == {}


def test_a_member_without_rack_is_near_all_of_a_single_topic_and_near_nothing_of_joint_topics():
    members = {"A": Member("t u"), "B": Member("t u", rack="x")}

    assert answer("range", {"t": 2, "u": 2}, members, {"t": ["x", "y"], "u": ["x", "x"]}) == {
        "A": "t-1 u-1",
        "B": "t-0 u-0",
    }
    assert answer("range", {"t": 2}, members, {"t": ["x", "y"]}) == {"A": "t-0", "B": "t-1"}


def compared(one, other):
    return (one > other) - (one < other)


@given(strategies.lists(strategies.integers(0, 9)))
def test_it_sorts_and_equal_ones_keep_their_order(numbers):
    pairs = list(enumerate(numbers))

    assert merge_sort(pairs, lambda one, other: compared(one[1], other[1])) == sorted(
        pairs, key=lambda pair: pair[1]
    )


def test_the_halves_of_a_circle_are_merged_as_glibc_merges_them():
    def circle(one, other):
        return 0 if one == other else -1 if (other - one) % 3 == 1 else 1

    # What qsort of glibc 2.36 leaves.
    assert merge_sort([2, 1, 0], circle) == [2, 0, 1]


def test_up_to_four_topics_stand_as_they_are_asked_for():
    assert answered_order([["t3", "t9"], ["t0", "t3"], ["t1"]]) == ["t3", "t9", "t0", "t1"]


def test_from_five_on_they_stand_as_a_scala_set_iterates():
    assert answered_order(
        [["orders", "payments", "returns"], ["Aa", "BB", "AaAa"], ["BBBB", "AaBB", "BBAa"]]
    ) == [
        "payments",
        "returns",
        "orders",
        "Aa",
        "BB",
        "AaAa",
        "BBBB",
        "AaBB",
        "BBAa",
    ]
