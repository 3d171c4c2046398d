"""What is said of an answer beside its figures, and inputs that are unknown or that no assignor can
use.
"""

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.compare.facts import (
    MEMBER_RACKS,
    REPLICA_RACKS,
    Sharing,
    input_faults,
    missing_racks,
    order_decides,
    rack_effect,
    sharing,
)
from tests.assignors.groups import Member, assignment, group


def effect(snapshot, name):
    assignor = ASSIGNORS[name]()
    return rack_effect(snapshot, assignor, assignor.assign(snapshot))


@pytest.mark.parametrize("name", ["range", "sticky", "cooperative-sticky"])
def test_partitions_that_racks_turn_round_are_counted(name):
    members = {"A": Member("t", rack="a"), "B": Member("t", rack="b")}
    snapshot = group({"t": 2}, members, racks={"t": ["b", "a"]})

    # A gets t-0 and B t-1 without racks, A t-1 and B t-0 with them.
    assert effect(snapshot, name) == 2


def test_range_counts_the_one_partition_that_goes_to_its_rack():
    members = {"A": Member("t", rack="a"), "B": Member("t", rack="b")}

    # A gets t-0 and t-1 without racks, B t-0 and t-2 with them.
    assert effect(group({"t": 3}, members, racks={"t": ["b", "a", "b"]}), "range") == 1


@pytest.mark.parametrize("name", ["roundrobin", "lag", "uniform", "broker-range"])
def test_assignors_that_do_not_look_at_racks_have_none(name):
    members = {"A": Member("t", rack="a"), "B": Member("t", rack="b")}

    assert effect(group({"t": 2}, members, racks={"t": ["b", "a"]}), name) == 0


def test_racks_that_are_the_same_everywhere_decide_nothing():
    members = {"A": Member("t", rack="a"), "B": Member("t", rack="b")}

    assert effect(group({"t": 2}, members, racks={"t": ["a b", "a b"]}), "range") == 0


def test_readers_of_shared_partitions_are_counted():
    snapshot = group({"t": 3}, A="t", B="t", C="t", D="t")

    assert sharing(
        snapshot, assignment(snapshot, A="t-0", B="t-0 t-1", C="t-1", D="t-2")
    ) == Sharing(3, 2)
    assert sharing(snapshot, assignment(snapshot, A="t-0", B="t-1", C="t-2")) is None


def test_a_partition_beyond_its_topic_is_nobody_elses():
    snapshot = group({"t": 1}, A="t", B="t")

    assert sharing(snapshot, assignment(snapshot, A="t-0 t-5")) is None


def decides(snapshot, name):
    assignor = ASSIGNORS[name]()
    return order_decides(snapshot, assignor, assignor.assign(snapshot))


def test_the_order_of_members_decides_where_their_ids_share_a_bucket():
    # Java's hash codes of "Aa" and "BB" are the same; "A" and "B" are neighbours.
    topics, ids = {"t": 3}, {"t": (1, 1)}

    assert decides(group(topics, {"Aa": Member("t"), "BB": Member("t")}, ids=ids), "uniform")
    assert not decides(group(topics, A="t", B="t", ids=ids), "uniform")


@pytest.mark.parametrize("name", ["range", "roundrobin", "lag", "broker-range"])
def test_it_never_decides_where_members_are_sorted(name):
    assert not decides(group({"t": 3}, {"Aa": Member("t"), "BB": Member("t")}), name)


def test_one_half_of_the_racks_says_which_is_missing():
    with_members = group({"t": 2}, A=Member("t", rack="a"))
    with_replicas = group({"t": 2}, A="t", racks={"t": ["a", "b"]})

    assert [
        missing_racks(each, ASSIGNORS["range"]())
        for each in (with_members, with_replicas, group({"t": 2}, A="t"))
    ] == [
        REPLICA_RACKS,
        MEMBER_RACKS,
        None,
    ]
    assert missing_racks(with_members, ASSIGNORS["roundrobin"]()) is None


def found(snapshot):
    return {
        name: rows.tolist() for name, rows in input_faults(snapshot)._asdict().items() if rows.size
    }


def test_a_group_that_fits_together_has_none():
    assert found(group({"t": 2}, A=Member("t", owned="t-0"), B=Member("t", owned="t-1"))) == {}


def test_topics_without_subscriber_and_subscriptions_without_topic():
    # Topics by name: ghost, lonely, t, void; void has no partitions.
    assert found(group({"t": 2, "lonely": 3, "void": 0}, A="t", B="t ghost")) == {
        "unread": [1],
        "missing": [[0, 1]],
    }


def test_claims_beyond_a_topic_and_claims_of_two():
    snapshot = group(
        {"t": 4},
        A=Member("t", owned="t-0 t-1 t-7"),
        B=Member("t", owned="t-1 t-2"),
        C=Member("t", owned="t-1 u-0"),
    )

    assert found(snapshot) == {
        "beyond": [[0, 0, 7], [2, 1, 0]],
        "contested": [[1, 0], [1, 1], [1, 2]],
    }


def test_one_member_that_claims_a_partition_twice_is_alone():
    assert found(group({"t": 1}, A=Member("t", owned="t-0 t-0"))) == {}
