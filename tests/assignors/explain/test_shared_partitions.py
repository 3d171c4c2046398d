"""Who reads what another member reads too."""

from evenkeel.assignors.explain.shared_partitions import Sharing, sharing
from tests.assignors.groups import assignment, group


def test_readers_of_shared_partitions_are_counted():
    snapshot = group({"t": 3}, A="t", B="t", C="t", D="t")

    assert sharing(snapshot, assignment(snapshot, A="t-0", B="t-0 t-1", C="t-1", D="t-2")) == Sharing(3, 2)
    assert sharing(snapshot, assignment(snapshot, A="t-0", B="t-1", C="t-2")) is None


def test_a_partition_beyond_its_topic_is_nobody_elses():
    snapshot = group({"t": 1}, A="t", B="t")

    assert sharing(snapshot, assignment(snapshot, A="t-0 t-5")) is None
