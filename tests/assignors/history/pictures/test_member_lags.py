"""Lag of each member over time."""

import numpy as np

from evenkeel.assignors.history.pictures.member_lags import member_lags
from tests.generated.histories import series_of


def test_lags_are_summed_by_member_and_the_largest_of_the_range_comes_first():
    series = series_of(end=[[10, 10, 10], [20, 20, 90]], committed=[[9, 8, 10], [20, 15, 30]], owner=[[0, 0, 1], [0, 0, 1]])

    found = member_lags(series, most_members=6, bins=60)

    assert found.member.tolist() == [1, 0]
    assert found.lag.tolist() == [[0, 3, 0], [60, 5, 0]]
    assert found.total.tolist() == [3, 65]


def test_members_beyond_the_first_and_partitions_without_owner_share_the_last_column():
    series = series_of(end=[[10, 20, 30]], committed=[[0, 0, 0]], owner=[[0, 1, -1]])

    found = member_lags(series, most_members=1, bins=60)

    assert (found.member.tolist(), found.lag.tolist()) == ([1], [[20, 40]])
    assert (found.other_count, found.has_unowned) == (1, True)


def test_an_unknown_lag_is_left_out_and_counted_and_a_slot_of_unknown_lags_alone_is_a_gap():
    series = series_of(end=[[10, 10], [10, 10], [10, 10]], committed=[[5, -1], [-1, -1], [5, 5]])

    found = member_lags(series, most_members=6, bins=60)

    assert found.total.tolist() == [5, 10]
    assert found.unknown_count.tolist() == [1, 0]
    assert found.stretch[0] != found.stretch[1]


def test_a_missing_slot_divides_stretches():
    series = series_of(end=[[1], [1], [1]], committed=[[0], [0], [0]], slot=[0, 1, 5])

    found = member_lags(series, most_members=6, bins=60)

    assert np.diff(found.stretch).tolist() == [0, 1]
