"""Members read at constant rates: when lags are worked off, how far behind they are until then, and
which partition is served when.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.drain import (
    NEVER,
    Band,
    at_least,
    band,
    drain,
    drain_by_partition,
    empty_after,
    lag_ahead,
    lags_after,
    shares,
)

LAG = np.array([100, 400, 0, 60])
RATE = np.array([0.0, 0.0, 1.0, 2.0])
LAG_NOW, GROWTH = np.array([100, 400, 0, 60]), np.array([0.0, 1.0, 1.0, 2.0])
TIMES = np.array([0.0, 10.0, 20.0, 1000.0])
RATES = st.floats(0, 1000, allow_subnormal=False).map(lambda rate: round(rate, 3))
PARTITIONS = st.lists(st.tuples(st.integers(0, 10_000), RATES), min_size=1, max_size=8)


def owners(*members) -> np.ndarray:
    return np.array(members, dtype=np.int32)


def test_the_slowest_member_decides():
    found = drain(LAG, RATE, owners(0, 0, 1, 1), np.array([10.0, 9.0]))

    assert found.by_member.tolist() == [50, 10]
    assert found.group == 50


def test_a_member_that_gets_more_than_it_can_read_never_ends_and_says_by_how_much():
    found = drain(LAG, RATE, owners(0, 0, 1, 1), np.array([10.0, 2.5]))

    assert (found.group, found.excess.tolist()) == (NEVER, [0, 0.5])


def test_what_nobody_reads_never_ends():
    assert drain(LAG, RATE, owners(0, 0, 1, UNASSIGNED), np.array([10.0, 9.0])).group == NEVER
    assert drain(LAG * 0, RATE, owners(0, 0, UNASSIGNED, 1), np.array([10.0, 9.0])).unassigned == 1


def test_a_member_of_unknown_capacity_is_unknown_unless_nothing_is_behind():
    found = drain(
        np.array([100, 0]), np.array([1.0, 1.0]), owners(0, 1), np.array([np.nan, np.nan])
    )

    assert np.isnan(found.by_member[0])
    assert found.by_member[1] == 0
    assert np.isnan(found.group)


def test_members_without_partitions_are_done():
    assert drain(LAG, RATE, owners(1, 1, 1, 1), np.array([1.0, 100.0, 1.0])).by_member[
        [0, 2]
    ].tolist() == [0, 0]


def test_unknown_lags_are_left_out():
    lag = np.array([100, -1])

    assert drain(lag, np.zeros(2), owners(0, 0), np.array([10.0])).group == 10
    assert drain_by_partition(
        lag, np.zeros(2), owners(0, 0), np.array([10.0])
    ).tolist() == pytest.approx([10, np.nan], nan_ok=True)


def test_a_member_of_which_every_lag_is_unknown_is_unknown_and_not_done():
    found = drain(
        np.array([-1, -1, 50]),
        np.array([1.0, 1.0, 0.0]),
        owners(0, 0, 1),
        np.array([10.0, 10.0, 10.0]),
    )

    assert found.by_member.tolist() == pytest.approx([np.nan, 5, 0], nan_ok=True)
    assert np.isnan(found.group)


def test_draws_of_rates_and_capacities_give_a_time_each():
    found = drain(
        LAG, np.stack([RATE, RATE * 0]), owners(0, 0, 1, 1), np.array([[10.0, 9.0], [5.0, 6.0]])
    )

    assert found.group.tolist() == [50, 100]
    assert found.by_member.tolist() == [[50, 10], [100, 10]]


def test_a_member_that_reads_less_for_a_while_than_in_the_long_run_takes_longer():
    found = drain(
        np.array([100]),
        np.zeros(1),
        owners(0),
        np.array([10.0]),
        np.array([[0.0], [-15.0], [15.0]]),
    )

    assert found.group.tolist() == pytest.approx([10, 16, 6.25])


def test_a_member_of_unknown_capacity_with_more_than_it_was_seen_to_read_is_unknown_without_lag():
    lag, rate, unknown = np.zeros(2, dtype=np.int64), np.array([4.0, 4.0]), np.full(2, np.nan)
    proven = np.array([4.0, 4.0])

    assert drain(lag, rate, owners(0, 1), unknown, proven=proven).group == 0
    assert drain(
        lag, rate, owners(0, 0), unknown, proven=proven
    ).by_member.tolist() == pytest.approx([np.nan, 0], nan_ok=True)
    assert drain(lag, rate, owners(0, 0), np.array([9.0, np.nan]), proven=proven).group == 0


def test_a_band_with_lags_left_out_is_a_lower_bound_and_never_stays_never():
    found = at_least(
        Band(*np.array([[0.0, 5, 5], [0, 7, NEVER], [1, 9, NEVER]])), np.array([True, True, True])
    )

    assert [one.tolist() for one in found] == [
        pytest.approx(one, nan_ok=True)
        for one in ([np.nan, 5, 5], [np.nan, np.nan, NEVER], [np.nan, np.nan, NEVER])
    ]
    assert at_least(Band(1.0, 2.0, 3.0), False) == (1, 2, 3)


def test_a_band_has_nine_of_ten_draws_and_may_end_with_never():
    found = band(np.array([*range(1, 91), *[NEVER] * 10], dtype=np.float64))

    assert found == (5, 50, NEVER)


def test_no_more_than_a_rounding_too_much_proves_nothing_where_there_is_one_draw():
    lag, comes, owner = np.array([100]), np.array([500.0]), owners(0)

    for reads, told in (
        (500.0, np.nan),
        (496.0, np.nan),
        (490.0, NEVER),
        (505.0, 20.0),
        (0.0, NEVER),
    ):
        found = drain(lag, comes, owner, np.array([reads]), rounding=0.01)
        assert found.group == pytest.approx(told, nan_ok=True)
        assert found.is_even.tolist() == [np.isnan(told)]
        assert drain_by_partition(lag, comes, owner, np.array([reads]), 0.01) == pytest.approx(
            [told], nan_ok=True
        )
    assert drain(lag, comes, owner, np.array([500.0])).group == NEVER
    assert drain(lag, np.zeros(1), owner, np.zeros(1), rounding=0.01).group == NEVER


def test_each_member_works_off_its_own_lag_and_stays_at_0():
    # A: 500 behind, 20 read and 1 come in. B: 60 behind, 9 read and 3 come in, empty after 10 s.
    found = lag_ahead(LAG_NOW, GROWTH, owners(0, 0, 1, 1), np.array([20.0, 9.0]), TIMES)

    assert found.tolist() == [560, 310, 120, 0]


def test_what_a_member_cannot_read_and_what_has_no_owner_grows():
    assert lag_ahead(LAG_NOW, GROWTH, owners(0, 0, 1, 1), np.array([0.0, 9.0]), TIMES).tolist() == [
        560,
        510,
        520,
        1500,
    ]
    assert lag_ahead(
        LAG_NOW, GROWTH, owners(0, UNASSIGNED, 1, 1), np.array([100.0, 9.0]), TIMES
    ).tolist() == [560, 410, 420, 1400]


def test_an_unknown_rate_makes_the_sum_unknown_unless_its_member_has_nothing():
    assert np.isnan(
        lag_ahead(LAG_NOW, GROWTH, owners(0, 0, 1, 1), np.array([20.0, np.nan]), TIMES)
    ).all()
    assert (
        lag_ahead(LAG_NOW, GROWTH, owners(0, 0, 1, 1), np.array([20.0, 9.0, np.nan]), TIMES)[-1]
        == 0
    )


def test_unknown_lags_are_left_out_of_the_lag_ahead():
    assert (
        lag_ahead(
            np.array([-1, 400, 0, 60]), GROWTH, owners(0, 0, 1, 1), np.array([20.0, 9.0]), TIMES
        )[0]
        == 460
    )


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10_000))
def test_nothing_is_behind_as_soon_as_the_group_is_drained(seed):
    chance = np.random.default_rng(seed)
    lag, rate, capacity = (
        chance.integers(0, 99, 6),
        chance.random((5, 6)),
        chance.random((5, 3)) * 6,
    )
    owner = chance.integers(0, 3, 6).astype(np.int32)
    seconds = drain(lag, rate, owner, capacity).group

    for draw in np.flatnonzero(np.isfinite(seconds)):
        just_before, after = lag_ahead(
            lag,
            rate[draw],
            owner,
            capacity[draw],
            seconds[draw] * np.array([0.99, 1.0]) + [0, 1e-6],
        )

        assert after < 1e-3
        assert just_before > 0 or not seconds[draw]


def array(*values) -> np.ndarray:
    return np.array(values, dtype=np.float64)


@pytest.mark.parametrize(
    ("needs", "capacity", "answer"),
    [
        ((np.inf, np.inf), 10, (5, 5)),
        ((2, np.inf, np.inf), 10, (2, 4, 4)),
        ((2, 3, 4), 10, (2, 3, 4)),
        ((4, 4, 4), 9, (3, 3, 3)),
        ((np.inf,), 0, (0,)),
    ],
)
def test_each_partition_gets_its_need_or_an_equal_part_of_the_rest(needs, capacity, answer):
    assert shares(array(*needs), capacity).tolist() == list(answer)


def test_a_partition_that_is_empty_leaves_its_part_to_the_others():
    # 5 records/s each; the first is empty after 20 s, the other has 300 left and gets 10.
    assert empty_after(array(100, 400), array(0, 0), 10).tolist() == [20, 50]
    assert lags_after(array(100, 400), array(0, 0), 10, 30).tolist() == [0, 200]


def test_a_partition_whose_records_come_faster_than_its_part_waits_for_the_others():
    # 10 each: the second grows by 5 until the first is empty after 10 s, then falls by 5.
    assert empty_after(array(100, 0), array(0, 15), 20).tolist() == [10, 20]


def test_a_partition_is_never_empty_where_more_comes_in_than_its_member_reads():
    assert empty_after(array(10, 10), array(0, 30), 20).tolist() == [1, NEVER]


@given(PARTITIONS, st.floats(1, 5000))
def test_a_member_is_done_when_its_last_partition_is_whatever_each_gets_of_it(partitions, capacity):
    lag, in_rate = (
        np.array([one for one, _ in partitions]),
        array(*(rate for _, rate in partitions)),
    )
    owner = np.zeros(lag.size, dtype=np.int32)
    whole = float(drain(lag, in_rate, owner, array(capacity)).group)
    each = drain_by_partition(lag, in_rate, owner, array(capacity))

    if capacity - in_rate.sum() > 1e-3:
        assert whole == pytest.approx(each.max(), rel=1e-6, abs=1e-3)
    if np.isinf(whole):
        assert np.isinf(each.max()) or in_rate.sum() - capacity < 1e-3


@given(PARTITIONS, st.floats(1, 5000), st.floats(0, 100), st.floats(0, 100))
def test_time_passes_in_two_steps_as_in_one(partitions, capacity, first, second):
    behind, in_rate = (
        array(*(one for one, _ in partitions)),
        array(*(rate for _, rate in partitions)),
    )
    once = lags_after(behind, in_rate, capacity, first + second)
    twice = lags_after(lags_after(behind, in_rate, capacity, first), in_rate, capacity, second)

    assert twice == pytest.approx(once, rel=1e-6, abs=1e-3)
    assert once.sum() == pytest.approx(
        max(behind.sum() + (in_rate.sum() - capacity) * (first + second), once.sum()),
        rel=1e-6,
        abs=1e-2,
    )
