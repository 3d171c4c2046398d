"""Time lag, and the highest of a group."""

import numpy as np
import pytest

from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.timeline.time_lag import METHODS, highest_time_lag, time_lag, without_holes
from tests.generated.histories import series_of


def last(end, committed, **others):
    found = time_lag(
        series_of([[value] for value in end], [[value] for value in committed], **others)
    )
    return found.seconds[-1, 0], METHODS[found.method[-1, 0]]


@pytest.mark.parametrize(
    ("end", "committed", "seconds", "method"),
    [
        ([10, 20, 30], [0, 0, 30], 0, "exact"),
        ([10, 20, 30], [0, 0, 31], 0, "exact"),
        ([10, 20, 30], [0, 0, 20], 30, "interpolated"),
        ([10, 20, 30], [0, 0, 25], 15, "interpolated"),
        ([10, 20, 20, 30], [0, 0, 0, 20], 30, "interpolated"),
        ([10, 20, 30], [0, 0, 0], 90, "extrapolated"),
        ([30, 30, 30], [0, 0, 0], -1, None),
        ([30, 30, 30], [-1, -1, -1], -1, None),
        ([10, -1, 30], [0, 0, 20], 30, "interpolated"),
        ([10, 20, -1], [0, 0, 20], -1, None),
    ],
)
def test_the_time_lag_of_a_partition_is_the_age_of_its_next_record(end, committed, seconds, method):
    assert last(end, committed) == (pytest.approx(seconds), method)


def test_what_was_before_a_topic_was_made_anew_counts_no_more():
    assert last([100, 110, 10, 20], [0, 0, 0, 15]) == (pytest.approx(15), "interpolated")


def test_deleted_records_are_not_waited_for():
    assert last([10, 20, 30], [0, 0, 0], begin=[[20]] * 3) == (pytest.approx(30), "interpolated")


@pytest.mark.parametrize(
    ("committed", "read", "seconds", "method"),
    [
        (20, 41.5, 41.5, "timestamp"),
        (20, -1, 30, "interpolated"),
        (5, 70, 70, "timestamp"),
        (30, 12, 0, "exact"),
        (-1, 12, -1, None),
    ],
)
def test_the_timestamp_of_the_record_counts_where_it_was_read_and_something_is_behind(
    committed, read, seconds, method
):
    assert last([10, 20, 30], [0, 0, committed], read=[[-1], [-1], [read]]) == (
        pytest.approx(seconds),
        method,
    )


def test_the_timestamp_that_an_earlier_slot_read_says_nothing_of_this_one():
    assert last([10, 20, 30], [0, 0, 20], read=[[5], [5], [-1]]) == (
        pytest.approx(30),
        "interpolated",
    )


@pytest.mark.parametrize("seed", range(5))
def test_an_unknown_end_offset_lies_on_the_line_between_its_known_neighbours(seed):
    chance = np.random.default_rng(seed)
    end = np.cumsum(chance.integers(0, 50, (12, 30)), axis=0)
    end[chance.random(end.shape) < 0.4] = UNKNOWN
    time = np.cumsum(chance.integers(1, 60, 12)).astype(np.float64)

    found, first = without_holes(series_of(end, np.zeros_like(end), time=time))

    for tp in range(end.shape[1]):
        known = end[:, tp] != UNKNOWN
        assert np.allclose(found[:, tp], np.interp(time, time[known], end[known, tp]), atol=1)
        assert first[tp] == np.argmax(known)


# The highest


def highest(end, committed, most_rows=100):
    return highest_time_lag(
        series_of([[value] for value in end], [[value] for value in committed]), most_rows
    )


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
