"""Partitions of live groups, from what the answers about each group say."""

import pytest

from evenkeel.data.group.document import Partition
from evenkeel.data.live.reading.documents import Partitions, is_known, known_places, named_numbers
from evenkeel.data.live.reading.offsets import Ends, GroupOffsets
from evenkeel.data.live.reading.topics import LiveTopic

_SEEN = {"orders": LiveTopic("id", [[None], ["a"], [None]], [1, 1, 1])}
_ENDS = Ends(
    {("orders", number): number for number in range(3)},
    {("orders", number): 10 + number for number in range(3)},
    {},
)


@pytest.fixture
def partitions():
    """The topic orders: partitions 0 to 2 from 0, 1, 2 to 10, 11, 12; the second has a replica in
    rack a.
    """
    return Partitions(_SEEN, _ENDS)


def _of(partitions, commits):
    return partitions.of("orders", named_numbers(commits).get("orders", ()), commits)


def test_where_the_rest_of_a_topic_has_no_commit_its_ends_are_told_with_those_that_are_committed(
    partitions,
):
    found = _of(partitions, GroupOffsets({("orders", 2): 7}, {}, whole={"orders"}))

    assert found == [Partition(0, 10), Partition(1, 11, racks=["a"]), Partition(2, 12, 7)]


def test_where_a_commit_is_unknown_the_end_is_left_out(partitions):
    assert _of(partitions, GroupOffsets({}, {})) == [
        Partition(0),
        Partition(1, racks=["a"]),
        Partition(2),
    ]
    refused = GroupOffsets({}, {("orders", 1): "UNSTABLE_OFFSET_COMMIT"}, whole={"orders"})
    assert _of(partitions, refused) == [
        Partition(0, 10),
        Partition(1, racks=["a"]),
        Partition(2, 12),
    ]


def test_a_lag_that_the_broker_reports_stands_in_place_of_offsets(partitions):
    assert _of(partitions, GroupOffsets({("orders", 1): 4}, {}, {("orders", 1): 6}))[
        1
    ] == Partition(lag=6, racks=["a"])


def test_a_commit_beyond_the_size_of_its_topic_is_left_out(partitions):
    assert _of(partitions, GroupOffsets({("orders", 3): 4}, {}, whole={"orders"})) == [
        Partition(0, 10),
        Partition(1, 11, racks=["a"]),
        Partition(2, 12),
    ]


def test_one_group_changes_nothing_of_the_next(partitions):
    _of(partitions, GroupOffsets({("orders", 0): 7}, {}, whole={"orders"}))

    assert _of(partitions, GroupOffsets({("orders", 2): 8}, {}, whole={"orders"}))[0] == Partition(
        0, 10
    )


def test_known_is_what_is_committed_or_said_not_to_be():
    refused = GroupOffsets(
        {("orders", 0): 7, ("gone", 5): 1},
        {("orders", 1): "UNSTABLE_OFFSET_COMMIT"},
        whole={"orders"},
    )

    assert known_places([refused], _SEEN) == {("orders", 0), ("orders", 2), ("gone", 5)}
    assert [number for number in range(4) if is_known(("orders", number), refused, _SEEN)] == [0, 2]
    assert known_places([refused, GroupOffsets({}, {}, whole={"orders"})], _SEEN) == {
        ("gone", 5),
        *(("orders", number) for number in range(3)),
    }
