"""Small groups and what librdkafka 2.12.1's own code answers."""

import pytest

from evenkeel.assignors import CLIENT_ASSIGNORS
from tests.assignors.groups import Member, group, spelled

MIXED = {"d": Member("t", instance="a"), "b": Member("t"), "a": Member("t", instance="b")}


def answer(name, topics, members, racks=None):
    snapshot = group(topics, members, racks=racks)
    return spelled(snapshot, CLIENT_ASSIGNORS["librdkafka"][name]().assign(snapshot))


@pytest.mark.parametrize(
    ("name", "topics", "members", "given"),
    [
        ("range", {"t": 3}, {"A": Member("t"), "B": Member("t", instance="x")}, {"A": "t-0 t-1", "B": "t-2"}),
        (
            "range",
            {"t": 3},
            {"c": Member("t", instance="z"), "b": Member("t", instance="a"), "a": Member("t")},
            {"c": "t-2", "b": "t-1", "a": "t-0"},
        ),
        ("range", {"t": 5}, MIXED, {"d": "t-0 t-1", "b": "t-4", "a": "t-2 t-3"}),
        ("roundrobin", {"t": 5}, MIXED, {"d": "t-0 t-3", "b": "t-2", "a": "t-1 t-4"}),
    ],
)
def test_static_members_do_not_come_first(name, topics, members, given):
    assert answer(name, topics, members) == given


def test_roundrobin_skips_members_that_do_not_subscribe_and_answers_a_group_without_members():
    assert answer("roundrobin", {"t": 1, "u": 2, "v": 3}, {"A": "t", "B": "t u", "C": "t u v"}) == {
        "A": "t-0",
        "B": "u-0",
        "C": "u-1 v-0 v-1 v-2",
    }
    assert answer("roundrobin", {"t": 1}, {}) == {}


def test_a_member_without_rack_is_near_everything_in_a_topic_of_its_own_and_near_nothing_where_topics_go_together():
    members = {"A": Member("t u"), "B": Member("t u", rack="x")}

    assert answer("range", {"t": 2, "u": 2}, members, {"t": ["x", "y"], "u": ["x", "x"]}) == {"A": "t-1 u-1", "B": "t-0 u-0"}
    assert answer("range", {"t": 2}, members, {"t": ["x", "y"]}) == {"A": "t-0", "B": "t-1"}
