"""How long groups take."""

import numpy as np
import pytest

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.drain.band import Band, at_least, band
from evenkeel.assignors.drain.drain import NEVER, drain, drain_by_partition

LAG = np.array([100, 400, 0, 60])
RATE = np.array([0.0, 0.0, 1.0, 2.0])


def owners(*members) -> np.ndarray:
    return np.array(members, dtype=np.int32)


def test_the_slowest_member_decides():
    found = drain(LAG, RATE, owners(0, 0, 1, 1), np.array([10.0, 9.0]))

    assert found.by_member.tolist() == [50, 10] and found.group == 50


def test_a_member_that_gets_more_than_it_can_read_never_ends_and_says_by_how_much():
    found = drain(LAG, RATE, owners(0, 0, 1, 1), np.array([10.0, 2.5]))

    assert (found.group, found.excess.tolist()) == (NEVER, [0, 0.5])


def test_what_nobody_reads_never_ends():
    assert drain(LAG, RATE, owners(0, 0, 1, UNASSIGNED), np.array([10.0, 9.0])).group == NEVER
    assert drain(LAG * 0, RATE, owners(0, 0, UNASSIGNED, 1), np.array([10.0, 9.0])).unassigned == 1


def test_a_member_of_unknown_capacity_is_unknown_unless_nothing_is_behind():
    found = drain(np.array([100, 0]), np.array([1.0, 1.0]), owners(0, 1), np.array([np.nan, np.nan]))

    assert np.isnan(found.by_member[0]) and found.by_member[1] == 0 and np.isnan(found.group)


def test_members_without_partitions_are_done():
    assert drain(LAG, RATE, owners(1, 1, 1, 1), np.array([1.0, 100.0, 1.0])).by_member[[0, 2]].tolist() == [0, 0]


def test_unknown_lags_are_left_out():
    lag = np.array([100, -1])

    assert drain(lag, np.zeros(2), owners(0, 0), np.array([10.0])).group == 10
    assert drain_by_partition(lag, np.zeros(2), owners(0, 0), np.array([10.0])).tolist() == pytest.approx([10, np.nan], nan_ok=True)


def test_a_member_of_which_every_lag_is_unknown_is_unknown_and_not_done():
    found = drain(np.array([-1, -1, 50]), np.array([1.0, 1.0, 0.0]), owners(0, 0, 1), np.array([10.0, 10.0, 10.0]))

    assert found.by_member.tolist() == pytest.approx([np.nan, 5, 0], nan_ok=True) and np.isnan(found.group)


def test_draws_of_rates_and_capacities_give_a_time_each():
    found = drain(LAG, np.stack([RATE, RATE * 0]), owners(0, 0, 1, 1), np.array([[10.0, 9.0], [5.0, 6.0]]))

    assert found.group.tolist() == [50, 100] and found.by_member.tolist() == [[50, 10], [100, 10]]


def test_a_member_that_reads_less_for_a_while_than_in_the_long_run_takes_longer():
    found = drain(np.array([100]), np.zeros(1), owners(0), np.array([10.0]), np.array([[0.0], [-15.0], [15.0]]))

    assert found.group.tolist() == pytest.approx([10, 16, 6.25])


def test_a_member_of_unknown_capacity_that_gets_more_than_it_was_seen_to_read_is_unknown_although_nothing_is_behind():
    lag, rate, unknown = np.zeros(2, dtype=np.int64), np.array([4.0, 4.0]), np.full(2, np.nan)
    proven = np.array([4.0, 4.0])

    assert drain(lag, rate, owners(0, 1), unknown, proven=proven).group == 0
    assert drain(lag, rate, owners(0, 0), unknown, proven=proven).by_member.tolist() == pytest.approx([np.nan, 0], nan_ok=True)
    assert drain(lag, rate, owners(0, 0), np.array([9.0, np.nan]), proven=proven).group == 0


def test_a_band_with_lags_left_out_is_a_lower_bound_and_never_stays_never():
    found = at_least(Band(*np.array([[0.0, 5, 5], [0, 7, NEVER], [1, 9, NEVER]])), np.array([True, True, True]))

    assert [one.tolist() for one in found] == [
        pytest.approx(one, nan_ok=True) for one in ([np.nan, 5, 5], [np.nan, np.nan, NEVER], [np.nan, np.nan, NEVER])
    ]
    assert at_least(Band(1.0, 2.0, 3.0), False) == (1, 2, 3)


def test_a_band_has_nine_of_ten_draws_and_may_end_with_never():
    found = band(np.array([*range(1, 91), *[NEVER] * 10], dtype=np.float64))

    assert found == (5, 50, NEVER)


def test_no_more_than_a_rounding_too_much_proves_nothing_where_there_is_one_draw():
    lag, comes, owner = np.array([100]), np.array([500.0]), owners(0)

    for reads, told in ((500.0, np.nan), (496.0, np.nan), (490.0, NEVER), (505.0, 20.0), (0.0, NEVER)):
        found = drain(lag, comes, owner, np.array([reads]), rounding=0.01)
        assert found.group == pytest.approx(told, nan_ok=True) and found.is_even.tolist() == [np.isnan(told)]
        assert drain_by_partition(lag, comes, owner, np.array([reads]), 0.01) == pytest.approx([told], nan_ok=True)
    assert drain(lag, comes, owner, np.array([500.0])).group == NEVER
    assert drain(lag, np.zeros(1), owner, np.zeros(1), rounding=0.01).group == NEVER
