"""The clock, and whoever notices that it was set."""

import pytest

from evenkeel.data import clock
from evenkeel.data.clock import Watch


@pytest.mark.parametrize(("by", "found"), [(3600, 3600), (-3600, -3600), (1.5, 0), (-1.5, 0)])
def test_a_watch_tells_once_by_how_much_the_clock_was_set_and_nothing_of_what_keeps_it_right(
    set_clock, by, found
):
    watch = Watch()

    set_clock(by)

    assert [round(watch.set_by()), watch.set_by()] == [found, 0.0]


def test_now_is_the_time_that_was_set(set_clock):
    before = clock.now()

    set_clock(3600)

    assert 3600 <= (clock.now() - before).total_seconds() < 3660
