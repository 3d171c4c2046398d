"""Speeds of a few readings, such as two listings."""

import numpy as np
import pytest

from assignors.history.speed.draws import draws
from assignors.history.speed.few_readings import draws_of
from tests.generated.histories import series_of


def drawn(end, committed, owner=None):
    end, committed = np.array(end)[:, None], np.array(committed)[:, None]
    return draws_of(series_of(end, committed, owner, member_count=1), np.random.default_rng(1))


def test_two_readings_are_one_draw_of_what_came_and_what_was_read():
    found = drawn([10_000, 10_300], [1_000, 1_900])

    assert found.in_rate.tolist() == [[10.0]] and found.capacity.tolist() == [[30.0]] and found.spread.tolist() == [[0.0]]


def test_of_a_member_that_came_to_the_end_between_two_readings_it_is_unknown_what_it_can_read():
    assert np.isnan(drawn([1_000, 1_300], [900, 1_100]).capacity).all()


def test_a_member_that_was_not_seen_busy_takes_the_median_of_the_others():
    series = series_of(np.array([[10_000, 50], [10_300, 60]]), np.array([[1_000, 50], [1_900, 60]]), np.tile([0, 1], (2, 1)))

    assert draws_of(series, np.random.default_rng(1)).capacity.tolist() == [[30.0, 30.0]]


@pytest.mark.parametrize("count", [1, 0])
def test_one_reading_tells_no_rates(count):
    found = draws_of(series_of(np.full((count, 2), 9), np.zeros((count, 2), dtype=int)), np.random.default_rng(1))

    assert np.isnan(found.capacity).all() and np.isnan(found.in_rate).all()


def test_six_readings_have_windows_of_their_own_and_a_band():
    found = drawn(10_000 + np.arange(6) * 100, [0, 200, 500, 700, 1_100, 1_300])

    assert found.capacity.shape == (200, 1) and found.capacity.std() > 0


def test_a_long_history_is_drawn_as_ever():
    slots = np.arange(40)[:, None]
    series = series_of(10_000 + slots * 20, slots * 10)

    assert draws_of(series, np.random.default_rng(1)).capacity.tolist() == draws(series, np.random.default_rng(1)).capacity.tolist()
