"""Rebalances that slots show."""

from dataclasses import replace

import numpy as np

from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.history.changes.events import events
from evenkeel.assignors.history.changes.rebalances import may_be_more, rebalances
from evenkeel.assignors.history.now import now
from evenkeel.data.words.history import event_words
from tests.generated.histories import series_of


def owned_by(*owners: str, generation=UNKNOWN):
    """A series in which each row names the owners of its partitions, or - for nobody, and after a space members without any."""
    pairs = [(*row.split(), "")[:2] for row in owners]
    rows = [[{"A": 0, "B": 1, "C": 2, "-": -1}[one] for one in owned] for owned, _ in pairs]
    members = [[name in owned + idle for name in "ABC"] for owned, idle in pairs]
    series = series_of(np.full(np.shape(rows), 9), np.full(np.shape(rows), 9), rows, member_count=3, is_member=members)
    return replace(series, generation=np.broadcast_to(np.array(generation), len(rows)))


def sentences(series) -> list[str]:
    return [event_words(event, series) for event in events(series, now(series).verdicts)]


def test_a_new_generation_is_a_rebalance_whatever_owners_do_and_one_that_stays_is_none():
    assert rebalances(owned_by("AA", "AA", "AB", generation=[3, 4, 4])).row.tolist() == [1]
    assert rebalances(owned_by("AA", "AA", "AB", generation=[3, 4, 4])).is_told.tolist() == [True]


def test_where_the_generation_is_unknown_other_owners_or_members_are_a_rebalance():
    assert rebalances(owned_by("AA", "AB", "AB", "AB C", "AB C")).row.tolist() == [1, 3]
    assert rebalances(owned_by("AA", "AB", "AA", generation=[UNKNOWN, 4, UNKNOWN])).row.tolist() == [1, 2]
    assert not rebalances(owned_by("AA", "AB")).is_told.any()


def test_a_member_that_leaves_and_its_partitions_that_others_get_are_one_rebalance_seen_by_its_owners():
    assert sentences(owned_by("AABBCC", "AABBCC", "AAABBB")) == [
        "The group rebalanced, as its owners show; 3 partitions changed owner.",
        "C left.",
    ]


def test_the_first_members_of_an_empty_group_and_its_last_one_are_rebalances_without_a_generation():
    assert sentences(owned_by("--", "AB C", "--")) == [
        "The group rebalanced, as its owners show; 2 partitions changed owner.",
        "A, B and C joined.",
        "The group rebalanced, as its owners show; 2 partitions changed owner.",
        "A, B and C left.",
    ]


def test_a_rebalance_that_a_slot_sees_under_way_is_one_and_ends_with_the_new_owners():
    found = rebalances(owned_by("AABBCC", "------ ABC", "------ AB", "AAABBB", "AAABBB"))

    assert [column.tolist() for column in found] == [[0], [1], [3], [False]]
    assert sentences(owned_by("AABBCC", "------ AB", "AAABBB"))[0].endswith("3 partitions changed owner.")
    assert rebalances(owned_by("-- AB", "AB")).row.tolist() == [1], "it began before the first slot"


def test_a_group_that_appears_is_told_with_its_members():
    series = owned_by("--", "AB C", "AB C")
    is_there = np.array([[False], [True], [True]])

    assert sentences(replace(series, is_listed=series.is_listed & is_there)) == [
        "The snapshots before do not have the group; here it has 3 members: A, B and C."
    ]


def test_a_slot_without_the_group_hides_no_rebalance():
    series = owned_by("AB", "--", "AA")
    is_there = np.array([[True], [False], [True]])

    assert rebalances(replace(series, is_listed=series.is_listed & is_there)).row.tolist() == [2]


def test_more_rebalances_are_possible_where_members_have_no_generation():
    assert may_be_more(owned_by("AB", "AB", generation=[4, UNKNOWN]))
    assert not may_be_more(owned_by("AB", "--", generation=[4, UNKNOWN]))
