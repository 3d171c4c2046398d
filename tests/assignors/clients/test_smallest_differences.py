"""The smallest groups on which another client's own code answers otherwise than Java's (seen with
the releases of tests/recorded/clients).
"""

import pytest

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.assignment import AssignorError
from tests.assignors.groups import Member, group, spelled

TWO = group({"t": 1}, A="t", B="t")
STATIC_LAST = group({"t": 1}, A="t", B=Member("t", "i"))
RACKS = group({"t": 2}, A=Member("t", rack="x"), B=Member("t", rack="x"), racks={"t": ["y", "x"]})
ALTERNATING = group({"t": 3}, C="t", A=Member("t", "i"), B="t")
ONE_EACH = group({"t": 1, "u": 1}, A="t u", B="t u")
UNASKED = group({"t": 1, "u": 1}, A="t u", B="t")
TEXT = group({"t": 11}, A="t", B="t")
TAKEN_FROM_B = group({"t": 3}, B=Member("t", owned="t-0", generation=1), A="t")
OWNS_ONE = group({"t": 4}, A=Member("t", owned="t-0", generation=1), B="t")
KEEPS_LAST = group({"t": 2}, B=Member("t", owned="t-0 t-1", generation=1), A="t")


@pytest.mark.parametrize(
    ("client", "name", "snapshot", "theirs", "java"),
    [
        ("franz-go", "range", RACKS, {"A": "t-0", "B": "t-1"}, {"A": "t-1", "B": "t-0"}),
        ("aiokafka", "range", STATIC_LAST, {"A": "t-0", "B": ""}, {"A": "", "B": "t-0"}),
        ("sarama", "range", STATIC_LAST, {"A": "t-0", "B": ""}, {"A": "", "B": "t-0"}),
        ("franz-go", "sticky", STATIC_LAST, {"A": "", "B": "t-0"}, {"A": "t-0", "B": ""}),
        ("kafka-go", "range", TWO, {"A": "", "B": "t-0"}, {"A": "t-0", "B": ""}),
        (
            "kafka-python",
            "range",
            ALTERNATING,
            {"A": "t-0 t-1", "B": "t-2", "C": ""},
            {"A": "t-0", "B": "t-1", "C": "t-2"},
        ),
        ("kafka-go", "roundrobin", ONE_EACH, {"A": "t-0 u-0", "B": ""}, {"A": "t-0", "B": "u-0"}),
        ("kafkajs", "roundrobin", UNASKED, {"A": "t-0", "B": "u-0"}, {"A": "t-0 u-0", "B": ""}),
        (
            "platformatic",
            "roundrobin",
            UNASKED,
            {"A": "t-0", "B": "u-0"},
            {"A": "t-0 u-0", "B": ""},
        ),
        (
            "platformatic",
            "roundrobin",
            group({"t": 1}, B="t", A="t"),
            {"A": "", "B": "t-0"},
            {"A": "t-0", "B": ""},
        ),
        (
            "sarama",
            "roundrobin",
            TEXT,
            {"A": "t-0 t-10 t-3 t-5 t-7 t-9", "B": "t-1 t-2 t-4 t-6 t-8"},
            {"A": "t-0 t-2 t-4 t-6 t-8 t-10", "B": "t-1 t-3 t-5 t-7 t-9"},
        ),
        (
            "kafka-python",
            "sticky",
            TAKEN_FROM_B,
            {"A": "t-1 t-2", "B": "t-0"},
            {"A": "t-1", "B": "t-0 t-2"},
        ),
        (
            "aiokafka",
            "sticky",
            TAKEN_FROM_B,
            {"A": "t-1 t-2", "B": "t-0"},
            {"A": "t-1", "B": "t-0 t-2"},
        ),
        (
            "kafka-python",
            "sticky",
            OWNS_ONE,
            {"A": "t-0 t-2", "B": "t-1 t-3"},
            {"A": "t-0 t-1", "B": "t-2 t-3"},
        ),
        (
            "franz-go",
            "sticky",
            OWNS_ONE,
            {"A": "t-0 t-3", "B": "t-1 t-2"},
            {"A": "t-0 t-1", "B": "t-2 t-3"},
        ),
        (
            "platformatic",
            "cooperative-sticky",
            KEEPS_LAST,
            {"A": "", "B": "t-1"},
            {"A": "", "B": "t-0"},
        ),
    ],
)
def test_another_client_answers_otherwise_than_java(client, name, snapshot, theirs, java):
    ours = {
        each: spelled(snapshot, CLIENTS[each].assignors[name]().assign(snapshot))
        for each in (client, "java")
    }

    assert {
        each: {member: set(tps.split()) for member, tps in held.items()}
        for each, held in ours.items()
    } == {
        client: {member: set(tps.split()) for member, tps in theirs.items()},
        "java": {member: set(tps.split()) for member, tps in java.items()},
    }


def test_kafka_python_fails_where_it_is_the_turn_of_a_member_that_does_not_subscribe():
    with pytest.raises(
        AssignorError, match="it is the turn of A, which does not subscribe to t"
    ) as raised:
        CLIENTS["kafka-python"].assignors["roundrobin"]().assign(
            group({"t": 1, "u": 1}, A="u", B="t u")
        )

    assert raised.value.java_class == "KeyError"


@pytest.mark.parametrize(
    ("client", "name", "snapshot", "assumed"),
    [
        ("kafkajs", "roundrobin", UNASKED, ["leader's subscription"]),
        ("kafkajs", "roundrobin", ONE_EACH, []),
        ("platformatic", "cooperative-sticky", UNASKED, ["leader's subscription"]),
        ("franz-go", "sticky", group({"t": 2, "u": 1}, A="t u", B="t u"), ["order of Go maps"]),
        ("franz-go", "sticky", TWO, []),
    ],
)
def test_an_answer_says_whether_it_is_one_of_several(client, name, snapshot, assumed):
    answer = CLIENTS[client].assignors[name]().assign(snapshot)

    assert [one.column for one in answer.assumed] == assumed


def test_franz_go_with_differing_subscriptions_is_no_function_of_the_inputs():
    with pytest.raises(
        AssignorError, match="cooperative-sticky of franz-go is not a function of the inputs"
    ):
        CLIENTS["franz-go"].assignors["cooperative-sticky"]().assign(
            group({"t": 1, "u": 1}, A="t", B="t u")
        )
