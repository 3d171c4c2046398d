"""The highest time lag of a range."""

import pytest

from evenkeel.assignors.history.speed.highest_time_lag import highest_time_lag
from tests.generated.histories import series_of


def highest(end, committed, most_rows=100):
    return highest_time_lag(series_of([[value] for value in end], [[value] for value in committed]), most_rows)


def test_the_highest_time_lag_has_its_slot():
    assert highest([10, 20, 30, 40], [10, 10, 10, 40]) == (pytest.approx(60), 2, False)


def test_a_guess_from_before_the_first_slot_does_not_count():
    assert highest([10, 20, 30, 40], [0, 0, 30, 35]) == (pytest.approx(15), 3, False)


def test_it_is_unknown_where_the_end_offset_never_moved():
    assert highest([10, 10], [5, 5]) is None


def test_of_very_many_slots_some_are_looked_at_and_all_beside_the_highest():
    end = [10 * slot for slot in range(1, 14)]
    committed = [10, 10, 10, 10, 10, 60, 70, 80, 90, 100, 110, 120, 130]

    assert highest(end, committed, most_rows=5) == (pytest.approx(120), 4, True)
