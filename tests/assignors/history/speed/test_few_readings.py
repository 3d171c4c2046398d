"""Speeds of a few readings, such as two listings."""

import numpy as np
import pytest

from evenkeel.assignors.history.speed.few_readings import draws_of
from tests.generated.histories import series_of


def drawn(end, committed, owner=None):
    end, committed = np.array(end)[:, None], np.array(committed)[:, None]
    return draws_of(series_of(end, committed, owner, member_count=1), np.random.default_rng(1))


def test_two_readings_are_one_draw_of_what_came_and_what_was_read():
    found = drawn([10_000, 10_300], [1_000, 1_900])

    assert found.in_rate.tolist() == [[10.0]] and found.busy_rate.tolist() == [[30.0]] and found.spread.tolist() == [[0.0]]


def test_of_a_member_that_came_to_the_end_between_two_readings_it_is_unknown_what_it_can_read():
    assert np.isnan(drawn([1_000, 1_300], [900, 1_100]).busy_rate).all()


def test_a_member_that_was_not_seen_busy_takes_the_median_of_the_others():
    series = series_of(np.array([[10_000, 50], [10_300, 60]]), np.array([[1_000, 50], [1_900, 60]]), np.tile([0, 1], (2, 1)))

    found = draws_of(series, np.random.default_rng(1))
    assert (found.busy_rate.tolist(), found.assumed.tolist()) == ([[30.0, 30.0]], [False, True])


@pytest.mark.parametrize("count", [1, 0])
def test_one_reading_tells_no_rates(count):
    found = draws_of(series_of(np.full((count, 2), 9), np.zeros((count, 2), dtype=int)), np.random.default_rng(1))

    assert np.isnan(found.busy_rate).all() and np.isnan(found.in_rate).all()


def test_six_readings_have_three_windows_of_two_and_a_band():
    # 200 records in 30 s in each of them; what was read between two windows counts for none.
    busy_rate = drawn(10_000 + np.arange(6) * 100, [0, 200, 500, 700, 1_100, 1_300]).busy_rate

    assert busy_rate.shape == (200, 1) and np.median(busy_rate) == pytest.approx(200 / 30, rel=0.01) and busy_rate.std() > 0


def test_a_long_history_has_windows_of_ten():
    slots = np.arange(40)
    found = drawn(100_000 + slots * 20, slots * 10 + slots // 10 * 1_000)

    assert np.median(found.busy_rate) == pytest.approx(10 / 30, rel=0.01)
    assert found.in_rate == pytest.approx(np.full((200, 1), 20 / 30))
