"""Texts that would cover each other."""

import pytest

from evenkeel.dashboard.charts.parts.apart import apart


@pytest.mark.parametrize(
    ("places", "moved"),
    [
        ([], []),
        ([5.0], [5.0]),
        ([0.0, 20.0], [0.0, 20.0]),
        ([10.0, 10.0], [5.0, 15.0]),
        ([12.0, 10.0, 40.0], [16.0, 6.0, 40.0]),
        ([0.0, 8.0, 16.0], [-2.0, 8.0, 18.0]),
    ],
)
def test_texts_stand_ten_apart_in_their_order_and_move_as_little_as_needed(places, moved):
    assert apart(places, 10) == pytest.approx(moved)


def test_texts_end_at_the_highest_place_and_begin_at_the_lowest_if_there_is_room():
    assert apart([95.0, 95.0, 96.0], 10, 0, 100) == [80.0, 90.0, 100.0]
    assert apart([1.0, 2.0], 10, 0, 100) == [0.0, 10.0]
    assert apart([1.0, 2.0, 3.0], 10, 0, 20) == [0.0, 10.0, 20.0]
    assert apart([5.0] * 4, 10, 0, 20) == [-10.0, 0.0, 10.0, 20.0]
