"""For how long members have the same partitions."""

from dataclasses import replace

import numpy as np

from evenkeel.assignors.history.changes.stays import unstable_members
from tests.generated.histories import owned_by, series_of

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
    away = replace(series, is_listed=series.is_listed & is_there, is_member=series.is_member & is_there)

    assert unstable_members(away, 90) == {}
