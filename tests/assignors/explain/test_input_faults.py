"""What the input says and no assignor can act on."""

from evenkeel.assignors.explain.input_faults import input_faults
from tests.assignors.groups import Member, group


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
