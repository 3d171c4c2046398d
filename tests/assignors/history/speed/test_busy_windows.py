"""When a member is busy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.history.speed.busy_windows import busy_rates
from tests.generated.histories import random_series, series_of

SLOTS = np.arange(20)[:, None]


def test_a_member_that_never_came_to_the_end_of_a_log_is_busy_with_all_that_it_read():
    end, committed = np.hstack([1_000 + SLOTS * 20, SLOTS * 3]), np.hstack([SLOTS * 10, SLOTS * 3])

    assert busy_rates(series_of(end, committed))[:, 0].tolist() == pytest.approx([13 / 30] * 2)


def test_a_member_that_keeps_up_is_not_busy_although_a_few_records_are_always_on_their_way():
    assert np.isnan(busy_rates(series_of(100 + SLOTS * 20, 97 + SLOTS * 20))).all()


def test_a_member_that_came_to_the_end_once_was_not_busy_in_that_window():
    committed = SLOTS * 10
    committed[5:] = 1_045 + SLOTS[5:] * 10

    assert np.isnan(busy_rates(series_of(1_000 + SLOTS * 20, committed))[:, 0]).tolist() == [True, False]


def test_a_partition_that_does_not_move_proves_nothing_of_a_member_that_reads_others():
    end, committed = np.hstack([100 + SLOTS * 0, 100 + SLOTS * 20]), np.hstack([50 + SLOTS * 0, 97 + SLOTS * 20])

    assert np.isnan(busy_rates(series_of(end, committed))).all()


def test_a_member_that_stands_still_before_unread_records_reads_nothing_and_is_busy():
    assert busy_rates(series_of(100 + SLOTS * 20, 50 + SLOTS * 0))[:, 0].tolist() == [0, 0]


def test_a_window_counts_only_partitions_that_the_member_had_at_both_ends():
    end, owner = np.hstack([1_000 + SLOTS * 20] * 2), np.tile([0, 0], (20, 1))
    owner[15:, 1] = 1

    assert busy_rates(series_of(end, np.hstack([SLOTS * 10] * 2), owner))[-1].tolist() == pytest.approx([10 / 30, np.nan], nan_ok=True)


@given(st.integers(0, 2**32 - 1))
def test_a_busy_member_owns_a_partition_with_unread_records_in_every_slot_of_the_window(seed):
    series = random_series(np.random.default_rng(seed), partitions=6, slots=25)
    number = (series.slot[-1] - series.slot) // 10
    windows = [rows for one in np.unique(number)[::-1] if (rows := np.flatnonzero(number == one)).size > 1]

    for busy, rows in zip(busy_rates(series), windows, strict=True):
        for member in np.flatnonzero(~np.isnan(busy)).tolist():
            mine = (series.owner[rows[0]] == member) & (series.owner[rows[-1]] == member) & (member != UNASSIGNED)
            assert (series.lag[rows[1:]][:, mine] != 0).any(axis=1).all()


def test_a_group_without_members_has_windows_and_no_busy_member():
    nobody = np.full((20, 1), UNASSIGNED)

    assert busy_rates(series_of(1_000 + SLOTS * 20, SLOTS * 10, nobody, member_count=0)).shape == (2, 0)
