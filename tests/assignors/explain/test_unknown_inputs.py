"""Inputs that decide and that a listing does not print."""

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.explain.unknown_inputs import MEMBER_RACKS, REPLICA_RACKS, missing_racks, order_decides
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
