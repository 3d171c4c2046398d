"""Rebalances that belong together."""

import numpy as np

from evenkeel.assignors.history.changes.spells import bursts


def test_rebalances_within_half_an_hour_of_the_first_are_one_burst():
    time = np.arange(10) * 900.0

    assert [one.rows for one in bursts(time, np.array([1, 2, 3, 4, 8]))] == [(1, 2, 3), (4,), (8,)]
    assert bursts(time, np.array([1, 3]))[0][1:] == (900.0, 2700.0)
    assert bursts(time, np.array([], dtype=np.int64)) == ()
