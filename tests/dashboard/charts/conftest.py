"""Balances and names for figures, spelled out."""

import numpy as np
import pytest

from evenkeel.assignors.figures.balance import Balance


def _balance(counts, lags, unknown=None):
    return Balance(
        np.array(counts),
        np.array(lags),
        np.zeros(len(counts), dtype=np.int64) if unknown is None else np.array(unknown),
    )


@pytest.fixture
def balance():
    """Return a maker of balances: partition counts, lags and unknown lags of each member."""
    return _balance


@pytest.fixture
def three(balance):
    """Three members: a far behind, c idle now; with the candidate all have something."""
    return ["a", "b", "c"], balance([4, 2, 0], [300, 30, 0]), balance([2, 2, 2], [120, 110, 100])
