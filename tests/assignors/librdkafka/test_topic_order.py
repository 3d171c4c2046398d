"""The order of topics in a broker's answer."""

from evenkeel.assignors.librdkafka.topic_order import answered_order


def test_up_to_four_topics_stand_as_they_are_asked_for():
    assert answered_order([["t3", "t9"], ["t0", "t3"], ["t1"]]) == ["t3", "t9", "t0", "t1"]


def test_from_five_on_they_stand_as_a_scala_set_iterates():
    assert answered_order([["orders", "payments", "returns"], ["Aa", "BB", "AaAa"], ["BBBB", "AaBB", "BBAa"]]) == [
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
