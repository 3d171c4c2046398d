"""Topics of a group from the rows of its tables: which, their sizes, racks and lags."""

import pytest

from evenkeel.assignors.group import UNKNOWN
from tests.data.group.columns.listings import observed, tp


def test_a_members_listing_alone_tells_topics_and_their_least_size():
    group = observed(
        (),
        [
            {"member_id": "M1", "owned": [{"topic": "a", "partitions": [4]}]},
            {"member_id": "M2", "owned": []},
        ],
    )

    assert group.snapshot.topic_name == ("a",)
    assert group.snapshot.partition_count.tolist() == [5]
    assert group.assumed == ("members[*].subscribed", "topics[0].partitions")


def test_the_size_of_a_topic_is_what_the_topics_say():
    described = [
        {"topic": "a", "topic_id": "LkLS-N4OSSK11RYzgIc1Eg", "partition_count": 4},
        {"topic": "other", "partition_count": 9},
    ]

    group = observed([tp("a", 0, "M1"), tp("b", 1, "M1")], (), described)

    assert group.snapshot.topic_name == ("a", "b")
    assert group.snapshot.partition_count.tolist() == [4, 2]
    assert group.assumed == ("members", "members[*].subscribed", "topics[1].partitions")
    assert group.snapshot.topic_id_known.tolist() == [True, False]


def test_a_topic_that_has_grown_since_the_topics_were_listed_keeps_its_partitions():
    group = observed([tp("a", 4, "M1")], (), [{"topic": "a", "partition_count": 4}])

    assert group.snapshot.partition_count.tolist() == [5]
    assert "topics[0].partitions" in group.assumed


def test_racks_of_replicas_come_from_the_topics():
    group = observed(
        [tp("a", 0, "M1")],
        (),
        [
            {"topic": "a", "partition_count": 2},
            {"topic": "a", "partition": 1, "racks": ["r1", None]},
        ],
    )

    assert group.snapshot.replica_start.tolist() == [0, 0, 2]
    assert group.snapshot.replica_rack.tolist() == [0, -1]


def test_topics_alone_are_a_group_without_members():
    group = observed(
        (),
        (),
        [{"topic": "b", "partition_count": 2}, {"topic": "a", "partition_count": 3}],
        group_id=None,
    )

    assert (group.snapshot.topic_name, group.snapshot.partition_count.tolist(), group.level) == (
        ("a", "b"),
        [3, 2],
        0,
    )
    assert group.assumed == ("members",)


def test_topics_that_nobody_mentions_are_not_of_a_group_that_has_members():
    group = observed(
        (), [{"member_id": "idle", "owned": []}], [{"topic": "a", "partition_count": 3}]
    )

    assert group.snapshot.topic_name == ()


@pytest.mark.parametrize(
    ("row", "begin", "end", "committed", "given"),
    [
        (
            {"committed_offset": 5, "end_offset": 9, "begin_offset": 7, "listed_lag": 4},
            7,
            9,
            5,
            UNKNOWN,
        ),
        ({"committed_offset": 12, "end_offset": 9, "listed_lag": -3}, UNKNOWN, 9, 12, UNKNOWN),
        ({"end_offset": 9}, UNKNOWN, 9, UNKNOWN, UNKNOWN),
        ({"listed_lag": 4}, UNKNOWN, UNKNOWN, UNKNOWN, 4),
        ({"listed_lag": -4}, UNKNOWN, UNKNOWN, UNKNOWN, 0),
        ({"listed_lag": 4, "end_offset": 9, "begin_offset": 1}, 1, 9, UNKNOWN, 4),
        ({"listed_lag": 4, "committed_offset": 5}, UNKNOWN, UNKNOWN, 5, 4),
        ({}, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN),
    ],
)
def test_the_printed_lag_counts_where_the_offsets_do_not_say_it(row, begin, end, committed, given):
    snapshot = observed([tp("a", 0, **row)]).snapshot

    assert (
        snapshot.begin_offset[0],
        snapshot.end_offset[0],
        snapshot.committed_offset[0],
        snapshot.given_lag[0],
    ) == (
        begin,
        end,
        committed,
        given,
    )
