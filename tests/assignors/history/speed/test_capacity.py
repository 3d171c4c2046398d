"""What members can read."""

import numpy as np
import pytest

from evenkeel.assignors.history.speed.busy_windows import busy_rates
from evenkeel.assignors.history.speed.capacity import capacity
from tests.generated.histories import series_of

SLOTS = np.arange(40)[:, None]


def two_members():
    """Member A reads 10 records a slot from each of two partitions that are behind; B keeps up with 3 a slot."""
    end = np.hstack([10_000 + SLOTS * 20, 5_000 + SLOTS * 20, SLOTS * 3])
    return series_of(end, np.hstack([SLOTS * 10, SLOTS * 10, SLOTS * 3]), np.tile([0, 0, 1], (40, 1)))


def test_a_member_takes_what_it_read_while_it_was_behind():
    found = capacity(busy_rates(two_members()))

    assert found.rate.tolist() == pytest.approx([20 / 30, 20 / 30]) and found.is_assumed.tolist() == [False, True]


def test_a_member_that_was_busy_in_two_windows_is_not_known_yet():
    assert np.isnan(capacity(busy_rates(two_members())[-2:]).rate).all()
    assert capacity(busy_rates(two_members())[-3:]).is_assumed.tolist() == [False, True]


def test_the_capacity_is_the_90th_percentile():
    busy = np.array([[1.0, np.nan], [2, 7], [3, np.nan], [4, 7], [11, 7]])

    assert capacity(busy).rate.tolist() == pytest.approx([np.percentile([1, 2, 3, 4, 11], 90), 7])


def test_the_median_is_that_of_a_members_own_group():
    busy = np.array([[1.0, 5.0, 9.0, np.nan, np.nan]] * 3)

    assert capacity(busy, np.array([0, 0, 1, 1, 2])).rate.tolist() == pytest.approx([1, 5, 9, 9, np.nan], nan_ok=True)
    assert capacity(busy).rate.tolist() == [1, 5, 9, 5, 5]


def test_a_member_that_reads_nothing_is_no_measure_of_others():
    assert capacity(np.array([[0.0, 5.0, 7.0, np.nan]] * 3)).rate.tolist() == [0, 5, 7, 6]
    assert np.isnan(capacity(np.array([[0.0, np.nan]] * 3)).rate).tolist() == [False, True]
