"""Rates of records, and what members can read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.speed import (
    behind,
    busy_rates,
    capacity,
    on_the_way,
    possible,
    rates,
)
from tests.generated.histories import random_series, series_of

# Rates


def test_rates_are_the_slopes_of_end_offset_and_committed_offset():
    found = rates(
        series_of(end=[[0], [300], [600]], committed=[[0], [30], [60]]), ends=np.array([2])
    )

    assert found.incoming.tolist() == [[10.0]]
    assert found.outgoing.tolist() == [[1.0]]


def test_a_gap_shortens_nothing_and_fills_nothing():
    series = series_of(end=[[0], [300], [900]], committed=[[0], [0], [0]], slot=[0, 1, 8])

    assert rates(series, np.array([2])).incoming[0, 0] == pytest.approx(
        np.polyfit([0, 30, 240], [0, 300, 900], 1)[0]
    )
    assert np.isnan(rates(series, np.array([2]), window=7).incoming[0, 0])


def test_one_offset_has_no_rate():
    found = rates(series_of(end=[[5], [-1], [9]], committed=[[-1], [-1], [3]]))

    assert np.isnan(found.incoming[:2, 0]).all()
    assert np.isnan(found.outgoing).all()
    assert found.incoming[2, 0] == pytest.approx(4 / 60)


def test_a_topic_made_anew_begins_a_new_series():
    found = rates(series_of(end=[[100], [110], [0], [30]], committed=[[0], [0], [0], [0]]))

    assert found.incoming[:, 0].tolist() == pytest.approx(
        [np.nan, 10 / 30, np.nan, 1.0], nan_ok=True
    )


def test_offsets_far_from_0_lose_no_record():
    far = 2**62

    assert rates(series_of([[far], [far + 3], [far + 6]], [[far]] * 3)).incoming[
        2, 0
    ] == pytest.approx(0.1)


def test_random_series_have_the_slopes_of_a_fit():
    series = random_series(np.random.default_rng(3), partitions=300, slots=14)
    found = rates(series, np.array([13])).incoming[0]
    for tp in range(series.tp_count):
        rows = np.flatnonzero(
            (series.slot > series.slot[13] - 10) & (series.end_offset[:, tp] >= 0)
        )
        expected = (
            np.polyfit(series.time[rows] - series.time[0], series.end_offset[rows, tp], 1)[0]
            if rows.size > 1
            else np.nan
        )

        assert found[tp] == pytest.approx(expected, abs=1e-9, nan_ok=True)


# Busy windows


SLOTS = np.arange(20)[:, None]


def test_a_member_that_never_came_to_the_end_of_a_log_is_busy_with_all_that_it_read():
    end, committed = np.hstack([1_000 + SLOTS * 20, SLOTS * 3]), np.hstack([SLOTS * 10, SLOTS * 3])

    assert busy_rates(series_of(end, committed))[:, 0].tolist() == pytest.approx([13 / 30] * 2)


def test_a_member_that_keeps_up_is_not_busy_although_a_few_records_are_always_on_their_way():
    assert np.isnan(busy_rates(series_of(100 + SLOTS * 20, 97 + SLOTS * 20))).all()


def test_a_member_that_came_to_the_end_once_was_not_busy_in_that_window():
    committed = SLOTS * 10
    committed[5:] = 1_045 + SLOTS[5:] * 10

    assert np.isnan(busy_rates(series_of(1_000 + SLOTS * 20, committed))[:, 0]).tolist() == [
        True,
        False,
    ]


def test_a_partition_that_does_not_move_proves_nothing_of_a_member_that_reads_others():
    end, committed = (
        np.hstack([100 + SLOTS * 0, 100 + SLOTS * 20]),
        np.hstack([50 + SLOTS * 0, 97 + SLOTS * 20]),
    )

    assert np.isnan(busy_rates(series_of(end, committed))).all()


def test_a_member_that_stands_still_before_unread_records_reads_nothing_and_is_busy():
    assert busy_rates(series_of(100 + SLOTS * 20, 50 + SLOTS * 0))[:, 0].tolist() == [0, 0]


def test_a_window_counts_only_partitions_that_the_member_had_at_both_ends():
    end, owner = np.hstack([1_000 + SLOTS * 20] * 2), np.tile([0, 0], (20, 1))
    owner[15:, 1] = 1

    assert busy_rates(series_of(end, np.hstack([SLOTS * 10] * 2), owner))[
        -1
    ].tolist() == pytest.approx([10 / 30, np.nan], nan_ok=True)


@given(st.integers(0, 2**32 - 1))
def test_a_busy_member_owns_a_partition_with_unread_records_in_every_slot_of_the_window(seed):
    series = random_series(np.random.default_rng(seed), partitions=6, slots=25)
    number = (series.slot[-1] - series.slot) // 10
    windows = [
        rows for one in np.unique(number)[::-1] if (rows := np.flatnonzero(number == one)).size > 1
    ]

    for busy, rows in zip(busy_rates(series), windows, strict=True):
        for member in np.flatnonzero(~np.isnan(busy)).tolist():
            mine = (
                (series.owner[rows[0]] == member)
                & (series.owner[rows[-1]] == member)
                & (member != UNASSIGNED)
            )
            assert (series.lag[rows[1:]][:, mine] != 0).any(axis=1).all()


def test_a_group_without_members_has_windows_and_no_busy_member():
    nobody = np.full((20, 1), UNASSIGNED)

    assert busy_rates(series_of(1_000 + SLOTS * 20, SLOTS * 10, nobody, member_count=0)).shape == (
        2,
        0,
    )


# Capacity


MANY_SLOTS = np.arange(40)[:, None]


def two_members():
    """Member A reads 10 records a slot from each of two partitions that are behind; B keeps up with
    3 a slot.
    """
    end = np.hstack([10_000 + MANY_SLOTS * 20, 5_000 + MANY_SLOTS * 20, MANY_SLOTS * 3])
    return series_of(
        end,
        np.hstack([MANY_SLOTS * 10, MANY_SLOTS * 10, MANY_SLOTS * 3]),
        np.tile([0, 0, 1], (40, 1)),
    )


def test_a_member_takes_what_it_read_while_it_was_behind():
    found = capacity(busy_rates(two_members()))

    assert found.rate.tolist() == pytest.approx([20 / 30, 20 / 30])
    assert found.is_assumed.tolist() == [False, True]


def test_a_member_that_was_busy_in_two_windows_is_not_known_yet():
    assert np.isnan(capacity(busy_rates(two_members())[-2:]).rate).all()
    assert capacity(busy_rates(two_members())[-3:]).is_assumed.tolist() == [False, True]


def test_the_capacity_is_the_90th_percentile():
    busy = np.array([[1.0, np.nan], [2, 7], [3, np.nan], [4, 7], [11, 7]])

    assert capacity(busy).rate.tolist() == pytest.approx([np.percentile([1, 2, 3, 4, 11], 90), 7])


def test_the_median_is_that_of_a_members_own_group():
    busy = np.array([[1.0, 5.0, 9.0, np.nan, np.nan]] * 3)

    assert capacity(busy, np.array([0, 0, 1, 1, 2])).rate.tolist() == pytest.approx(
        [1, 5, 9, 9, np.nan], nan_ok=True
    )
    assert capacity(busy).rate.tolist() == [1, 5, 9, 5, 5]


def test_a_member_that_reads_nothing_is_no_measure_of_others():
    assert capacity(np.array([[0.0, 5.0, 7.0, np.nan]] * 3)).rate.tolist() == [0, 5, 7, 6]
    assert np.isnan(capacity(np.array([[0.0, np.nan]] * 3)).rate).tolist() == [False, True]


# Records on the way


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
