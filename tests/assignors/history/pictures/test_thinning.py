"""Fewer slots for a picture."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors.history.pictures.thinning import thinned


@settings(max_examples=50, deadline=None)
@given(rows=st.integers(1, 400), columns=st.integers(1, 4), bins=st.integers(1, 20), seed=st.integers(0, 2**32 - 1))
def test_least_and_most_of_each_column_stay_and_so_do_the_ends_of_stretches(rows, columns, bins, seed):
    chance = np.random.default_rng(seed)
    values, stretch = chance.integers(0, 50, (rows, columns)), np.cumsum(chance.random(rows) < 0.02)

    kept = thinned(values, stretch, bins)

    assert (np.diff(kept) > 0).all()
    assert values[kept].max(axis=0).tolist() == values.max(axis=0).tolist()
    assert values[kept].min(axis=0).tolist() == values.min(axis=0).tolist()
    ends = np.flatnonzero(np.diff(stretch))
    assert {0, rows - 1, *ends.tolist(), *(ends + 1).tolist()} <= set(kept.tolist())
    assert kept.size <= max(2 * bins, 2 * bins * columns + 2 * ends.size + 2)


def test_few_rows_all_stay():
    assert thinned(np.zeros((5, 1), dtype=np.int64), np.zeros(5, dtype=np.int64), 3).tolist() == [0, 1, 2, 3, 4]
