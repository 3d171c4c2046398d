"""A range of the Timeline in words."""

import pytest

from evenkeel.dashboard.times import of_link, outside

HOUR, DAY = 3600.0, 86_400.0
WHOLE = 10 * DAY, 11 * DAY


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (WHOLE, ""),
        ((10 * DAY + HOUR, 10 * DAY + 2 * HOUR), ""),
        ((10 * DAY - 60, 11 * DAY + 60), ""),
        ((9 * DAY, 11 * DAY), "Shown from Sun 11 Jan 00:00 UTC: there are no earlier readings."),
        (
            (10 * DAY, 11 * DAY + HOUR),
            "Shown until Mon 12 Jan 00:00 UTC: there are no later readings.",
        ),
        (
            (0.0, 20 * DAY),
            (
                "Shown from Sun 11 Jan 00:00 until Mon 12 Jan 00:00 UTC: there are no earlier or"
                " later readings."
            ),
        ),
    ],
)
def test_a_range_beyond_the_readings_says_which_part_is_shown(asked, words):
    assert outside(asked, WHOLE) == words


def test_a_link_to_hours_is_counted_back_from_the_last_reading_and_one_to_two_times_is_not():
    assert of_link("24 h", is_fixed=False).startswith(
        "Opens the last 24 h up to the newest reading;"
    )
    assert of_link("Custom", is_fixed=True).startswith("Opens this range. ")
