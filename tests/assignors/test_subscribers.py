import numpy as np
from hypothesis import given

from assignors.topic_runs import topic_runs
from tests.assignors.groups import Member, group
from tests.assignors.strategies import groups


def test_topics_with_the_same_subscribers_share_one_set_with_each_member_once_in_member_info_order():
    snapshot = group({"t0": 1, "t1": 1, "t2": 0, "t3": 1}, B="t0 t1 t1 t2", A="t0 t1 t2", C=Member("t0 t1", instance="i"))

    sets = [snapshot.subscribers.of_topic(topic).tolist() for topic in range(4)]

    assert sets == [[2, 1, 0], [2, 1, 0], [1, 0], []]
    assert snapshot.subscribers.set_of_topic.tolist() == [1, 1, 2, 0]
    assert snapshot.subscribers_by_id.of_topic(0).tolist() == [1, 0, 2]


@given(groups())
def test_a_topics_subscribers_are_the_members_that_name_it(snapshot):
    lists = [set(snapshot.topic_lists[row].tolist()) for row in snapshot.subscription]

    for topic in range(snapshot.topic_count):
        expected = [row for row in snapshot.member_order.rows.tolist() if topic in lists[row]]
        assert snapshot.subscribers.of_topic(topic).tolist() == expected
        assert sorted(snapshot.subscribers_by_id.of_topic(topic).tolist()) == sorted(expected)


@given(groups())
def test_runs_cover_every_partition_once_and_hold_equal_topics(snapshot):
    runs = list(topic_runs(snapshot, snapshot.subscribers.set_of_topic, snapshot.partition_count))

    covered = [tp for _, tps in runs for tp in range(tps.start, tps.stop)]
    assert covered == list(range(snapshot.tp_count))
    for topic, tps in runs:
        inside = snapshot.tp_topic[tps]
        assert inside[0] == topic
        assert np.unique(snapshot.partition_count[inside]).size == 1
        assert np.unique(snapshot.subscribers.set_of_topic[inside]).size == 1
