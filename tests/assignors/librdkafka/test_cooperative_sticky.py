"""Small groups and what librdkafka 2.12.1's own code sends, and what it withholds."""

import pytest

from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.librdkafka.cooperative_sticky.assignor import LibrdkafkaCooperativeStickyAssignor
from evenkeel.assignors.rounds.classic import rounds
from tests.assignors.groups import Member, group, spelled, tps

ASSIGNOR = LibrdkafkaCooperativeStickyAssignor()


def sent_and_withheld(snapshot):
    answer = ASSIGNOR.assign(snapshot)
    later = Assignment(answer.owner * 0 - 1, withheld=answer.withheld).handed_out()
    return spelled(snapshot, answer), {member: given for member, given in spelled(snapshot, later).items() if given}


def claiming(owned, generation=1, topics="t", **more):
    return Member(topics, owned=owned, generation=generation, **more)


@pytest.mark.parametrize(
    ("snapshot", "sent", "withheld"),
    [
        (group({"t": 3}, A=claiming("t-0 t-1 t-2"), B="t"), {"A": "t-1 t-2", "B": ""}, {"B": "t-0"}),
        (group({"t": 2, "u": 2}, A="t u", B="t u", C="u"), {"A": "t-0 u-1", "B": "t-1", "C": "u-0"}, {}),
        (group({"t": 2}, A=claiming("t-0 t-1", 2), B=claiming("t-1", 2)), {"A": "t-0", "B": "t-1"}, {}),
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
        ({"t": 2}, {"A": claiming("gone-0 t-0 t-7"), "B": claiming("t-1")}, {"A": "gone-0 t-0 t-7", "B": "t-1"}),
        ({"t": 2, "u": 2}, {"A": claiming("t-0 u-0"), "B": claiming("t-1")}, {"A": "t-0 u-0", "B": "t-1"}),
    ],
    ids=["what does not exist", "a topic to which nobody subscribes any more"],
)
def test_what_nobody_is_given_goes_back_to_its_owner(topics, members, sent):
    snapshot = group(topics, members)

    assert sent_and_withheld(snapshot) == (sent, {})
    assert rounds(snapshot, ASSIGNOR).is_settled


@pytest.mark.parametrize(
    ("rack", "sent", "withheld"),
    [(None, {"A": "t-0", "B": "t-1"}, {"A": "t-2"}), ("", {"A": "", "B": "t-1"}, {"A": "t-2", "B": "t-0"})],
)
def test_an_empty_rack_is_a_rack_that_matches_nothing(rack, sent, withheld):
    members = {"A": claiming("t-0", rack=rack), "B": claiming("t-1 t-2", rack="x")}

    assert sent_and_withheld(group({"t": 3}, members, racks={"t": ["x", "x", "y"]})) == (sent, withheld)


def test_topics_that_nobody_owns_go_in_reverse_of_the_brokers_order():
    topics = " ".join(f"t{number}" for number in range(6))
    snapshot = group({name: 1 for name in topics.split()}, A=claiming("t0-0", topics=topics), B=topics)

    assert spelled(snapshot, ASSIGNOR.assign(snapshot)) == {"A": "t0-0 t2-0 t4-0", "B": "t1-0 t3-0 t5-0"}


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
