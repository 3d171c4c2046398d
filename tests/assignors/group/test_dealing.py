"""Runs of equal topics."""

import numpy as np
from hypothesis import given

from evenkeel.assignors.group.dealing.ranges import topic_runs
from tests.generated.groups import groups


@given(groups())
def test_runs_cover_every_partition_once_and_hold_equal_topics(snapshot):
    runs = list(topic_runs(snapshot, snapshot.subscribers.set_of_topic, snapshot.partition_count))

    covered = [tp for _, tps in runs for tp in range(tps.start, tps.stop)]
    assert covered == list(range(snapshot.tp_count))
    for topics, tps in runs:
        inside = snapshot.tp_topic[tps]
        assert np.unique(inside).tolist() == topics.tolist()
        assert np.unique(snapshot.partition_count[inside]).size == 1
        assert np.unique(snapshot.subscribers.set_of_topic[inside]).size == 1
