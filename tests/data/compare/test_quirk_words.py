"""Kafka's surprises in words."""

import pytest

from evenkeel.assignors.assignment import REQUEST_ERROR, AssignorError
from evenkeel.data.compare.quirk_words import sentence


@pytest.mark.parametrize(
    ("name", "members", "said"),
    [
        (
            "remainder",
            "a",
            (
                "a has at least two more partitions than other subscribers of t and u: in every"
                " topic the first members get the remainder."
            ),
        ),
        (
            "Q-1",
            "a",
            (
                "a gets partitions of t and u without a replica in its rack, while partitions with"
                " such a replica go to members without a rack: behaviour Q-1 of Kafka's range"
                " assignor."
            ),
        ),
        (
            "Q-1",
            "ab",
            (
                "a and b get partitions of t and u without a replica in their rack, while"
                " partitions with such a replica go to members without a rack: behaviour Q-1 of"
                " Kafka's range assignor."
            ),
        ),
        (
            "Q-2",
            "ab",
            (
                "a and b are served last in t and u, because their rack lacks replicas; Kafka uses"
                " racks for t and u only because another topic needs racks: behaviour Q-2 of"
                " Kafka's range assignor."
            ),
        ),
        (
            "Q-25",
            "ab",
            (
                "a and b have the same group.instance.id, so hash codes decide how they share"
                " the partitions of t and u: behaviour Q-25 of Kafka's range assignor."
            ),
        ),
    ],
)
def test_one_member_and_several_are_said_as_such(name, members, said):
    assert sentence("range", name, list(members), ["t", "u"]) == said


@pytest.mark.parametrize(
    ("assignor", "whose"),
    [
        ("sticky", "Kafka's sticky assignors"),
        ("cooperative-sticky", "Kafka's sticky assignors"),
        ("roundrobin", "Kafka's roundrobin assignor"),
        ("uniform", "Kafka's broker"),
        ("lag", "the lag-based assignor"),
    ],
)
def test_it_is_said_whose_behaviour_it_is(assignor, whose):
    assert (
        sentence(assignor, "Q-5", ["a"], ["t"])
        == f"a gets partitions of t, to which it never subscribed: behaviour Q-5 of {whose}."
    )


@pytest.mark.parametrize(
    ("thrown", "outcome"),
    [
        ("NullPointerException", "Kafka's leader fails with this exception at every rebalance"),
        (REQUEST_ERROR, "Kafka's leader does not finish a rebalance"),
    ],
)
def test_where_there_is_no_answer_nobody_gets_anything(thrown, outcome):
    said = sentence("sticky", "Q-6", ["a"], ["t"], AssignorError(thrown, "why"))

    assert (
        said
        == f"a claims partitions of t that do not exist: {outcome} until the claim is gone (restart"
        " a). Behaviour Q-6 of Kafka's sticky assignors."
    )
