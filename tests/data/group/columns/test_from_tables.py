import time
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pytest

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import UNKNOWN
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import GroupKey, group_keys, observed_from_tables
from evenkeel.data.group.tables import schemas
from tests.data.group.columns.listings import members, observed, offsets, topics, tp
from tests.data.group.columns.observed import owned

EARLIER, LATER = datetime(2026, 11, 20, 8, tzinfo=UTC), datetime(2026, 11, 20, 9, tzinfo=UTC)


def test_a_listing_of_owners_gives_members_in_the_order_of_their_first_line():
    group = observed(
        [
            tp("b", 0, "M2", client_id="c2", host="/h2"),
            tp("a", 0, "M1"),
            tp("a", 1, "M2"),
            tp("a", 2),
        ]
    )

    assert group.snapshot.member_id == ("M2", "M1")
    assert (group.client_id, group.host) == (("c2", None), ("/h2", None))
    assert owned(group) == {"M2": [("a", 1), ("b", 0)], "M1": [("a", 0)]}
    assert group.current.owner.tolist() == [1, 0, UNASSIGNED, 0]


def test_what_a_listing_of_owners_leaves_open_is_assumed():
    group = observed([tp("b", 0, "M1"), tp("a", 2, "M2")])

    assert group.assumed == (
        "members",
        "members[*].subscribed",
        "topics[0].partitions",
        "topics[1].partitions",
    )
    assert group.level == 2
    assert group.snapshot.partition_count.tolist() == [3, 1]
    assert [rows.tolist() for rows in group.snapshot.topic_lists] == [[0, 1]]


def test_an_idle_member_of_the_same_listing_shows_that_all_members_were_listed():
    idle = {
        "member_id": "idle",
        "owned": [],
        "source_file": "x.txt",
        "source_format": "describe",
        "source_line": 3,
    }

    group = observed([tp("a", 0, "M1"), {**tp("a", 1, "M2"), "source_line": 4}], [idle])

    assert group.snapshot.member_id == ("M1", "idle", "M2")
    assert "members" not in group.assumed
    assert group.level == 3


def test_a_members_listing_gives_the_order_and_what_it_does_not_print_comes_from_the_offsets():
    group = observed(
        [tp("a", 0, "M1"), tp("a", 1, "M2")],
        [{"member_id": "M3"}, {"member_id": "M2", "partition_count": 1}],
    )

    assert group.snapshot.member_id == ("M3", "M2", "M1")
    assert owned(group) == {"M3": [], "M2": [("a", 1)], "M1": [("a", 0)]}


def test_of_members_whose_partitions_are_only_counted_nobody_knows_what_they_own():
    group = observed(
        (),
        [
            {"member_id": "M1", "partition_count": 3},
            {"member_id": "M2", "partition_count": 3},
            {"member_id": "M3", "owned": [], "partition_count": 0},
        ],
    )

    assert (group.current, group.level) == (None, 0)
    assert group.assumed == (
        "members[*].subscribed",
        "members[0].owned",
        "members[1].owned",
        "topics",
    )


def test_members_whose_partitions_are_only_counted_subscribe_to_the_described_topics():
    counted = [{"member_id": "M1", "partition_count": 3}, {"member_id": "M2", "partition_count": 3}]

    group = observed(
        (), counted, [{"topic": "a", "partition_count": 4}, {"topic": "b", "partition_count": 2}]
    )

    assert (group.snapshot.topic_name, group.snapshot.partition_count.tolist()) == (
        ("a", "b"),
        [4, 2],
    )
    assert [group.snapshot.topic_lists[row].tolist() for row in group.snapshot.subscription] == [
        [0, 1],
        [0, 1],
    ]
    assert group.assumed == ("members[*].owned", "members[*].subscribed")


def test_offsets_without_owners_leave_open_who_owns_what_and_are_what_members_subscribe_to():
    group = observed(
        [tp("b", 0, end_offset=5), tp("b", 1, end_offset=5)],
        [{"member_id": "M1", "partition_count": 2}],
        [{"topic": "a", "partition_count": 4}],
    )

    assert (group.current, group.level, group.snapshot.topic_name) == (None, 1, ("b",))
    assert group.assumed == ("members[*].owned", "members[*].subscribed", "topics[0].partitions")


def test_a_member_with_a_count_whom_the_offsets_do_not_name_is_assumed_to_own_nothing():
    group = observed(
        [tp("a", 0, "M1")],
        [{"member_id": "M1", "partition_count": 1}, {"member_id": "M2", "partition_count": 1}],
    )

    assert group.current.owner.tolist() == [0]
    assert "members[1].owned" in group.assumed


def test_of_several_files_the_first_that_was_read_gives_the_first_members():
    rows = [
        {"member_id": "M1", "source_file": "z.txt"},
        {"member_id": "M2", "source_file": "a.txt"},
    ]
    listing = [tp("t", 0, "M3", source_file="y.txt"), tp("t", 1, "M4", source_file="b.txt")]

    assert observed(listing, rows).snapshot.member_id == ("M1", "M2", "M3", "M4")


def test_what_a_member_says_it_owns_counts_before_the_offsets():
    target = [{"topic": "a", "partitions": [1]}]
    now = [{"topic": "a", "partitions": [0, 1]}]

    group = observed(
        [tp("a", 0, "M1"), tp("a", 1, "M1")],
        [{"member_id": "M1", "owned": target, "current": now, "epoch": -1}],
    )

    assert owned(group) == {"M1": [("a", 1)]}
    assert group.current.owner.tolist() == [0, 0]
    assert group.epoch.tolist() == [UNKNOWN]


def test_only_the_latest_instant_counts_and_rows_without_a_time_belong_to_it():
    rows = [
        tp("a", 0, "old", taken_at=EARLIER, end_offset=1),
        tp("a", 0, "new", taken_at=LATER, end_offset=2),
        tp("a", 1, "new", end_offset=3),
    ]

    group = observed(rows)

    assert (group.taken_at, group.snapshot.member_id, group.snapshot.end_offset.tolist()) == (
        LATER,
        ("new",),
        [2, 3],
    )


def test_of_a_group_of_which_only_the_state_is_printed_neither_members_nor_topics_are_known():
    group = observed([], [{"member_id": None, "group_state": "Stable"}])

    assert (group.assumed, group.level) == (("members", "topics"), 0)


def test_a_group_that_says_it_is_empty_has_no_members_to_assume():
    group = observed(
        [tp("a", 0, end_offset=5)],
        [{"member_id": None, "group_state": "Empty", "group_type": "Classic", "group_epoch": -1}],
    )

    assert group.assumed == ("topics[0].partitions",)
    assert (group.group_state, group.group_type, group.group_epoch, group.level) == (
        "Empty",
        "classic",
        None,
        1,
    )


def test_subscriptions_that_are_known_for_some_are_assumed_for_the_others():
    group = observed(
        [tp("a", 0, "M1"), tp("b", 0, "M2")],
        [{"member_id": "M1", "subscribed": ["a"]}, {"member_id": "M2"}],
    )

    assert group.assumed == (
        "members[1].subscribed",
        "topics[0].partitions",
        "topics[1].partitions",
    )
    assert [group.snapshot.topic_lists[row].tolist() for row in group.snapshot.subscription] == [
        [0],
        [0, 1],
    ]


def test_groups_are_told_apart_by_name_and_without_one_by_their_file():
    table = offsets(
        tp("a", 0, "M1"),
        tp("a", 0, "M2", group_id=None, source_file="one.txt"),
        tp("a", 1, "M3", group_id=None, source_file="two.txt"),
    )

    keys = group_keys(table, members(), topics())

    assert keys == [GroupKey("g"), GroupKey(None, "one.txt"), GroupKey(None, "two.txt")]
    assert observed_from_tables(table, members(), topics(), *keys[2]).snapshot.member_id == ("M3",)


def test_what_a_document_says_of_its_topics_does_not_hold_for_a_listing():
    group = observed(
        [tp("a", 0, "M1")],
        (),
        [{"topic": "a", "partition_count": 9, "source_format": "evenkeel.group/1"}],
    )

    assert group.snapshot.partition_count.tolist() == [1]


def test_more_partitions_than_fit_are_refused():
    with pytest.raises(
        SnapshotError, match="11,000,011 partitions in all, expected at most 10,000,000"
    ):
        observed([tp(f"t{topic}", 1_000_000) for topic in range(11)])


def test_a_hundred_thousand_partitions_of_two_thousand_members_take_well_under_a_second():
    count, member_count = 100_000, 2_000
    row = np.arange(count)
    columns = {
        "group_id": ["g"] * count,
        "topic": [f"topic-{topic}" for topic in row % 20],
        "partition": (row // 20).astype(np.int32),
        "committed_offset": row,
        "end_offset": row + 5,
        "member_id": [f"member-{member}" for member in row % member_count],
        "source_line": row + 2,
    }
    listing = pa.table(
        {
            name: columns.get(name, pa.nulls(count, type))
            for name, type in zip(schemas.OFFSETS.names, schemas.OFFSETS.types, strict=True)
        }
    ).cast(schemas.OFFSETS)

    started = time.process_time()
    group = observed_from_tables(listing, members(), topics(), "g")
    seconds = time.process_time() - started

    assert (group.snapshot.tp_count, group.snapshot.member_count) == (count, member_count)
    assert seconds < 1
