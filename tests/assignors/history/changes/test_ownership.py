"""Who had what when."""

import numpy as np
import pytest

from assignors.history.changes.ownership import flapping, ownership, rebalances, unowned, unstable_members
from tests.generated.histories import series_of


def owned_by(*owners, **others):
    """A series in which each row names the owners of its partitions: A, B, or - for nobody."""
    rows = [[{"A": 0, "B": 1, "-": -1}[one] for one in row] for row in owners]
    return series_of(np.full(np.shape(rows), 9), np.full(np.shape(rows), 5), rows, **others)


def test_runs_say_who_had_a_partition_from_when_to_when():
    runs = ownership(owned_by("AB", "AB", "BB", "-B"))

    assert list(zip(*(column.tolist() for column in runs), strict=True)) == [(0, 0, 0, 1), (0, 1, 2, 2), (0, -1, 3, 3), (1, 1, 0, 3)]


def test_a_gap_ends_a_run():
    assert ownership(owned_by("A", "A", "A", slot=[0, 1, 5])).first.tolist() == [0, 2]


def test_a_partition_that_goes_back_to_its_former_owner_flaps():
    found = flapping(owned_by("AA", "BA", "-A", "AA", "BB", time=[0, 900, 1800, 2700, 3600]))

    assert found.changes_an_hour.tolist() == [3, 1] and found.returns.tolist() == [2, 0]


def test_partitions_without_owner_have_no_changes():
    assert [column.tolist() for column in flapping(owned_by("--", "--"))[:2]] == [[0, 0], [0, 0]]


def test_a_new_generation_is_a_rebalance_and_so_are_new_owners_where_it_is_unknown():
    series = owned_by("AA", "AA", "AB", "AB")

    assert rebalances(series).tolist() == []
    assert rebalances(series_with(series, generation=np.array([3, 4, 4, 4]))).tolist() == [1]
    assert rebalances(series_with(series, generation=np.array([-1, -1, -1, -1]))).tolist() == [2]


def test_partition_seconds_without_owner_are_counted_but_not_in_gaps_nor_without_members():
    assert unowned(owned_by("A-", "--", "AA", slot=[0, 1, 2])) == (30 + 60, 120)
    assert unowned(owned_by("A-", "--", "AA", slot=[0, 1, 5])) == (30, 60)
    assert unowned(owned_by("--", "--", "AA", is_member=[[0, 0], [0, 0], [1, 1]])) == (0, 0)


FLAPS = ("AB", "BA", "AB", "BA", "AB", "BA", "AB")


def test_a_member_that_never_kept_its_partitions_for_the_poll_interval_is_named_with_its_longest_stay():
    assert unstable_members(owned_by(*FLAPS), 90) == {0: 60, 1: 60}
    assert unstable_members(owned_by(*["AB"] * 7), 90) == {}


def test_what_happens_between_two_slots_is_unknown_so_a_stay_may_reach_from_the_one_before_to_the_one_after():
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
    away = series_with(series, is_listed=series.is_listed & is_there, is_member=series.is_member & is_there)

    assert unstable_members(away, 90) == {}


def series_with(series, **columns):
    return type(series)(**(vars(series) | columns))


@pytest.fixture(autouse=True)
def _no_warnings():
    with np.errstate(all="raise"):
        yield
