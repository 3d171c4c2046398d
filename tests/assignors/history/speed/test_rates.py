"""Rates of partitions."""

import numpy as np
import pytest

from evenkeel.assignors.history.speed.rates import rates
from tests.generated.histories import random_series, series_of


def test_rates_are_the_slopes_of_end_offset_and_committed_offset():
    found = rates(series_of(end=[[0], [300], [600]], committed=[[0], [30], [60]]), ends=np.array([2]))

    assert found.incoming.tolist() == [[10.0]] and found.outgoing.tolist() == [[1.0]]


def test_a_gap_shortens_nothing_and_fills_nothing():
    series = series_of(end=[[0], [300], [900]], committed=[[0], [0], [0]], slot=[0, 1, 8])

    assert rates(series, np.array([2])).incoming[0, 0] == pytest.approx(np.polyfit([0, 30, 240], [0, 300, 900], 1)[0])
    assert np.isnan(rates(series, np.array([2]), window=7).incoming[0, 0])


def test_one_offset_has_no_rate():
    found = rates(series_of(end=[[5], [-1], [9]], committed=[[-1], [-1], [3]]))

    assert np.isnan(found.incoming[:2, 0]).all() and np.isnan(found.outgoing).all()
    assert found.incoming[2, 0] == pytest.approx(4 / 60)


def test_a_topic_made_anew_begins_a_new_series():
    found = rates(series_of(end=[[100], [110], [0], [30]], committed=[[0], [0], [0], [0]]))

    assert found.incoming[:, 0].tolist() == pytest.approx([np.nan, 10 / 30, np.nan, 1.0], nan_ok=True)


def test_offsets_far_from_0_lose_no_record():
    far = 2**62

    assert rates(series_of([[far], [far + 3], [far + 6]], [[far]] * 3)).incoming[2, 0] == pytest.approx(0.1)


def test_random_series_have_the_slopes_of_a_fit():
    series = random_series(np.random.default_rng(3), partitions=300, slots=14)
    found = rates(series, np.array([13])).incoming[0]
    for tp in range(series.tp_count):
        rows = np.flatnonzero((series.slot > series.slot[13] - 10) & (series.end_offset[:, tp] >= 0))
        expected = np.polyfit(series.time[rows] - series.time[0], series.end_offset[rows, tp], 1)[0] if rows.size > 1 else np.nan

        assert found[tp] == pytest.approx(expected, abs=1e-9, nan_ok=True)
