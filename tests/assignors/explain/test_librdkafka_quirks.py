"""Which behaviours of librdkafka strike, and whom."""

import pytest

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.explain.quirks import quirks
from tests.assignors.groups import Member, group

RACKS = {"t": ["x", "x", "y"]}


def struck(name, snapshot):
    assignor = CLIENTS["librdkafka"].assignors[name]()
    found = quirks(snapshot, assignor, assignor.assign(snapshot))
    return {each.name: {snapshot.member_id[member] for member in each.member} for each in found}


def test_a_static_member_behind_a_dynamic_one_is_named():
    assert struck("range", group({"t": 3}, A="t", B=Member("t", instance="x"))) == {"Q-39": {"B"}}
    assert struck("range", group({"t": 3}, A="t", B="t")) == {}


@pytest.mark.parametrize(("rack", "quirk"), [("", "Q-34"), ("y", "Q-34")])
def test_a_member_that_owns_what_is_in_no_rack_of_its_own_is_named(rack, quirk):
    snapshot = group({"t": 3}, A=Member("t", owned="t-0", rack=rack), B=Member("t", owned="t-1", rack="x"), racks=RACKS)

    assert struck("cooperative-sticky", snapshot) == {quirk: {"A"}}


def test_a_member_without_rack_is_near_everything():
    assert struck("cooperative-sticky", group({"t": 3}, A=Member("t", owned="t-0"), B=Member("t", rack="x"), racks=RACKS)) == {}


def test_a_member_that_keeps_what_nobody_is_given_is_named():
    assert struck("cooperative-sticky", group({"t": 2, "u": 1}, A=Member("t", owned="u-0"), B="t")) == {"Q-35": {"A"}}
