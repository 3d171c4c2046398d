"""How far behind a group will be."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.drain.drain import drain
from evenkeel.assignors.drain.lag_ahead import lag_ahead

LAG, RATE = np.array([100, 400, 0, 60]), np.array([0.0, 1.0, 1.0, 2.0])
TIMES = np.array([0.0, 10.0, 20.0, 1000.0])


def owners(*members) -> np.ndarray:
    return np.array(members, dtype=np.int32)


def test_each_member_works_off_its_own_lag_and_stays_at_0():
    # A: 500 behind, 20 read and 1 come in. B: 60 behind, 9 read and 3 come in, empty after 10 s.
    found = lag_ahead(LAG, RATE, owners(0, 0, 1, 1), np.array([20.0, 9.0]), TIMES)

    assert found.tolist() == [560, 310, 120, 0]


def test_what_a_member_cannot_read_and_what_has_no_owner_grows():
    assert lag_ahead(LAG, RATE, owners(0, 0, 1, 1), np.array([0.0, 9.0]), TIMES).tolist() == [560, 510, 520, 1500]
    assert lag_ahead(LAG, RATE, owners(0, UNASSIGNED, 1, 1), np.array([100.0, 9.0]), TIMES).tolist() == [560, 410, 420, 1400]


def test_an_unknown_rate_makes_the_sum_unknown_unless_its_member_has_nothing():
    assert np.isnan(lag_ahead(LAG, RATE, owners(0, 0, 1, 1), np.array([20.0, np.nan]), TIMES)).all()
    assert lag_ahead(LAG, RATE, owners(0, 0, 1, 1), np.array([20.0, 9.0, np.nan]), TIMES)[-1] == 0


def test_unknown_lags_are_left_out():
    assert lag_ahead(np.array([-1, 400, 0, 60]), RATE, owners(0, 0, 1, 1), np.array([20.0, 9.0]), TIMES)[0] == 460


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10_000))
def test_nothing_is_behind_as_soon_as_the_group_is_drained(seed):
    chance = np.random.default_rng(seed)
    lag, rate, capacity = chance.integers(0, 99, 6), chance.random((5, 6)), chance.random((5, 3)) * 6
    owner = chance.integers(0, 3, 6).astype(np.int32)
    seconds = drain(lag, rate, owner, capacity).group

    for draw in np.flatnonzero(np.isfinite(seconds)):
        just_before, after = lag_ahead(lag, rate[draw], owner, capacity[draw], seconds[draw] * np.array([0.99, 1.0]) + [0, 1e-6])

        assert after < 1e-3 and (just_before > 0 or not seconds[draw])
