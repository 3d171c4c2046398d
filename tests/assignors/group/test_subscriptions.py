"""The distinct sets of subscribers."""

from dataclasses import replace

from hypothesis import given

from tests.assignors.groups import Member, group
from tests.generated.groups import groups


def test_topics_with_the_same_subscribers_share_one_set_of_members_in_member_info_order():
    snapshot = group(
        {"t0": 1, "t1": 1, "t2": 0, "t3": 1},
        B="t0 t1 t1 t2",
        A="t0 t1 t2",
        C=Member("t0 t1", instance="i"),
    )

    sets = [snapshot.subscribers.of_topic(topic).tolist() for topic in range(4)]

    assert sets == [[2, 1, 0], [2, 1, 0], [1, 0], []]
    assert snapshot.subscribers.set_of_topic.tolist() == [1, 1, 2, 0]
    assert snapshot.subscribers_by_id.of_topic(0).tolist() == [1, 0, 2]


def test_a_list_that_no_member_has_any_more_subscribes_to_nothing():
    snapshot = group({"t0": 1, "t1": 1}, A="t0", B="t0 t1")

    without_b = replace(
        snapshot, member_id=("A",), instance_id=(None,), subscription=snapshot.subscription[:1]
    )

    assert without_b.subscribers.set_of_topic.tolist() == [1, 0]
    assert without_b.subscribers.of_topic(1).tolist() == []


@given(groups())
def test_a_topics_subscribers_are_the_members_that_name_it(snapshot):
    lists = [set(snapshot.topic_lists[row].tolist()) for row in snapshot.subscription]

    for topic in range(snapshot.topic_count):
        expected = [row for row in snapshot.member_order.rows.tolist() if topic in lists[row]]
        assert snapshot.subscribers.of_topic(topic).tolist() == expected
        assert sorted(snapshot.subscribers_by_id.of_topic(topic).tolist()) == sorted(expected)
