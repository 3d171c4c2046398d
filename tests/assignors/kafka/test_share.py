"""Simple where one owner for each partition is not enough, and where unknown inputs make a
difference; answers from Kafka 4.3.1.
"""

import pytest

from evenkeel.assignors.kafka.share import SimpleAssignor
from tests.assignors.groups import Member, group, spelled


def answer(topics, members, **options):
    snapshot = group(topics, members, **options)
    return spelled(snapshot, SimpleAssignor().assign(snapshot))


def assumed(topics, members, **options):
    return {
        column: rows.tolist()
        for column, rows in SimpleAssignor().assign(group(topics, members, **options)).assumed
    }


def owning(topics, **owned):
    return {name: Member(topics, owned=tps) for name, tps in owned.items()}


def test_every_partition_goes_to_several_members_where_there_are_more_members():
    assert answer({"t0": 2}, owning("t0", A="", B="", C="", D="")) == {
        "A": "t0-1",
        "B": "t0-1",
        "C": "t0-0",
        "D": "t0-0",
    }


def test_members_with_different_subscriptions_keep_a_topic_that_nobody_subscribes_to():
    members = {
        "A": Member("t0", owned="t1-0 t1-1 gone-3"),
        "B": Member("t0", owned="t1-1"),
        "C": Member(""),
    }

    assert answer({"t0": 2, "t1": 2}, members) == {
        "A": "gone-3 t0-0 t1-0 t1-1",
        "B": "t0-1 t1-1",
        "C": "",
    }


def test_members_give_back_the_first_of_what_they_have_too_much_of():
    assert answer({"t0": 3}, owning("t0", A="t0-0 t0-1 t0-2", B="t0-1 t0-2")) == {
        "A": "t0-0 t0-1",
        "B": "t0-2",
    }


def test_partitions_beyond_their_topics_size_are_shared_like_others():
    assert answer({"t0": 2}, owning("t0", A="t0-0 t0-5 t0-6 t0-7", B="", C="")) == {
        "A": "t0-6 t0-7",
        "B": "t0-5",
        "C": "t0-5",
    }


def test_it_is_known_from_4_2_0():
    assert SimpleAssignor(kafka_version="4.2.0").kafka_version == "4.2.0"
    with pytest.raises(ValueError, match="simple: unknown for Kafka 4.1.2, known since 4.2.0"):
        SimpleAssignor(kafka_version="4.1.2")


def test_unknown_topic_ids_are_named_if_subscriptions_are_equal_and_partitions_are_dealt():
    assert assumed({"t0": 4}, owning("t0", A="", B="")) == {"topic_id": [0]}
    assert assumed({"t0": 4}, owning("t0", A="t0-0 t0-1 t0-2 t0-3", B="")) == {"topic_id": [0]}
    assert assumed({"t0": 4}, owning("t0", A="", B=""), ids={"t0": (1, 2)}) == {}


def test_unknown_topic_ids_are_not_named_where_they_cannot_matter():
    assert assumed({"t0": 4}, owning("t0", A="t0-0 t0-1", B="t0-2 t0-3")) == {}
    assert assumed({"t0": 4, "t1": 3}, owning("t0 t1", A="")) == {}
    assert assumed({"t0": 4, "t1": 3}, {"A": Member("t0 t1"), "B": Member("t0")}) == {}
