"""Inputs that decide an answer and are unknown, and inputs that no assignor can use."""

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.explain.facts import MEMBER_RACKS, REPLICA_RACKS, input_faults, missing_racks, order_decides
from tests.assignors.groups import Member, group


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

    assert [missing_racks(each, ASSIGNORS["range"]()) for each in (with_members, with_replicas, group({"t": 2}, A="t"))] == [
        REPLICA_RACKS,
        MEMBER_RACKS,
        None,
    ]
    assert missing_racks(with_members, ASSIGNORS["roundrobin"]()) is None


def found(snapshot):
    return {name: rows.tolist() for name, rows in input_faults(snapshot)._asdict().items() if rows.size}


def test_a_group_that_fits_together_has_none():
    assert found(group({"t": 2}, A=Member("t", owned="t-0"), B=Member("t", owned="t-1"))) == {}


def test_topics_without_subscriber_and_subscriptions_without_topic():
    # Topics by name: ghost, lonely, t, void; void has no partitions.
    assert found(group({"t": 2, "lonely": 3, "void": 0}, A="t", B="t ghost")) == {"unread": [1], "missing": [[0, 1]]}


def test_claims_beyond_a_topic_and_claims_of_two():
    snapshot = group({"t": 4}, A=Member("t", owned="t-0 t-1 t-7"), B=Member("t", owned="t-1 t-2"), C=Member("t", owned="t-1 u-0"))

    assert found(snapshot) == {"beyond": [[0, 0, 7], [2, 1, 0]], "contested": [[1, 0], [1, 1], [1, 2]]}


def test_one_member_that_claims_a_partition_twice_is_alone():
    assert found(group({"t": 1}, A=Member("t", owned="t-0 t-0"))) == {}
