"""What members can read."""

import numpy as np
import pytest

from assignors.history.speed.capacity import busy_rates, capacity
from assignors.history.speed.draws import draws
from tests.generated.histories import series_of

SLOTS = np.arange(40)[:, None]


def members(end, committed, owner):
    return series_of(end, committed, owner)


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


def test_a_window_counts_only_partitions_that_the_member_had_at_both_ends():
    series = two_members()
    owner = series.owner.copy()
    owner[35:, 1] = 1

    assert busy_rates(series_of(series.end_offset, series.committed_offset, owner))[-1].tolist() == pytest.approx(
        [10 / 30, np.nan], nan_ok=True
    )


def test_the_capacity_is_the_90th_percentile():
    busy = np.array([[1.0, np.nan], [2, 7], [3, np.nan], [4, 7], [11, 7]])

    assert capacity(busy).rate.tolist() == pytest.approx([np.percentile([1, 2, 3, 4, 11], 90), 7])


def test_draws_of_constant_rates_are_these_rates():
    found = draws(two_members(), np.random.default_rng(1), number=20)

    assert found.in_rate == pytest.approx(np.tile([20 / 30, 20 / 30, 3 / 30], (20, 1)))
    assert found.capacity == pytest.approx(np.full((20, 2), 20 / 30))


def test_draws_differ_where_rates_do():
    chance = np.random.default_rng(1)
    end = np.cumsum(chance.integers(0, 50, (40, 1)), axis=0) + 10_000
    found = draws(series_of(end, np.cumsum(chance.integers(0, 50, (40, 1)), axis=0)), chance)

    assert found.in_rate.shape == (200, 1) and found.in_rate.std() > 0 and found.capacity.std() > 0
    assert found.in_rate.min() <= (end[-1, 0] - end[-10, 0]) / 270 <= found.in_rate.max()


def test_a_series_of_one_slot_tells_nothing():
    series = series_of([[5]], [[3]])

    assert np.isnan(capacity(busy_rates(series)).rate).all() and np.isnan(draws(series, np.random.default_rng(1)).in_rate).all()


def test_the_median_is_that_of_a_members_own_group():
    busy = np.array([[1.0, 5.0, 9.0, np.nan, np.nan]] * 3)

    assert capacity(busy, np.array([0, 0, 1, 1, 2])).rate.tolist() == pytest.approx([1, 5, 9, 9, np.nan], nan_ok=True)
    assert capacity(busy).rate.tolist() == [1, 5, 9, 5, 5]
