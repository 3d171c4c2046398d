"""Verdicts that last, rebalances that belong together."""

import numpy as np

from evenkeel.assignors.history.changes.spells import bursts, lasting
from evenkeel.assignors.history.changes.verdicts import OK, SLOW, STALL


def test_only_a_short_spell_of_slow_becomes_ok():
    verdict = np.array([OK, SLOW, SLOW, OK, STALL, OK, SLOW, SLOW, SLOW], dtype=np.int8)

    assert lasting(verdict, least=3).tolist() == [OK, OK, OK, OK, STALL, OK, SLOW, SLOW, SLOW]


def test_rebalances_within_half_an_hour_of_the_first_are_one_burst():
    time = np.arange(10) * 900.0

    assert [one.rows for one in bursts(time, np.array([1, 2, 3, 4, 8]))] == [(1, 2, 3), (4,), (8,)]
    assert bursts(time, np.array([1, 3]))[0][1:] == (900.0, 2700.0)
    assert bursts(time, np.array([], dtype=np.int64)) == ()
