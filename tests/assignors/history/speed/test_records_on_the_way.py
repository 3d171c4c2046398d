"""What a group that keeps up has on its way."""

import numpy as np
import pytest

from evenkeel.assignors.history.speed.records_on_the_way import behind, on_the_way, possible
from tests.generated.histories import series_of

SLOTS = np.arange(20)[:, None]


def on_its_way(end, committed) -> int:
    return int(on_the_way(series_of(end, committed))[0])


def test_what_came_after_the_slot_before_is_on_its_way():
    assert on_its_way(100 + SLOTS * 20, 97 + SLOTS * 20) == 3


def test_a_partition_that_is_behind_has_nothing_on_its_way():
    assert on_its_way(1_000 + SLOTS * 20, SLOTS * 20) == 0


def test_a_group_that_commits_every_fourth_slot_keeps_up_between_its_commits():
    end = 100 + SLOTS * 20

    assert on_its_way(end, end[SLOTS[:, 0] // 4 * 4]) == 60


def test_a_commit_that_is_overdue_is_no_longer_on_its_way():
    end = 100 + SLOTS * 20

    assert [on_its_way(end, np.minimum(end, end[row])) for row in (18, 17, 16)] == [20, 0, 0]


def test_a_lag_from_before_it_came_to_the_end_is_not_on_its_way():
    end = 1_000 + SLOTS * 20

    assert on_its_way(end, np.where(SLOTS < 15, 0, end - 5)) == 5


def test_unknown_offsets_and_a_single_slot_have_nothing_on_their_way():
    assert on_its_way([[100]], [[90]]) == 0
    assert on_its_way(100 + SLOTS * 20, SLOTS * 0 - 1) == 0


def test_a_lag_beyond_what_is_on_its_way_counts_whole():
    assert behind(np.array([3, 3, 5, -1]), np.array([3, 2, 0, 9])).tolist() == [0, 3, 5, -1]


@pytest.mark.parametrize(("lag", "known"), [(3, False), (3_000, True)])
def test_a_member_that_keeps_up_with_more_than_its_capacity_has_an_unknown_one(lag, known):
    series = series_of(5_000 + SLOTS * 20, 5_000 - lag + SLOTS * 20)
    found = possible(np.array([0.5, 0.5]), series, on_the_way(series), np.array([20 / 30]))

    assert np.isnan(found).tolist() == [not known, False]
