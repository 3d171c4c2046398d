"""What has changed since the snapshot before."""

import numpy as np
import pytest

from evenkeel.assignors.compare.comparison import compare
from evenkeel.dashboard.scope.live import lag_since
from evenkeel.dashboard.view import View
from tests.assignors.groups import group


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ([5, 7], [9, 7], "+4"),
        ([5, None], [9, 7], "+4 for partitions with known lag"),
        ([None, None], [9, 7], "–"),
        ([0, 0], [2**62, 2**62], "–"),
        ([2**62, 0], [2**62, 3], "+3"),
    ],
)
def test_the_change_of_the_lag_is_exact_or_unknown(before, after, said):
    was, now = (
        View(None, compare(group({"t0": 2}, A="t0", lag=lag), None, []), ("A",), np.zeros(1))
        for lag in (before, after)
    )

    assert lag_since(was, now) == said
