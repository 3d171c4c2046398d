"""What is said of an answer beside its figures."""

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.explain.facts import Sharing, rack_effect, sharing
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

    assert sharing(snapshot, assignment(snapshot, A="t-0", B="t-0 t-1", C="t-1", D="t-2")) == Sharing(3, 2)
    assert sharing(snapshot, assignment(snapshot, A="t-0", B="t-1", C="t-2")) is None


def test_a_partition_beyond_its_topic_is_nobody_elses():
    snapshot = group({"t": 1}, A="t", B="t")

    assert sharing(snapshot, assignment(snapshot, A="t-0 t-5")) is None
