"""The age of the last snapshot."""

import numpy as np
import pytest

from evenkeel.data.timeline.words import snapshot_age

NOON = 1_793_620_800.0


@pytest.mark.parametrize(
    ("steps", "age", "is_old"),
    [
        ([30.0] * 20, 300, False),
        ([30.0] * 20, 301, True),
        ([5.0] * 20, 180, False),  # three minutes are the least
        ([5.0] * 20, 181, True),
        ([600.0] * 20, 5_999, False),
        ([600.0] * 20 + [30.0] * 10, 301, True),  # those before were thinned
        ([30.0] * 9 + [7_200.0], 301, True),  # a gap is no interval
        ([], 180, False),
        ([], 181, True),
    ],
)
def test_more_than_ten_of_its_own_intervals_are_old(steps, age, is_old):
    time = NOON - np.concatenate([[0.0], np.cumsum(steps[::-1])])[::-1]

    assert snapshot_age(time, NOON + age).is_old is is_old


def test_its_time_and_age_are_said_and_a_clock_that_is_late_makes_no_negative_age():
    assert (
        str(snapshot_age(np.array([NOON]), NOON + 83.04))
        == "the last snapshot is of 2026-11-02T12:00:00Z, 1m 23s ago"
    )
    assert snapshot_age(np.array([NOON]), NOON - 5).seconds == 0
