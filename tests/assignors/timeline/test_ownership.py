"""Who had what, rebalances and stays."""

from dataclasses import replace

import numpy as np
import pytest

from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.timeline.events import events
from evenkeel.assignors.timeline.now import now
from evenkeel.assignors.timeline.ownership import (
    bursts,
    flapping,
    may_be_more,
    ownership,
    rebalances,
    unowned,
    unstable_members,
)
from evenkeel.data.timeline.words import event_words
from tests.generated.histories import owned_by, series_of


def test_runs_say_who_had_a_partition_from_when_to_when():
    runs = ownership(owned_by("AB", "AB", "BB", "-B"))

    assert list(zip(*(column.tolist() for column in runs), strict=True)) == [
        (0, 0, 0, 1),
        (0, 1, 2, 2),
        (0, -1, 3, 3),
        (1, 1, 0, 3),
    ]


def test_a_gap_ends_a_run():
    assert ownership(owned_by("A", "A", "A", slot=[0, 1, 5])).first.tolist() == [0, 2]


def test_a_partition_that_goes_back_to_its_former_owner_flaps():
    found = flapping(owned_by("AA", "BA", "-A", "AA", "BB", time=[0, 900, 1800, 2700, 3600]))

    assert found.changes_an_hour.tolist() == [3, 1]
    assert found.returns.tolist() == [2, 0]


def test_partitions_without_owner_have_no_changes():
    assert [column.tolist() for column in flapping(owned_by("--", "--"))[:2]] == [[0, 0], [0, 0]]


def test_partition_seconds_without_owner_are_counted_but_not_in_gaps_nor_without_members():
    assert unowned(owned_by("A-", "--", "AA", slot=[0, 1, 2])) == (30 + 60, 120)
    assert unowned(owned_by("A-", "--", "AA", slot=[0, 1, 5])) == (30, 60)
    assert unowned(owned_by("--", "--", "AA", is_member=[[0, 0], [0, 0], [1, 1]])) == (0, 0)


@pytest.fixture(autouse=True)
def _no_warnings():
    with np.errstate(all="raise"):
        yield


# Rebalances


def with_generations(*owners: str, generation=UNKNOWN):
    """A series in which each row names the owners of its partitions, or - for nobody, and after a
    space members without any.
    """
    pairs = [(*row.split(), "")[:2] for row in owners]
    rows = [[{"A": 0, "B": 1, "C": 2, "-": -1}[one] for one in owned] for owned, _ in pairs]
    members = [[name in owned + idle for name in "ABC"] for owned, idle in pairs]
    series = series_of(
        np.full(np.shape(rows), 9),
        np.full(np.shape(rows), 9),
        rows,
        member_count=3,
        is_member=members,
    )
    return replace(series, generation=np.broadcast_to(np.array(generation), len(rows)))


def sentences(series) -> list[str]:
    return [event_words(event, series) for event in events(series, now(series).verdicts)]


def test_a_new_generation_is_a_rebalance_whatever_owners_do_and_one_that_stays_is_none():
    assert rebalances(with_generations("AA", "AA", "AB", generation=[3, 4, 4])).row.tolist() == [1]
    assert rebalances(
        with_generations("AA", "AA", "AB", generation=[3, 4, 4])
    ).is_told.tolist() == [True]


def test_where_the_generation_is_unknown_other_owners_or_members_are_a_rebalance():
    assert rebalances(with_generations("AA", "AB", "AB", "AB C", "AB C")).row.tolist() == [1, 3]
    assert rebalances(
        with_generations("AA", "AB", "AA", generation=[UNKNOWN, 4, UNKNOWN])
    ).row.tolist() == [1, 2]
    assert not rebalances(with_generations("AA", "AB")).is_told.any()


def test_a_departed_member_and_the_new_owners_of_its_partitions_are_one_rebalance():
    assert sentences(with_generations("AABBCC", "AABBCC", "AAABBB")) == [
        "The group rebalanced, as its owners show; 3 partitions changed owner.",
        "C left.",
    ]


def test_the_first_members_of_an_empty_group_and_its_last_one_are_rebalances_without_a_generation():
    assert sentences(with_generations("--", "AB C", "--")) == [
        "The group rebalanced, as its owners show; 2 partitions changed owner.",
        "A, B and C joined.",
        "The group rebalanced, as its owners show; 2 partitions changed owner.",
        "A, B and C left.",
    ]


def test_a_rebalance_that_a_slot_sees_under_way_is_one_and_ends_with_the_new_owners():
    found = rebalances(with_generations("AABBCC", "------ ABC", "------ AB", "AAABBB", "AAABBB"))

    assert [column.tolist() for column in found] == [[0], [1], [3], [False]]
    assert sentences(with_generations("AABBCC", "------ AB", "AAABBB"))[0].endswith(
        "3 partitions changed owner."
    )
    assert rebalances(with_generations("-- AB", "AB")).row.tolist() == [1], (
        "it began before the first slot"
    )


def test_a_group_that_appears_is_told_with_its_members():
    series = with_generations("--", "AB C", "AB C")
    is_there = np.array([[False], [True], [True]])

    assert sentences(replace(series, is_listed=series.is_listed & is_there)) == [
        "Earlier snapshots do not have the group; here it has 3 members: A, B and C."
    ]


def test_a_slot_without_the_group_hides_no_rebalance():
    series = with_generations("AB", "--", "AA")
    is_there = np.array([[True], [False], [True]])

    assert rebalances(replace(series, is_listed=series.is_listed & is_there)).row.tolist() == [2]


def test_more_rebalances_are_possible_where_members_have_no_generation():
    assert may_be_more(with_generations("AB", "AB", generation=[4, UNKNOWN]))
    assert not may_be_more(with_generations("AB", "--", generation=[4, UNKNOWN]))


# Rebalances that belong together


def test_rebalances_within_half_an_hour_of_the_first_are_one_burst():
    time = np.arange(10) * 900.0

    assert [one.rows for one in bursts(time, np.array([1, 2, 3, 4, 8]))] == [(1, 2, 3), (4,), (8,)]
    assert bursts(time, np.array([1, 3]))[0][1:] == (900.0, 2700.0)
    assert bursts(time, np.array([], dtype=np.int64)) == ()


# Stays


FLAPS = ("AB", "BA", "AB", "BA", "AB", "BA", "AB")


def test_a_member_that_never_kept_partitions_for_the_poll_interval_is_named_with_its_longest_stay():
    assert unstable_members(owned_by(*FLAPS), 90) == {0: 60, 1: 60}
    assert unstable_members(owned_by(*["AB"] * 7), 90) == {}


def test_a_stay_may_reach_from_the_slot_before_to_the_slot_after():
    assert unstable_members(owned_by(*FLAPS), 60) == {}
    assert unstable_members(owned_by(*FLAPS, slot=[0, 1, 2, 5, 6, 7, 8]), 90) == {}


def test_a_member_of_one_rebalance_is_not_named_nor_one_that_was_seen_for_a_short_time():
    assert unstable_members(owned_by("AB", "AB", "AB", "BA", "BA", "BA"), 90) == {}
    assert unstable_members(owned_by(*FLAPS[:6]), 90) == {}


def test_members_whose_partitions_stay_are_not_named_for_what_others_do():
    owners = [[0, 1, 2], [0, 2, 1]] * 4
    series = series_of(np.full((8, 3), 9), np.full((8, 3), 5), owners, member_count=3)

    assert unstable_members(series, 90) == {1: 60, 2: 60}


def test_a_snapshot_that_does_not_have_the_group_ends_no_stay():
    series = owned_by("AB", "AB", "AB", "--", "AB", "AB", "AB", "AB")
    is_there = np.arange(8)[:, None] != 3
    away = replace(
        series, is_listed=series.is_listed & is_there, is_member=series.is_member & is_there
    )

    assert unstable_members(away, 90) == {}
